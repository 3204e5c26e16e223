#define _GNU_SOURCE
#include "relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frames.h"

struct connection {
  uint32_t id;
  // Socket of the connection, or -1 if the slot is free.
  int socket;
  bool is_connecting, has_ended, host_has_ended;
  // Number of bytes that were sent to the host and that the host has not consumed.
  uint32_t untaken;
  // Bytes from the host that the socket has not accepted.
  uint8_t* waiting;
  size_t waiting_length;
};

static struct connection connections[MOST_RELAYED];
static uint32_t next_own_id = 1;

static struct connection* find(uint32_t id) {
  for (struct connection* one = connections; one < connections + MOST_RELAYED; one++)
    if (one->socket >= 0 && one->id == id) return one;
  return NULL;
}

static struct connection* add(uint32_t id, int socket) {
  for (struct connection* one = connections; one < connections + MOST_RELAYED; one++)
    if (one->socket < 0) {
      *one = (struct connection){.id = id, .socket = socket};
      return one;
    }
  return NULL;
}

static void send_u32(enum relay_kind kind, uint32_t id, uint32_t value) {
  uint8_t payload[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  reply((enum reply_kind)kind, id, payload, sizeof payload);
}

static void forget(struct connection* one) {
  close(one->socket);
  free(one->waiting);
  *one = (struct connection){.socket = -1};
}

static void drop(struct connection* one, int error) {
  send_u32(RELAY_CLOSE, one->id, (uint32_t)error);
  forget(one);
}

static struct sockaddr_in loopback(uint16_t port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static void open_connection(uint32_t id, const uint8_t* payload, size_t length) {
  if (find(id)) return;
  struct sockaddr_in address = loopback(length < 2 ? 0 : (uint16_t)(payload[0] | payload[1] << 8));
  int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return send_u32(RELAY_CLOSE, id, (uint32_t)errno);
  bool is_refused = connect(made, (struct sockaddr*)&address, sizeof address) < 0 && errno != EINPROGRESS;
  int error = errno;
  struct connection* one = is_refused ? NULL : add(id, made);
  if (one) {
    one->is_connecting = true;
    return;
  }
  close(made);
  send_u32(RELAY_CLOSE, id, (uint32_t)(is_refused ? error : EMFILE));
}

// Writes the host's bytes until the socket is full.
static void pass(struct connection* one) {
  size_t written = 0;
  while (written < one->waiting_length) {
    ssize_t count = send(one->socket, one->waiting + written, one->waiting_length - written, MSG_NOSIGNAL);
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0) return drop(one, errno);
    written += (size_t)count;
  }
  if (written) {
    memmove(one->waiting, one->waiting + written, one->waiting_length -= written);
    send_u32(RELAY_TAKEN, one->id, (uint32_t)written);
  }
  if (one->host_has_ended && !one->waiting_length) shutdown(one->socket, SHUT_WR);
  if (one->host_has_ended && !one->waiting_length && one->has_ended) drop(one, 0);
}

static void take_data(struct connection* one, const uint8_t* bytes, size_t length) {
  if (one->waiting_length + length > RELAY_WINDOW_BYTES) return drop(one, EPROTO);
  uint8_t* longer = realloc(one->waiting, one->waiting_length + length);
  if (!longer) return drop(one, ENOMEM);
  memcpy(longer + one->waiting_length, bytes, length);
  one->waiting = longer;
  one->waiting_length += length;
  if (!one->is_connecting) pass(one);
}

static void perform(uint8_t kind, uint32_t id, const uint8_t* payload, size_t length) {
  if (kind == RELAY_OPEN) return open_connection(id, payload, length);
  struct connection* one = find(id);
  // The agent may have closed the connection while the frame was under way.
  if (!one) return;
  if (kind == RELAY_DATA && length) take_data(one, payload, length);
  if (kind == RELAY_CLOSE) forget(one);
  if (kind == RELAY_END) {
    one->host_has_ended = true;
    if (!one->is_connecting) pass(one);
  }
  if (kind == RELAY_TAKEN && length == 4) {
    struct reader reader = {payload, payload + length, false};
    uint32_t taken = read_u32(&reader);
    one->untaken -= taken < one->untaken ? taken : one->untaken;
  }
}

static void finish_connecting(struct connection* one) {
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(one->socket, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error) return drop(one, error);
  one->is_connecting = false;
  // An OPEN with the host's own id tells the host that the connection is established.
  reply((enum reply_kind)RELAY_OPEN, one->id, NULL, 0);
  pass(one);
}

static void read_socket(struct connection* one) {
  static uint8_t chunk[CHUNK_BYTES];
  size_t most = RELAY_WINDOW_BYTES - one->untaken;
  ssize_t count = recv(one->socket, chunk, most < sizeof chunk ? most : sizeof chunk, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count < 0) return drop(one, errno);
  if (count > 0) {
    one->untaken += (uint32_t)count;
    return reply((enum reply_kind)RELAY_DATA, one->id, chunk, (size_t)count);
  }
  one->has_ended = true;
  reply((enum reply_kind)RELAY_END, one->id, NULL, 0);
  if (one->host_has_ended && !one->waiting_length) drop(one, 0);
}

static short events_of(const struct connection* one, bool is_full) {
  if (one->socket < 0) return 0;
  if (one->is_connecting) return POLLOUT;
  bool reads = !is_full && !one->has_ended && one->untaken < RELAY_WINDOW_BYTES;
  return (short)((reads ? POLLIN : 0) | (one->waiting_length ? POLLOUT : 0));
}

static void serve(struct connection* one, const struct pollfd* polled) {
  if (one->socket < 0 || one->socket != polled->fd) return;
  if (one->is_connecting) {
    if (polled->revents) finish_connecting(one);
    return;
  }
  uint32_t id = one->id;
  if (polled->revents & POLLOUT) pass(one);
  if (one->socket >= 0 && one->id == id && polled->revents & (POLLIN | POLLHUP | POLLERR) && !one->has_ended) read_socket(one);
}

static int start_listening(uint16_t port) {
  struct sockaddr_in address = loopback(port);
  int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listening, (struct sockaddr*)&address, sizeof address) < 0 || listen(listening, MOST_RELAYED) < 0) return -1;
  return listening;
}

