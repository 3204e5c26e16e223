#define _GNU_SOURCE
#include "supervisor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 300, MOST_ENDING_MS = 3000, MOST_PROCESSES = 1 << 16 };

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

// Returns the parent of a process, or 0 if the process has ended or is a zombie.
static pid_t parent_of(pid_t pid) {
  char path[32], line[512];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, line, sizeof line - 1);
  close(file);
  if (length <= 0) return 0;
  line[length] = 0;
  // The process name, in parentheses, may contain any character.
  const char* after = strrchr(line, ')');
  return after && after[2] != 'Z' ? (pid_t)atoi(after + 4) : 0;
}

// Sends a signal to all descendants of `root`, except `kept` and their descendants. Returns the number of processes.
static int signal_below(pid_t root, int signal, const pid_t* kept) {
  static struct { pid_t pid, parent; bool is_below; } all[MOST_PROCESSES];
  int count = 0, sent = 0;
  DIR* proc = opendir("/proc");
  if (!proc) return 0;
  for (struct dirent* entry; count < MOST_PROCESSES && (entry = readdir(proc));) {
    pid_t pid = (pid_t)atoi(entry->d_name);
    if (pid <= 0 || pid == root) continue;
    all[count].pid = pid;
    all[count].parent = parent_of(pid);
    all[count++].is_below = false;
  }
  closedir(proc);
  for (bool grew = true; grew;) {
    grew = false;
    for (int i = 0; i < count; i++) {
      bool below = all[i].parent == root;
      for (int j = 0; !below && j < count; j++) below = all[j].is_below && all[j].pid == all[i].parent;
      for (const pid_t* pid = kept; below && pid && *pid; pid++) below = *pid != all[i].pid;
      if (below && !all[i].is_below) grew = all[i].is_below = true;
    }
  }
  for (int i = 0; i < count; i++) sent += all[i].is_below && kill(all[i].pid, signal) == 0;
  return sent;
}

// Reaps ended children. Returns whether any child is left. `main_status` receives the status of `main_pid`.
static bool reap(pid_t main_pid, int* main_status, bool* has_ended) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid == main_pid && pid > 0) *main_status = status, *has_ended = true;
    if (pid == 0) return true;
    if (pid < 0) return errno != ECHILD;
  }
}

void end_strangers(const pid_t* kept) {
  int64_t until = now_ms() + MOST_ENDING_MS;
  while (signal_below(getpid(), SIGKILL, kept) > 0 && now_ms() < until) usleep(2000);
}

static int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

static void tell(int status, struct supervisor_word word) {
  // The write is atomic, since the word is smaller than PIPE_BUF. If the agent has ended, no process needs the word.
  if (write(status, &word, sizeof word) < 0) return;
}

static _Noreturn void fail(struct supervisor_word* failure, int step) {
  *failure = (struct supervisor_word){COMMAND_FAILED_TO_START, errno, step, 0};
  _exit(127);
}

static bool become(const struct user* user) {
  if (!user->is_given || (user->uid == getuid() && user->gid == getgid())) return true;
  return setgroups((size_t)user->group_count, user->groups) == 0 && setgid(user->gid) == 0 && setuid(user->uid) == 0;
}

// Makes the kernel end this process before the agent when memory runs out.
static void go_first(void) {
  // The file belongs to root while the process is not dumpable.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "1000", 4) < 0) errno = 0;
  close(file);
}

// Becomes the command. A failed step is stored in `failure`, which is memory shared with the supervisor. The status pipe is
// not used, since other processes of the user can open this process's descriptors after go_first.
static _Noreturn void run(const struct command* command, int status, struct supervisor_word* failure) {
  close(status);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // The agent ignores SIGPIPE, and a child would inherit this disposition.
  signal(SIGPIPE, SIG_DFL);
  setsid();
  if (dup2(command->input, 0) < 0 || dup2(command->output, 1) < 0 || dup2(command->errors, 2) < 0) fail(failure, STEP_FORK);
  go_first();
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!become(&command->user)) fail(failure, STEP_USER);
  if (*command->folder && chdir(command->folder) < 0) fail(failure, STEP_FOLDER);
  environ = command->environment;
  execvp(command->argv[0], command->argv);
  fail(failure, STEP_PROGRAM);
}

