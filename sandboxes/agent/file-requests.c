#define _GNU_SOURCE
#include "file-requests.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "users.h"

enum { MOST_FILES = 64, MOST_LIST_BYTES = 1 << 20 };

// A file that the agent is reading or writing.
struct file {
  uint32_t id;
  bool is_open, is_written;
  int descriptor;
  uint64_t left;
};

static struct file files[MOST_FILES];

static struct file* find(uint32_t id, bool is_written) {
  for (struct file* file = files; file < files + MOST_FILES; file++)
    if (file->is_open && file->id == id && file->is_written == is_written) return file;
  return NULL;
}

static void keep(uint32_t id, int descriptor, bool is_written, uint64_t left) {
  for (struct file* file = files; file < files + MOST_FILES; file++)
    if (!file->is_open) {
      *file = (struct file){id, true, is_written, descriptor, left};
      return;
    }
  close(descriptor);
  reply_error(id, EMFILE, "files");
}

static void drop(struct file* file) {
  close(file->descriptor);
  file->is_open = false;
}

// Sets the user and group for the kernel's checks of file access, which only root may do. Returns 0 or an errno.
static int act_as(const char* text) {
  struct user user;
  int error = find_user(text, &user);
  if (error || !user.is_given) return error;
  setfsgid(user.gid);
  setfsuid(user.uid);
  // A call with -1 changes nothing and returns the current value.
  return (uid_t)setfsuid((uid_t)-1) == user.uid ? 0 : EPERM;
}

static void act_as_oneself(void) {
  setfsuid(geteuid());
  setfsgid(getegid());
}

// Opens a regular file only, since a FIFO or a device could block the agent. Returns a descriptor, or -1 and errno.
static int open_regular(const char* path, int flags) {
  int descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) < 0) return descriptor;
  if (S_ISREG(status.st_mode)) return descriptor;
  close(descriptor);
  errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  return -1;
}

void begin_reading(uint32_t id, struct reader* reader) {
  char* user = read_text(reader);
  char* path = read_text(reader);
  uint64_t most = read_u64(reader);
  int error = reader->bad ? EPROTO : act_as(user);
  int descriptor = error ? -1 : open_regular(path, O_RDONLY);
  if (!error && descriptor < 0) error = errno;
  act_as_oneself();
  if (error) reply_error(id, error, "open");
  else keep(id, descriptor, false, most);
  free(user), free(path);
}

bool is_reading(void) {
  for (struct file* file = files; file < files + MOST_FILES; file++)
    if (file->is_open && !file->is_written) return true;
  return false;
}

static void read_chunk(struct file* file) {
  static uint8_t chunk[CHUNK_BYTES];
  // One more byte than wanted shows whether the file is longer.
  size_t wanted = file->left < sizeof chunk ? (size_t)file->left + 1 : sizeof chunk;
  if (wanted > sizeof chunk) wanted = sizeof chunk;
  ssize_t count = read(file->descriptor, chunk, wanted);
  if (count < 0 && errno == EINTR) return;
  if (count < 0) reply_error(file->id, errno, "read");
  else if (count == 0) reply_done(file->id, false);
  else if ((uint64_t)count > file->left) {
    reply(REPLY_DATA, file->id, chunk, (size_t)file->left);
    reply_done(file->id, true);
  } else {
    file->left -= (uint64_t)count;
    return reply(REPLY_DATA, file->id, chunk, (size_t)count);
  }
  drop(file);
}

void read_more(void) {
  for (struct file* file = files; file < files + MOST_FILES; file++)
    if (file->is_open && !file->is_written) read_chunk(file);
}

// Creates missing parent folders. A failure shows when the file is opened.
static void make_folders(char* path) {
  for (char* slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0755);
    *slash = '/';
  }
}

// If the start fails, the agent answers the host at once. Data that the host still sends are dropped.
void begin_writing(uint32_t id, struct reader* reader) {
  char* user = read_text(reader);
  char* path = read_text(reader);
  int error = reader->bad || find(id, true) ? EPROTO : act_as(user);
  int descriptor = -1;
  if (!error) {
    make_folders(path);
    descriptor = open_regular(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (descriptor < 0) error = errno;
  }
  act_as_oneself();
  if (error) reply_error(id, error, "open");
  else keep(id, descriptor, true, 0);
  free(user), free(path);
}

void write_data(uint32_t id, const uint8_t* bytes, size_t length) {
  struct file* file = find(id, true);
  if (!file) return;
  bool is_last = length == 0;
  while (length > 0) {
    ssize_t count = write(file->descriptor, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      reply_error(id, errno, "write");
      return drop(file);
    }
    bytes += count, length -= (size_t)count;
  }
  if (!is_last) return;
  drop(file);
  reply_done(id, false);
}

static char type_of(mode_t mode) {
  if (S_ISREG(mode)) return 'f';
  if (S_ISDIR(mode)) return 'd';
  return S_ISLNK(mode) ? 'l' : 'o';
}

// Formats a line of a list or a status: type, size, octal mode, time of change in ms, name, NUL. Returns its length, or 0 if
// it does not fit.
static size_t describe(char* to, size_t room, const struct stat* status, const char* name) {
  long long changed_ms = status->st_mtim.tv_sec * 1000ll + status->st_mtim.tv_nsec / 1000000;
  int length = snprintf(to, room, "%c %lld %o %lld %s", type_of(status->st_mode), (long long)status->st_size,
                        status->st_mode & 07777, changed_ms, name);
  return length < 0 || (size_t)length >= room ? 0 : (size_t)length + 1;
}

void stat_file(uint32_t id, struct reader* reader) {
  char* user = read_text(reader);
  char* path = read_text(reader);
  struct stat status;
  int error = reader->bad ? EPROTO : act_as(user);
  if (!error && lstat(path, &status) < 0) error = errno;
  act_as_oneself();
  if (error) reply_error(id, error, "stat");
  else {
    char line[128];
    reply(REPLY_DATA, id, line, describe(line, sizeof line, &status, ""));
    reply_done(id, false);
  }
  free(user), free(path);
}

// Formats the entries of a folder as lines. Returns their length in bytes, and whether some entries were left out.
static size_t entries_of(DIR* folder, uint32_t most, char* lines, bool* is_cut) {
  size_t length = 0;
  for (struct dirent* entry; (entry = readdir(folder));) {
    struct stat status;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    // The entry was removed after readdir listed it.
    if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0) continue;
    size_t size = most-- == 0 ? 0 : describe(lines + length, MOST_LIST_BYTES - length, &status, entry->d_name);
    *is_cut = size == 0;
    if (*is_cut) break;
    length += size;
  }
  return length;
}

void list_folder(uint32_t id, struct reader* reader) {
  static char lines[MOST_LIST_BYTES];
  char* user = read_text(reader);
  char* path = read_text(reader);
  uint32_t most = read_u32(reader);
  int error = reader->bad ? EPROTO : act_as(user);
  DIR* folder = error ? NULL : opendir(path);
  if (!error && !folder) error = errno;
  if (error) reply_error(id, error, "open");
  else {
    bool is_cut = false;
    size_t length = entries_of(folder, most, lines, &is_cut);
    for (size_t at = 0; at < length; at += CHUNK_BYTES)
      reply(REPLY_DATA, id, lines + at, length - at < CHUNK_BYTES ? length - at : CHUNK_BYTES);
    reply_done(id, is_cut);
    closedir(folder);
  }
  act_as_oneself();
  free(user), free(path);
}
