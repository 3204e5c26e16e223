#define _GNU_SOURCE
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervisor.h"

// DRAIN_MS: time for which outputs are read after the command's end, if a background process holds them open.
enum { DRAIN_MS = 100, MOST_INPUT_BYTES = 1 << 20 };

struct command_slot {
  uint32_t id;
  // Process id of the supervisor, or 0 if the slot is free.
  pid_t supervisor;
  int input, output[2], status;
  uint64_t left[2];
  bool is_cut, is_closing_input, is_told;
  // Index of the slot's four descriptors in the last poll, or -1 if the slot is newer.
  int polled_at;
  // Whether the supervisor was reaped. After that, the pid of the supervisor may belong to another process.
  bool is_reaped;
  // The end of the command. `ended.kind` is 0 while the command runs.
  struct supervisor_word ended;
  struct timespec ended_at;
  uint8_t* given;
  size_t given_length;
};

static struct command_slot slots[MOST_COMMANDS];

static struct command_slot* find(uint32_t id) {
  for (struct command_slot* slot = slots; slot < slots + MOST_COMMANDS; slot++)
    if (slot->supervisor && slot->id == id && !slot->is_told) return slot;
  return NULL;
}

static struct command_slot* free_slot(void) {
  for (struct command_slot* slot = slots; slot < slots + MOST_COMMANDS; slot++)
    if (!slot->supervisor) return slot;
  return NULL;
}

static void shut(int* descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

static bool open_pipes(int ends[3][2]) {
  for (int i = 0; i < 3; i++)
    if (pipe2(ends[i], O_CLOEXEC) < 0) {
      int error = errno;
      while (i-- > 0) close(ends[i][0]), close(ends[i][1]);
      errno = error;
      return false;
    }
  return true;
}

static void start(uint32_t id, struct command* command, uint64_t most_output, bool has_input) {
  struct command_slot* slot = free_slot();
  int ends[3][2];
  if (!slot) return reply_error(id, EAGAIN, "commands");
  if (!open_pipes(ends)) return reply_error(id, errno, "pipes");
  command->input = ends[0][0], command->output = ends[1][1], command->errors = ends[2][1];
  *slot = (struct command_slot){.id = id, .input = ends[0][1], .output = {ends[1][0], ends[2][0]}};
  slot->left[0] = slot->left[1] = most_output;
  slot->polled_at = -1;
  slot->supervisor = start_supervisor(command, &slot->status);
  int error = errno;
  close(ends[0][0]), close(ends[1][1]), close(ends[2][1]);
  if (slot->supervisor < 0) {
    close(ends[0][1]), close(ends[1][0]), close(ends[2][0]);
    slot->supervisor = 0;
    return reply_error(id, error, "fork");
  }
  int nonblocking[] = {slot->input, slot->output[0], slot->output[1], slot->status};
  for (int i = 0; i < 4; i++) fcntl(nonblocking[i], F_SETFL, O_NONBLOCK);
  if (!has_input) shut(&slot->input);
}

static bool has_variable(char** environment, const char* prefix) {
  for (; *environment; environment++)
    if (strncmp(*environment, prefix, strlen(prefix)) == 0) return true;
  return false;
}

// Adds HOME of the user to the environment, unless the host has set HOME.
static char** with_home(char** environment, const char* home) {
  if (!*home || has_variable(environment, "HOME=")) return environment;
  size_t count = 0;
  while (environment[count]) count++;
  char** longer = realloc(environment, (count + 2) * sizeof *environment);
  if (!longer) return environment;
  if (asprintf(&longer[count], "HOME=%s", home) < 0) longer[count] = NULL;
  longer[count + 1] = NULL;
  return longer;
}

void begin_command(uint32_t id, struct reader* reader) {
  struct command command = {.timeout_ms = read_u32(reader)};
  uint64_t most_output = read_u64(reader);
  bool has_input = reader->at < reader->end && *reader->at++;
  char* user = read_text(reader);
  char* folder = read_text(reader);
  char** environment = read_texts(reader);
  command.argv = read_texts(reader);
  command.folder = folder;
  if (reader->bad || !command.argv[0]) reply_error(id, EPROTO, "request");
  else if (find(id)) reply_error(id, EEXIST, "request");
  else if (find_user(user, &command.user)) reply_error(id, ENOENT, "user");
  else {
    command.environment = environment = with_home(environment, command.user.home);
    start(id, &command, most_output, has_input);
  }
  free(user), free(folder), free_texts(environment), free_texts(command.argv);
}

static void pass_input(struct command_slot* slot) {
  size_t written = 0;
  while (written < slot->given_length) {
    ssize_t count = write(slot->input, slot->given + written, slot->given_length - written);
    if (count < 0 && errno == EAGAIN) break;
    // The command has closed its input. The remaining input counts as taken.
    if (count < 0) count = (ssize_t)(slot->given_length - written), slot->is_closing_input = true;
    written += (size_t)count;
  }
  if (written) {
    uint8_t taken[4] = {(uint8_t)written, (uint8_t)(written >> 8), (uint8_t)(written >> 16), (uint8_t)(written >> 24)};
    if (!slot->is_told) reply(REPLY_TAKEN, slot->id, taken, sizeof taken);
    memmove(slot->given, slot->given + written, slot->given_length -= written);
  }
  if (slot->is_closing_input && slot->given_length == 0) shut(&slot->input);
}

void give_input(uint32_t id, const uint8_t* bytes, size_t length) {
  struct command_slot* slot = find(id);
  if (!slot || slot->input < 0) return;
  if (length == 0) slot->is_closing_input = true;
  else {
    uint8_t* longer = slot->given_length + length > MOST_INPUT_BYTES ? NULL : realloc(slot->given, slot->given_length + length);
    // The host has violated its window, or memory has run out.
    if (!longer) return kill_command(id);
    memcpy(longer + slot->given_length, bytes, length);
    slot->given = longer;
    slot->given_length += length;
  }
  pass_input(slot);
}

void kill_command(uint32_t id) {
  struct command_slot* slot = find(id);
  if (slot && !slot->is_reaped) kill(slot->supervisor, SIGTERM);
}

void reap_children(void) {
  for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;)
    for (struct command_slot* slot = slots; slot < slots + MOST_COMMANDS; slot++)
      if (slot->supervisor == pid) slot->is_reaped = true;
}