// Forks the command's process. `failure` is set to memory that the two processes share. Exits if the fork fails.
static pid_t start(const struct command* command, int status, struct supervisor_word** failure) {
  *failure = mmap(NULL, sizeof **failure, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t pid = *failure == MAP_FAILED ? -1 : fork();
  if (pid == 0) run(command, status, *failure);
  if (pid < 0) {
    tell(status, (struct supervisor_word){COMMAND_FAILED_TO_START, errno, STEP_FORK, 0});
    _exit(127);
  }
  close(command->input), close(command->output), close(command->errors);
  return pid;
}

// Waits for a signal of the set until `at_ms`, or without a limit if `at_ms` is 0.
static int next_signal(const sigset_t* set, int64_t at_ms) {
  if (at_ms == 0) return sigwaitinfo(set, NULL);
  int64_t left = at_ms - now_ms();
  if (left < 0) left = 0;
  struct timespec wait = {left / 1000, left % 1000 * 1000000};
  return sigtimedwait(set, NULL, &wait);
}

// Closes the agent's other descriptors. A pipe that this process held open would never end.
static void keep_only(int* kept, int count) {
  enum { FIRST = 900 };
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0) _exit(127);
  for (int i = 0; i < count; i++) {
    int copy = fcntl(kept[i], F_DUPFD_CLOEXEC, FIRST);
    if (copy < 0) _exit(127);
    kept[i] = copy;
  }
  if (syscall(SYS_close_range, 3, FIRST - 1, 0) < 0)
    for (int i = 3; i < FIRST; i++) close(i);
}

static sigset_t supervised_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  return signals;
}

static _Noreturn void supervise(struct command* command, int status, pid_t agent) {
  sigset_t signals = supervised_signals();
  int kept[] = {command->input, command->output, command->errors, status};
  keep_only(kept, 4);
  command->input = kept[0], command->output = kept[1], command->errors = kept[2], status = kept[3];
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // If the agent dies, this process has to end the command.
  prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
  if (getppid() != agent) _exit(127);
  struct supervisor_word* failure;
  pid_t pid = start(command, status, &failure);
  int64_t deadline = command->timeout_ms ? now_ms() + command->timeout_ms : 0, kill_at = 0;
  bool is_timed_out = false, has_ended = false, is_told = false, has_children = true;
  int main_status = 0;
  while (has_children) {
    // The timeout does not apply to background processes that outlive the command.
    int64_t next = kill_at ? kill_at : is_told ? 0 : deadline;
    int signal = next_signal(&signals, next);
    bool is_late = next != 0 && now_ms() >= next;
    if (kill_at && is_late) end_strangers(NULL);
    else if (!kill_at && (signal == SIGTERM || is_late)) {
      is_timed_out = signal != SIGTERM;
      signal_below(getpid(), SIGTERM, NULL);
      kill_at = now_ms() + GRACE_MS;
    }
    has_children = reap(pid, &main_status, &has_ended);
    if (!has_ended || is_told || (kill_at && has_children)) continue;
    bool has_failed = failure->kind == COMMAND_FAILED_TO_START;
    tell(status, has_failed ? *failure : (struct supervisor_word){COMMAND_ENDED, exit_code_of(main_status), 0, is_timed_out});
    is_told = true;
  }
  _exit(0);
}

pid_t start_supervisor(const struct command* command, int* status) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  // A signal that arrives before the supervisor waits stays pending.
  sigset_t signals = supervised_signals(), before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  struct command copy = *command;
  pid_t agent = getpid(), pid = fork();
  if (pid == 0) supervise(&copy, ends[1], agent);
  int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  else *status = ends[0];
  errno = error;
  return pid;
}
