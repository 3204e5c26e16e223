"""Checks of one task. Every task has the same copy of this file; check.py beside it has the task's own checks.

The programs of an agent run as the same user as the checks. So the checks take the expected data into memory and remove
/tests before they run such a program; no other process can read their memory; each program is ended with all that it
has started; and the reward is written last, when nothing else runs. Checks that fail to run to their end, or cannot end the
programs, end themselves by a signal: then no reward counts that lies there.
"""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# A program under test may put modules there.
sys.path[:] = [folder for folder in sys.path if folder != "/tests"]

REWARD = "/logs/verifier/reward.txt"
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
MOST_OUTPUT = 1 << 20


def _give_up(*_):
    os.kill(os.getpid(), signal.SIGKILL)


# An ordinary end with an error would leave a reward standing that a program has written.
sys.excepthook = _give_up


class Result:
    """Exit code and output of a program. `code` is None where it ran too long."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


class Grader:
    def __init__(self):
        self.failed = []
        self.names = []
        self.prctl = ctypes.CDLL(None).prctl
        self.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        # A program that leaves its parent becomes a child of this process, and can be found.
        self.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def check(self, name, passed):
        self.names.append(name)
        if not passed:
            self.failed.append(name)
        print(("passed  " if passed else "failed  ") + name, flush=True)
        return bool(passed)

    def text(self, path):
        """Content of a file of the agent's, of at most 1 MiB; None where there is no such file."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            with open(descriptor, "rb") as file:
                data = file.read(MOST_OUTPUT + 1)
        except OSError:
            return None
        return data.decode("utf-8", "replace") if len(data) <= MOST_OUTPUT else None

    def run(self, command, data="", seconds=10, folder="/app"):
        """Runs a program of the agent's in `folder`. Once a check has failed, no more programs are run."""
        if self.failed:
            return Result(None, "", "")
        self._hide_tests()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            given.write(data.encode())
            given.seek(0)
            try:
                child = subprocess.Popen(
                    command, cwd=folder, stdin=given, stdout=out, stderr=err, start_new_session=True,
                    env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nowhere"}, preexec_fn=_limit)
            except OSError as error:
                return Result(127, "", str(error))
            try:
                code = child.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
            self._end_all()
            return Result(code, _text(out), _text(err))

    def finish(self):
        self._end_all()
        passed = len(self.names) > 0 and not self.failed
        _remove(REWARD)
        _remove("/logs/verifier/reward.json")
        with open(REWARD, "w") as file:
            file.write("1\n" if passed else "0\n")

    def _hide_tests(self):
        for name in os.listdir("/tests") if os.path.isdir("/tests") else []:
            _remove(os.path.join("/tests", name))

    def _end_all(self):
        """Ends every process below this one, however often it forks."""
        until = time.monotonic() + 5
        while time.monotonic() < until:
            before = _last_process()
            below = _descendants(os.getpid())
            # A process that goes on in ever new ones may be missed by each look, but takes a new number for each.
            if not below and before == _last_process():
                return
            for pid in below:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            _reap()
        _give_up()


def _limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _text(file):
    file.seek(0)
    return file.read(MOST_OUTPUT).decode("utf-8", "replace")


def _remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)


def _reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] > 0:
            pass
    except ChildProcessError:
        pass


def _last_process():
    """Number of the newest process."""
    with open("/proc/loadavg") as file:
        return file.read().split()[-1]


def _has_threads(pid):
    """Whether a process whose first thread has ended goes on in others."""
    try:
        return len(os.listdir("/proc/%s/task" % pid)) > 1
    except OSError:
        return False


def _descendants(root):
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if fields[0] not in "ZX" or _has_threads(name):
                parents[int(name)] = int(fields[1])
    found = []
    for pid in parents:
        at = pid
        while at in parents and at != root:
            at = parents[at]
        if at == root and pid != root:
            found.append(pid)
    return found
