// Frames between the host and the agent, in both directions. A frame is a u32 length of the rest of the frame, a u8 kind, a
// u32 id, and the payload. Numbers are little-endian. A text is its u32 length and its bytes.
#ifndef PALESTRA_FRAMES_H
#define PALESTRA_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_VERSION = 1, HEAD_BYTES = 9, CHUNK_BYTES = 1 << 16, MOST_REQUEST_BYTES = 1 << 23 };

// Kinds of frames from the host. The id identifies the request. Later frames of the same request carry the same id.
enum request_kind {
  REQUEST_EXEC = 1,   // see begin_command
  REQUEST_INPUT = 2,  // bytes for the command's standard input; an empty payload closes it
  REQUEST_KILL = 3,   // ends the command and every process that it started
  REQUEST_READ = 4,   // text user, text path, u64 most bytes
  REQUEST_WRITE = 5,  // text user, text path; the data follow
  REQUEST_DATA = 6,   // bytes of the file; an empty payload ends it
  REQUEST_LIST = 7,   // text user, text path, u32 most entries
  REQUEST_STAT = 8,   // text user, text path
};

// Kinds of frames from the agent.
enum reply_kind {
  REPLY_READY = 1,   // u32 protocol version; the id is 0
  REPLY_STDOUT = 2,  // bytes
  REPLY_STDERR = 3,  // bytes
  REPLY_TAKEN = 4,   // u32 bytes of input that were passed to the command
  REPLY_EXIT = 5,    // i32 exit code, u8 flags of enum exit_flag
  REPLY_DATA = 6,    // bytes of a file, or entries of a list
  REPLY_DONE = 7,    // end of the answer; for a list or a file: u8 whether it was cut
  REPLY_ERROR = 8,   // i32 errno, text failed step
};

enum exit_flag { EXIT_TIMED_OUT = 1, EXIT_CUT = 2 };

// A request's payload, read from front to back. `bad` is set when the payload does not have the expected form.
struct reader {
  const uint8_t* at;
  const uint8_t* end;
  bool bad;
};

uint32_t read_u32(struct reader*);
uint64_t read_u64(struct reader*);
// Returns a copy that ends in NUL and belongs to the caller. A text that contains NUL is bad.
char* read_text(struct reader*);
// Reads a u32 count and as many texts. Returns an array that ends in NULL and belongs to the caller.
char** read_texts(struct reader*);
void free_texts(char** texts);

// Queues a frame for `flush_replies`.
void reply(enum reply_kind, uint32_t id, const void* payload, size_t length);
void reply_error(uint32_t id, int error, const char* step);
void reply_done(uint32_t id, bool is_cut);

// Writes queued frames until the pipe is full. Returns false if the host has closed the pipe.
bool flush_replies(void);
bool replies_wait(void);
// Whether the queue is so long that no more output should be read for now.
bool replies_pile_up(void);

#endif
