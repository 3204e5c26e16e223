import sys

sys.path.insert(0, "/tests")
from grader import Grader
import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time


class Service:
    def __init__(self, file):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = ["python3", "service.py", str(self.port), file]
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere"}
        nothing = subprocess.DEVNULL
        self.child = subprocess.Popen(command, cwd="/app", env=environment, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
        until = time.monotonic() + 8
        while time.monotonic() < until and self.child.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)

    def ask(self, method, path, body=None):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request(method, path, body)
            answer = connection.getresponse()
            data = answer.read(4 << 20)
            connection.close()
            return answer.status, data
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error).encode()

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()


def keys(service):
    status, data = service.ask("GET", "/keys")
    try:
        return json.loads(data) if status == 200 else None
    except ValueError:
        return None


def answers(service, steps):
    for method, path, body, status, data in steps:
        received = service.ask(method, path, body)
        if received[0] != status or (data is not None and received[1] != data):
            print("%s %s gave %d" % (method, path, received[0]))
            return False
    return True


def at_once(service):
    done = []
    def work(number):
        done.extend(service.ask("PUT", "/keys/t%d-%d" % (number, each), b"v")[0] for each in range(15))
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done == [201] * 120


ALL = bytes(range(256))
FIRST = [
    ("GET", "/keys/none", None, 404, None),
    ("PUT", "/keys/a", b"one", 201, None),
    ("PUT", "/keys/a", ALL, 204, None),
    ("GET", "/keys/a", None, 200, ALL),
    ("PUT", "/keys/a%2Fb%20c", b"", 201, None),
    ("GET", "/keys/a%2Fb%20c", None, 200, b""),
    ("PUT", "/keys/%C3%A4", b"x" * (1 << 20), 201, None),
    ("PUT", "/keys/big", b"x" * ((1 << 20) + 1), 413, None),
    ("GET", "/keys/big", None, 404, None),
    ("PUT", "/keys/", b"x", 400, None),
    ("GET", "/other", None, 404, None),
    ("PUT", "/keys/gone", b"x", 201, None),
    ("DELETE", "/keys/gone", None, 204, None),
    ("DELETE", "/keys/gone", None, 404, None),
]

grader = Grader()
grader._hide_tests()
with tempfile.TemporaryDirectory() as folder:
    service = Service(folder + "/values")
    grader.check("requests one after another", answers(service, FIRST))
    grader.check("the list of keys", keys(service) == ["a", "a/b c", "\u00e4"])
    if not grader.failed:
        grader.check("requests at the same time", at_once(service))
        service.kill()
        service = Service(folder + "/values")
        wanted = sorted(["a", "a/b c", "\u00e4"] + ["t%d-%d" % (one, two) for one in range(8) for two in range(15)])
        grader.check("all keys after a kill", keys(service) == wanted)
        grader.check("a value after a kill", service.ask("GET", "/keys/a") == (200, ALL))
        service.kill()
grader.finish()
