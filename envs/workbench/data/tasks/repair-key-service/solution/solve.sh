#!/bin/bash
set -e
cd /app
cat > service.py <<'END'
import http.server
import json
import sqlite3
import sys
import threading
import urllib.parse

MOST = 1 << 20
base = sqlite3.connect(sys.argv[2], check_same_thread=False, isolation_level=None)
base.execute("create table if not exists entries(key text primary key, value blob)")
lock = threading.Lock()


def get(key):
    row = base.execute("select value from entries where key = ?", (key,)).fetchone()
    return row and row[0]


class Handler(http.server.BaseHTTPRequestHandler):
    def key(self):
        if self.path == "/keys/":
            return self.answer(400)
        if not self.path.startswith("/keys/"):
            return self.answer(404)
        return urllib.parse.unquote(self.path[6:])

    def do_GET(self):
        with lock:
            if self.path == "/keys":
                names = [name for (name,) in base.execute("select key from entries")]
                return self.answer(200, json.dumps(sorted(names)).encode())
            key = self.key()
            if key is None:
                return
            value = get(key)
            self.answer(404) if value is None else self.answer(200, value)

    def do_PUT(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(min(length, 4 * MOST))
        key = self.key()
        if key is None:
            return
        if length > MOST:
            return self.answer(413)
        with lock:
            is_new = get(key) is None
            base.execute("insert or replace into entries values (?, ?)", (key, body))
        self.answer(201 if is_new else 204)

    def do_DELETE(self):
        key = self.key()
        if key is None:
            return
        with lock:
            count = base.execute("delete from entries where key = ?", (key,)).rowcount
        self.answer(204 if count else 404)

    def answer(self, status, body=b""):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
END
