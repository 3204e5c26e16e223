// One process stands over every command. Whatever the command starts, and however often that forks away, becomes the
// supervisor's child when its parents end, so that a timeout can end all of it.
#ifndef PALESTRA_SUPERVISOR_H
#define PALESTRA_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

#include "users.h"

struct command {
  char** argv;
  char** environment;
  // "" is the folder that the agent runs in.
  const char* folder;
  struct user user;
  uint32_t timeout_ms;
  int input, output, errors;
};

// A message on a supervisor's status pipe, one of each kind at most. The pipe ends with the last process of the command.
struct supervisor_word {
  enum { COMMAND_FAILED_TO_START = 1, COMMAND_ENDED = 2 } kind;
  // The errno of the step that failed, or the exit code: 128 plus the signal's number where a signal ended it.
  int32_t value;
  enum { STEP_FORK, STEP_USER, STEP_FOLDER, STEP_PROGRAM } step;
  int32_t is_timed_out;
};

// Starts a supervisor, which starts the command. SIGTERM makes it end the command and all that this started.
// Returns its pid and the reading end of its status pipe, or -1 and errno.
pid_t start_supervisor(const struct command*, int* status);

// Ends the processes below this one, however fast they multiply, for at most some seconds; but for those of `kept`, which
// ends with 0, and what is below them. NULL: all.
void end_strangers(const pid_t* kept);

#endif
