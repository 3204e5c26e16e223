// Every command has a supervisor process. Descendants of the command become children of the supervisor when their parents
// end, so that a timeout can end all of them.
#ifndef PALESTRA_SUPERVISOR_H
#define PALESTRA_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

#include "users.h"

struct command {
  char** argv;
  char** environment;
  // Working folder, or "" for the agent's working folder.
  const char* folder;
  struct user user;
  uint32_t timeout_ms;
  int input, output, errors;
};

// A message on a supervisor's status pipe. The supervisor sends at most one message of each kind. The pipe closes with the
// last process of the command.
struct supervisor_word {
  enum { COMMAND_FAILED_TO_START = 1, COMMAND_ENDED = 2 } kind;
  // The errno of the failed step, or the exit code. The exit code is 128 plus the signal's number after a signal.
  int32_t value;
  enum { STEP_FORK, STEP_USER, STEP_FOLDER, STEP_PROGRAM } step;
  int32_t is_timed_out;
};

// Starts a supervisor, which starts the command. On SIGTERM the supervisor ends the command and all descendants of the
// command. Returns the supervisor's pid and the read end of its status pipe, or -1 and errno.
pid_t start_supervisor(const struct command*, int* status);

// Kills all descendants of this process, repeatedly and for at most three seconds, so that even a fork bomb ends. Processes
// in `kept`, a list that ends in 0, and their descendants are left alone. NULL keeps no process.
void end_strangers(const pid_t* kept);

#endif
