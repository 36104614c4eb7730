"""A server of one file that may close the connection early."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serve(content, *, stop_after=None):
    """Serve `content` at any path; the connection ends after `stop_after` bytes.

    The server counts requests in `asked`.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked += 1
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[:stop_after])

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked = 0
    server.url = f"http://127.0.0.1:{server.server_port}/file"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
