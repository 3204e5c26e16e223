// Frames between the host and the agent, in both directions: length u32 (of all that follows it), kind u8, id u32, payload.
// Numbers are little-endian; a text is its length u32 and its bytes.
#ifndef PALESTRA_FRAMES_H
#define PALESTRA_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_VERSION = 1, HEAD_BYTES = 9, CHUNK_BYTES = 1 << 16, MOST_REQUEST_BYTES = 1 << 23 };

// From the host. The id names the request; frames that belong to a request under way carry its id.
enum request_kind {
  REQUEST_EXEC = 1,   // struct exec_request
  REQUEST_INPUT = 2,  // bytes for the command's standard input; none: it is closed
  REQUEST_KILL = 3,   // ends the command and all that it started
  REQUEST_READ = 4,   // text user, text path, u64 most bytes
  REQUEST_WRITE = 5,  // text user, text path; the data follow
  REQUEST_DATA = 6,   // bytes of the file; none: it is complete
  REQUEST_LIST = 7,   // text user, text path, u32 most entries
  REQUEST_STAT = 8,   // text user, text path
};

// From the agent.
enum reply_kind {
  REPLY_READY = 1,   // u32 protocol version; the id is 0
  REPLY_STDOUT = 2,  // bytes
  REPLY_STDERR = 3,  // bytes
  REPLY_TAKEN = 4,   // u32 bytes of the input that the command has been given
  REPLY_EXIT = 5,    // i32 exit code, u8 flags of enum exit_flag
  REPLY_DATA = 6,    // bytes of a file, or entries of a list
  REPLY_DONE = 7,    // the request is done; of a list or a file: u8 whether something was left out
  REPLY_ERROR = 8,   // i32 errno, text which step failed
};

enum exit_flag { EXIT_TIMED_OUT = 1, EXIT_CUT = 2 };

// A request's payload, read from front to back. `bad` is set by what does not fit.
struct reader {
  const uint8_t* at;
  const uint8_t* end;
  bool bad;
};

uint32_t read_u32(struct reader*);
uint64_t read_u64(struct reader*);
// A copy that ends in 0 and belongs to the caller. A text with a 0 in it is bad.
char* read_text(struct reader*);
// `count` texts, which end in NULL and belong to the caller.
char** read_texts(struct reader*);
void free_texts(char** texts);

// Sends a frame. What the pipe does not take at once waits in memory.
void reply(enum reply_kind, uint32_t id, const void* payload, size_t length);
void reply_error(uint32_t id, int error, const char* step);
void reply_done(uint32_t id, bool is_cut);

// Writes what waits, as far as the pipe takes it. False: the host is gone.
bool flush_replies(void);
bool replies_wait(void);
// Whether so much waits that nothing more should be produced for now.
bool replies_pile_up(void);

#endif
