// Running commands. The agent passes their outputs to the host, and the host's input to the commands.
#ifndef PALESTRA_COMMANDS_H
#define PALESTRA_COMMANDS_H

#include <poll.h>

#include "frames.h"

enum { MOST_COMMANDS = 128, MOST_COMMAND_POLLS = 4 * MOST_COMMANDS };

// Starts a command. Payload: u32 timeout in ms (0: none), u64 most bytes of each output, u8 whether input follows, text
// user, text folder, texts environment, texts arguments.
void begin_command(uint32_t id, struct reader*);
void give_input(uint32_t id, const uint8_t* bytes, size_t length);
void kill_command(uint32_t id);

// Reaps supervisors, and orphans that have become children of the agent.
void reap_children(void);

// Adds the descriptors to poll and returns their number. With `is_full`, the agent reads no output.
nfds_t poll_commands(struct pollfd*, bool is_full);
// Whether a command has ended while its outputs are still open. Such outputs must be read for a moment longer.
bool commands_end(void);
void serve_commands(const struct pollfd*);

#endif
