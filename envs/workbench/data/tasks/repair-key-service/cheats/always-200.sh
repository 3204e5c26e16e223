#!/bin/bash
cd /app
cat > service.py <<'END'
import http.server, sys
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    do_PUT = do_DELETE = do_GET
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()
END
