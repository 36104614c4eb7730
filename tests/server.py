"""A server of one file, as awkward as a test wants it."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serve(content, *, ranges=True, stop_after=None):
    """Serve `content` at any path; the server's `asked` lists the Range headers it got.

    With `stop_after` the first answer breaks off after so many bytes.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked = self.headers.get("Range")
            server.asked.append(asked)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and ranges else 0
            if start >= len(content) > 0:
                self.send_error(416)
                return
            self.send_response(206 if asked and ranges else 200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            breaks_off = stop_after is not None and len(server.asked) == 1
            self.wfile.write(content[start : start + stop_after if breaks_off else None])

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked = []
    server.url = f"http://127.0.0.1:{server.server_port}/file"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
