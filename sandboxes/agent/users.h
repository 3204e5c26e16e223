// Users as /etc/passwd and /etc/group of the sandbox tell them, read without the C library's plug-ins, which a static
// program cannot load.
#ifndef PALESTRA_USERS_H
#define PALESTRA_USERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { MOST_GROUPS = 64 };

struct user {
  // False: the user that the agent runs as.
  bool is_given;
  uid_t uid;
  gid_t gid;
  gid_t groups[MOST_GROUPS];
  int group_count;
  // "" where the file names none.
  char home[256];
};

// Finds a user by `name`, `uid` or `uid:gid`; "" is the one that the agent runs as. Returns 0, or ENOENT where there is no
// such name.
int find_user(const char* text, struct user*);

#endif
