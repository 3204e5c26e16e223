// Looks up users in the sandbox's /etc/passwd and /etc/group. The C library's user look-up needs plug-ins that a static
// program cannot load.
#ifndef PALESTRA_USERS_H
#define PALESTRA_USERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { MOST_GROUPS = 64 };

struct user {
  // False for the agent's user.
  bool is_given;
  uid_t uid;
  gid_t gid;
  gid_t groups[MOST_GROUPS];
  int group_count;
  // Home folder, or "" if the file names none.
  char home[256];
};

// Finds a user by `name`, `uid` or `uid:gid`. "" means the agent's user. Returns 0, or ENOENT for an unknown name.
int find_user(const char* text, struct user*);

#endif
