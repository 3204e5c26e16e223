import http.server
import json
import sys

values = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/keys":
            return self.answer(200, json.dumps(list(values)).encode())
        key = self.path[6:]
        self.answer(200, values[key].encode())

    def do_PUT(self):
        key = self.path[6:]
        values[key] = self.rfile.read(int(self.headers["content-length"])).decode()
        self.answer(200, b"")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
