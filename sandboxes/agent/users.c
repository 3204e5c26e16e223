#include "users.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Parses a decimal number. Returns whether the whole text is a number.
static bool number(const char* text, unsigned long* value) {
  char* end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  *value = strtoul(text, &end, 10);
  return *end == 0 && errno == 0 && *value < 0xfffffffful;
}

// Splits a line of a file like /etc/passwd. Returns the number of fields.
static int fields_of(char* line, char** fields, int most) {
  int count = 0;
  line[strcspn(line, "\n")] = 0;
  for (char* field; count < most && (field = strsep(&line, ":"));) fields[count++] = field;
  return count;
}

static bool find_in_passwd(const char* name, unsigned long uid, bool by_uid, struct user* user, char* found) {
  FILE* file = fopen("/etc/passwd", "re");
  if (!file) return false;
  char line[1024];
  bool is_found = false;
  while (!is_found && fgets(line, sizeof line, file)) {
    char* field[7];
    unsigned long id, group;
    if (fields_of(line, field, 7) < 6 || !number(field[2], &id) || !number(field[3], &group)) continue;
    is_found = by_uid ? id == uid : strcmp(field[0], name) == 0;
    if (!is_found) continue;
    user->uid = (uid_t)id;
    user->gid = (gid_t)group;
    snprintf(user->home, sizeof user->home, "%s", field[5]);
    snprintf(found, 256, "%s", field[0]);
  }
  fclose(file);
  return is_found;
}

static bool is_member(const char* members, const char* name) {
  size_t length = strlen(name);
  for (const char* at = members; *at;) {
    size_t size = strcspn(at, ",");
    if (size == length && memcmp(at, name, length) == 0) return true;
    at += size + (at[size] == ',');
  }
  return false;
}

static void find_groups(const char* name, struct user* user) {
  user->groups[user->group_count++] = user->gid;
  FILE* file = fopen("/etc/group", "re");
  if (!file) return;
  char line[4096];
  while (user->group_count < MOST_GROUPS && fgets(line, sizeof line, file)) {
    char* field[4];
    unsigned long group;
    if (fields_of(line, field, 4) < 4 || !number(field[2], &group)) continue;
    if ((gid_t)group != user->gid && is_member(field[3], name)) user->groups[user->group_count++] = (gid_t)group;
  }
  fclose(file);
}

int find_user(const char* text, struct user* user) {
  memset(user, 0, sizeof *user);
  char name[256] = "";
  if (*text == 0) {
    find_in_passwd("", getuid(), true, user, name);
    user->is_given = false;
    return 0;
  }
  user->is_given = true;
  const char* colon = strchr(text, ':');
  char head[256];
  snprintf(head, sizeof head, "%.*s", colon ? (int)(colon - text) : 255, text);
  unsigned long uid, gid = 0;
  bool by_uid = number(head, &uid);
  if (colon && (!by_uid || !number(colon + 1, &gid))) return ENOENT;
  bool is_known = find_in_passwd(head, uid, by_uid, user, name);
  if (!is_known && !by_uid) return ENOENT;
  if (!is_known) user->uid = user->gid = (uid_t)uid;
  if (colon) user->gid = (gid_t)gid;
  find_groups(name, user);
  return 0;
}
