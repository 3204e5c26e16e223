#include "frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WAITING = 1 << 18 };

static uint8_t* waiting;
static size_t waiting_from, waiting_to, waiting_room;

static const uint8_t* take(struct reader* reader, size_t length) {
  if (reader->bad || (size_t)(reader->end - reader->at) < length) {
    reader->bad = true;
    return NULL;
  }
  const uint8_t* at = reader->at;
  reader->at += length;
  return at;
}

uint32_t read_u32(struct reader* reader) {
  const uint8_t* at = take(reader, 4);
  if (!at) return 0;
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t read_u64(struct reader* reader) {
  uint64_t low = read_u32(reader);
  return low | (uint64_t)read_u32(reader) << 32;
}

static void* memory(void* old, size_t bytes) {
  void* block = realloc(old, bytes);
  // An agent that has no memory for a frame cannot answer. The host sees the end of the agent.
  if (!block) _exit(70);
  return block;
}

char* read_text(struct reader* reader) {
  uint32_t length = read_u32(reader);
  const uint8_t* at = take(reader, length);
  char* text = memory(NULL, at ? (size_t)length + 1 : 1);
  if (at) memcpy(text, at, length);
  text[at ? length : 0] = 0;
  if (at && strlen(text) != length) reader->bad = true;
  return text;
}

char** read_texts(struct reader* reader) {
  uint32_t count = read_u32(reader);
  // A text takes four bytes or more, so a false count cannot make the agent allocate memory.
  if (reader->bad || count > (size_t)(reader->end - reader->at) / 4) {
    reader->bad = true;
    count = 0;
  }
  char** texts = memory(NULL, ((size_t)count + 1) * sizeof *texts);
  for (uint32_t i = 0; i < count; i++) texts[i] = read_text(reader);
  texts[count] = NULL;
  return texts;
}

void free_texts(char** texts) {
  for (char** text = texts; *text; text++) free(*text);
  free(texts);
}

static void put_u32(uint8_t* to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> 8 * i);
}

void reply(enum reply_kind kind, uint32_t id, const void* payload, size_t length) {
  size_t whole = HEAD_BYTES + length;
  if (waiting_from == waiting_to) waiting_from = waiting_to = 0;
  if (waiting_room - waiting_to < whole) {
    memmove(waiting, waiting + waiting_from, waiting_to - waiting_from);
    waiting_to -= waiting_from;
    waiting_from = 0;
    while (waiting_room - waiting_to < whole) {
      waiting_room = waiting_room ? 2 * waiting_room : 2 * MOST_WAITING;
      waiting = memory(waiting, waiting_room);
    }
  }
  uint8_t* to = waiting + waiting_to;
  put_u32(to, (uint32_t)(whole - 4));
  to[4] = (uint8_t)kind;
  put_u32(to + 5, id);
  if (length) memcpy(to + HEAD_BYTES, payload, length);
  waiting_to += whole;
}

void reply_error(uint32_t id, int error, const char* step) {
  uint8_t payload[256];
  size_t length = strnlen(step, sizeof payload - 8);
  put_u32(payload, (uint32_t)error);
  put_u32(payload + 4, (uint32_t)length);
  memcpy(payload + 8, step, length);
  reply(REPLY_ERROR, id, payload, 8 + length);
}

void reply_done(uint32_t id, bool is_cut) {
  uint8_t flag = is_cut;
  reply(REPLY_DONE, id, &flag, 1);
}

bool flush_replies(void) {
  while (waiting_from < waiting_to) {
    ssize_t written = write(STDOUT_FILENO, waiting + waiting_from, waiting_to - waiting_from);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EAGAIN;
    waiting_from += (size_t)written;
  }
  return true;
}

bool replies_wait(void) { return waiting_from < waiting_to; }

bool replies_pile_up(void) { return waiting_to - waiting_from > MOST_WAITING; }
