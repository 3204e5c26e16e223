// The agent is a program inside a sandbox that runs commands and transfers files for the host, over its standard input and
// output. The agent needs neither libraries nor a network in the sandbox.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "file-requests.h"
#include "frames.h"
#include "relay.h"
#include "supervisor.h"

static uint8_t request[4 + MOST_REQUEST_BYTES];
static size_t received;

static void perform(uint8_t kind, uint32_t id, struct reader reader) {
  switch (kind) {
    case REQUEST_EXEC: return begin_command(id, &reader);
    case REQUEST_INPUT: return give_input(id, reader.at, (size_t)(reader.end - reader.at));
    case REQUEST_KILL: return kill_command(id);
    case REQUEST_READ: return begin_reading(id, &reader);
    case REQUEST_WRITE: return begin_writing(id, &reader);
    case REQUEST_DATA: return write_data(id, reader.at, (size_t)(reader.end - reader.at));
    case REQUEST_LIST: return list_folder(id, &reader);
    case REQUEST_STAT: return stat_file(id, &reader);
    default: return reply_error(id, EPROTO, "request");
  }
}

// Reads from the host and performs complete requests. Returns false if the host has closed the line or sent a bad
// frame.
static bool heed(void) {
  ssize_t count = read(STDIN_FILENO, request + received, sizeof request - received);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  received += (size_t)count;
  size_t at = 0;
  while (received - at >= HEAD_BYTES) {
    struct reader head = {request + at, request + received, false};
    uint32_t length = read_u32(&head);
    if (length < HEAD_BYTES - 4 || length > MOST_REQUEST_BYTES) return false;
    if (received - at - 4 < length) break;
    uint8_t kind = *head.at++;
    uint32_t id = read_u32(&head);
    perform(kind, id, (struct reader){head.at, request + at + 4 + length, false});
    at += 4 + (size_t)length;
  }
  memmove(request, request + at, received - at);
  received -= at;
  return true;
}

static void set_nonblocking(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

static void wake(int signal) { (void)signal; }

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  // Other processes must not open the agent's descriptors through /proc, since a write to its output would forge replies.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  set_nonblocking(STDIN_FILENO);
  set_nonblocking(STDOUT_FILENO);
  if (argc > 1 && strcmp(argv[1], "relay") == 0) return run_relay(argc > 2 ? (uint16_t)atoi(argv[2]) : 0);
  // The handler interrupts poll, so that the agent reaps ended children.
  sigaction(SIGCHLD, &(struct sigaction){.sa_handler = wake}, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  umask(022);
  uint8_t version[4] = {PROTOCOL_VERSION};
  reply(REPLY_READY, 0, version, sizeof version);
  for (;;) {
    bool is_full = replies_pile_up();
    struct pollfd polled[2 + MOST_COMMAND_POLLS] = {
        {STDIN_FILENO, POLLIN, 0},
        {STDOUT_FILENO, replies_wait() ? POLLOUT : 0, 0},
    };
    nfds_t count = 2 + poll_commands(polled + 2, is_full);
    bool reads = !is_full && is_reading();
    if (poll(polled, count, reads ? 0 : commands_end() ? 20 : -1) < 0 && errno != EINTR) break;
    reap_children();
    if (polled[0].revents && !heed()) break;
    serve_commands(polled + 2);
    if (reads) read_more();
    if (!flush_replies()) break;
  }
  end_strangers(NULL);
  return 0;
}
