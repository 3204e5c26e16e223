// The agent's relay mode, `agent relay [PORT]`. The relay carries connections between the host, over its standard input and
// output, and the loopback address inside the sandbox. The relay runs as a command, with a command's rights and limits.
#ifndef PALESTRA_RELAY_H
#define PALESTRA_RELAY_H

#include <stdint.h>

// Kinds of frames in the format of `frames.h`. The id identifies the connection. Connections of the host have even ids,
// connections to PORT have odd ids.
enum relay_kind {
  RELAY_READY = 1,  // from the relay: it is ready; the id is 0
  RELAY_OPEN = 2,   // from the host: u16 port to connect to; from the relay: connected, or a new connection to PORT
  RELAY_DATA = 3,   // bytes
  RELAY_END = 4,    // no more bytes come in this direction
  RELAY_CLOSE = 5,  // the connection is closed; from the relay: u32 errno, or 0 without an error
  RELAY_TAKEN = 6,  // u32 bytes that were consumed, so that the other side may send as many again
};

// RELAY_WINDOW_BYTES is the number of bytes that each side may send before the other side has consumed them.
enum { RELAY_WINDOW_BYTES = 1 << 18, MOST_RELAYED = 64 };

// Runs until the host closes the line. With port 0 the relay does not listen. Returns the exit code.
int run_relay(uint16_t port);

#endif
