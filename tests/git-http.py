"""A small HTTP server of git repositories for tests/share-remotes.sh: git http-backend behind it.

    git-http.py FOLDER LOG TOKEN    prints its port, serves until its standard input ends

FOLDER/public anybody may read, FOLDER/private who has the token, which both take to be written to:
as "Basic" with any user, in the way of GitHub. What lies below /silent/ is never answered. LOG gets
a line a request.
"""
import base64
import http.server
import os
import subprocess
import sys
import threading
import urllib.parse

folder, log_path, token = sys.argv[1:]
ended = threading.Event()


def authorised(value):
    kind, _, rest = value.partition(" ")
    if kind.lower() != "basic":
        return False
    try:
        return base64.b64decode(rest).decode().partition(":")[2] == token
    except ValueError:
        return False


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            parts.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def answer(self, status, headers, data):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self):
        url = urllib.parse.urlsplit(self.path)
        data = self.body()
        headers = self.headers.get_all("Authorization") or []
        known = len(headers) == 1 and authorised(headers[0])
        with open(log_path, "a", encoding="ascii") as log:
            log.write("%s %s %d %s\n" % (self.command, self.path, len(headers), known))
        if url.path.startswith("/silent/"):
            ended.wait()
            return
        writes = "git-receive-pack" in self.path
        if (writes or url.path.startswith("/private/")) and not known:
            self.answer(401, [("WWW-Authenticate", 'Basic realm="test"')], b"")
            return
        env = dict(os.environ, GIT_PROJECT_ROOT=folder, GIT_HTTP_EXPORT_ALL="1",
                   PATH_INFO=urllib.parse.unquote(url.path), QUERY_STRING=url.query,
                   REQUEST_METHOD=self.command, REMOTE_ADDR="127.0.0.1",
                   CONTENT_TYPE=self.headers.get("Content-Type", ""),
                   CONTENT_LENGTH=str(len(data)),
                   HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
                   GIT_PROTOCOL=self.headers.get("Git-Protocol", ""))
        if known:
            env["REMOTE_USER"] = "tester"
        out = subprocess.run(["git", "http-backend"], env=env, input=data, stdout=subprocess.PIPE,
                             check=False).stdout
        head, _, rest = out.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = [value for name, value in fields if name == "Status"] or ["200"]
        self.answer(int(status[0].split()[0]), [f for f in fields if f[0] != "Status"], rest)

    do_GET = do_POST = serve


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
ended.set()