static void read_output(struct command_slot* slot, int which) {
  static uint8_t chunk[CHUNK_BYTES];
  ssize_t count = read(slot->output[which], chunk, sizeof chunk);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return shut(&slot->output[which]);
  size_t kept = (uint64_t)count > slot->left[which] ? (size_t)slot->left[which] : (size_t)count;
  slot->left[which] -= kept;
  if (slot->is_told) return;
  if (kept < (size_t)count) slot->is_cut = true;
  if (kept) reply(which == 0 ? REPLY_STDOUT : REPLY_STDERR, slot->id, chunk, kept);
}

static int64_t ms_since(const struct timespec* then) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - then->tv_sec) * 1000ll + (now.tv_nsec - then->tv_nsec) / 1000000;
}

static void tell_end(struct command_slot* slot) {
  static const char* const steps[] = {"fork", "user", "folder", "program"};
  const struct supervisor_word* word = &slot->ended;
  slot->is_told = true;
  if (word->kind == COMMAND_FAILED_TO_START) return reply_error(slot->id, word->value, steps[word->step & 3]);
  uint32_t code = (uint32_t)word->value;
  uint8_t flags = (word->is_timed_out ? EXIT_TIMED_OUT : 0) | (slot->is_cut ? EXIT_CUT : 0);
  uint8_t payload[5] = {(uint8_t)code, (uint8_t)(code >> 8), (uint8_t)(code >> 16), (uint8_t)(code >> 24), flags};
  reply(REPLY_EXIT, slot->id, payload, sizeof payload);
}

static void read_status(struct command_slot* slot) {
  struct supervisor_word word;
  ssize_t count = read(slot->status, &word, sizeof word);
  if (count < 0) return;
  if (count == sizeof word && !slot->ended.kind) {
    slot->ended = word;
    clock_gettime(CLOCK_MONOTONIC, &slot->ended_at);
  }
  if (count > 0) return;
  shut(&slot->status);
  if (slot->ended.kind) return;
  // The supervisor was killed. The processes of the supervisor have become descendants of the agent.
  slot->ended = (struct supervisor_word){COMMAND_ENDED, 128 + SIGKILL, 0, 0};
  pid_t kept[MOST_COMMANDS + 1];
  int others = 0;
  for (struct command_slot* other = slots; other < slots + MOST_COMMANDS; other++)
    if (other->supervisor && other != slot && other->status >= 0) kept[others++] = other->supervisor;
  kept[others] = 0;
  end_strangers(kept);
}

static bool is_drained(struct command_slot* slot) {
  if (slot->output[0] < 0 && slot->output[1] < 0) return true;
  if (ms_since(&slot->ended_at) < DRAIN_MS) return false;
  // Two reads empty a pipe of everything that was written before the end.
  for (int i = 0; i < 2; i++)
    for (int rounds = 0; rounds < 2 && slot->output[i] >= 0; rounds++) read_output(slot, i);
  return true;
}

// Finishes an ended command. Output of its background processes is read and dropped until the last one ends.
static void settle(struct command_slot* slot) {
  if (slot->ended.kind && !slot->is_told && is_drained(slot)) tell_end(slot);
  if (!slot->is_told || slot->status >= 0) return;
  shut(&slot->input), shut(&slot->output[0]), shut(&slot->output[1]);
  free(slot->given);
  *slot = (struct command_slot){0};
}

nfds_t poll_commands(struct pollfd* polled, bool is_full) {
  nfds_t count = 0;
  for (struct command_slot* slot = slots; slot < slots + MOST_COMMANDS; slot++) {
    if (!slot->supervisor) continue;
    slot->polled_at = (int)count;
    polled[count++] = (struct pollfd){slot->given_length ? slot->input : -1, POLLOUT, 0};
    for (int i = 0; i < 2; i++) polled[count++] = (struct pollfd){is_full ? -1 : slot->output[i], POLLIN, 0};
    polled[count++] = (struct pollfd){slot->status, POLLIN, 0};
  }
  return count;
}

bool commands_end(void) {
  for (struct command_slot* slot = slots; slot < slots + MOST_COMMANDS; slot++)
    if (slot->supervisor && slot->ended.kind && !slot->is_told) return true;
  return false;
}

void serve_commands(const struct pollfd* polled) {
  for (struct command_slot* slot = slots; slot < slots + MOST_COMMANDS; slot++) {
    if (!slot->supervisor || slot->polled_at < 0) continue;
    const struct pollfd* mine = polled + slot->polled_at;
    if (mine[0].revents && slot->input >= 0) pass_input(slot);
    for (int i = 0; i < 2; i++)
      if (mine[1 + i].revents && slot->output[i] >= 0) read_output(slot, i);
    if (mine[3].revents && slot->status >= 0) read_status(slot);
    settle(slot);
  }
}
