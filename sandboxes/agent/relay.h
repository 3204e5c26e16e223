// The agent's second way to run, `agent relay [PORT]`: it carries connections between the host, over its standard input
// and output, and the loopback address inside the sandbox. It runs as a command, with a command's rights and limits.
#ifndef PALESTRA_RELAY_H
#define PALESTRA_RELAY_H

#include <stdint.h>

// Of frames as `frames.h` tells them; their id is the connection's. The host's connections have even ids, those that are
// made to PORT odd ones.
enum relay_kind {
  RELAY_READY = 1,  // from the relay: it listens; the id is 0
  RELAY_OPEN = 2,   // u16 port: from the host, a connection to make; from the relay, one that was made to PORT
  RELAY_DATA = 3,   // bytes
  RELAY_END = 4,    // no more bytes come in this direction
  RELAY_CLOSE = 5,  // the connection is gone; from the relay: u32 errno, 0 where nothing failed
  RELAY_TAKEN = 6,  // u32 bytes that the other side may send again
};

// Bytes that either side may send before the other has taken them.
enum { RELAY_WINDOW_BYTES = 1 << 18, MOST_RELAYED = 64 };

// Runs until the host is gone. 0 for the port: it listens nowhere. Returns the exit code.
int run_relay(uint16_t port);

#endif