static void accept_one(int listening) {
  int accepted = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (accepted < 0) return;
  uint32_t id = next_own_id;
  if (!add(id, accepted)) {
    close(accepted);
    return;
  }
  next_own_id += 2;
  reply((enum reply_kind)RELAY_OPEN, id, NULL, 0);
}

static bool heed_host(void) {
  static uint8_t received[4 + MOST_REQUEST_BYTES];
  static size_t length;
  ssize_t count = read(STDIN_FILENO, received + length, sizeof received - length);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  length += (size_t)count;
  size_t at = 0;
  while (length - at >= HEAD_BYTES) {
    struct reader head = {received + at, received + length, false};
    uint32_t size = read_u32(&head);
    if (size < HEAD_BYTES - 4 || size > MOST_REQUEST_BYTES) return false;
    if (length - at - 4 < size) break;
    uint8_t kind = *head.at++;
    uint32_t id = read_u32(&head);
    perform(kind, id, head.at, size - (HEAD_BYTES - 4));
    at += 4 + (size_t)size;
  }
  memmove(received, received + at, length - at);
  length -= at;
  return true;
}

int run_relay(uint16_t port) {
  int listening = port ? start_listening(port) : -1;
  if (port && listening < 0) return 1;
  for (struct connection* one = connections; one < connections + MOST_RELAYED; one++) one->socket = -1;
  reply((enum reply_kind)RELAY_READY, 0, NULL, 0);
  for (;;) {
    bool is_full = replies_pile_up();
    struct pollfd polled[3 + MOST_RELAYED] = {
        {STDIN_FILENO, is_full ? 0 : POLLIN, 0},
        {STDOUT_FILENO, replies_wait() ? POLLOUT : 0, 0},
        {is_full ? -1 : listening, POLLIN, 0},
    };
    for (int i = 0; i < MOST_RELAYED; i++) {
      short events = events_of(&connections[i], is_full);
      polled[3 + i] = (struct pollfd){events ? connections[i].socket : -1, events, 0};
    }
    if (poll(polled, 3 + MOST_RELAYED, -1) < 0 && errno != EINTR) return 1;
    for (int i = 0; i < MOST_RELAYED; i++) serve(&connections[i], &polled[3 + i]);
    if (polled[2].revents) accept_one(listening);
    if (polled[0].revents && !heed_host()) return 0;
    if (!flush_replies()) return 0;
  }
}
