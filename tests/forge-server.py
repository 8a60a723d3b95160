"""A forge on 127.0.0.1, as far as `perfgate comment` needs one: forge-server.py FOLDER [CERTIFICATE]

FOLDER/state.json is what it holds, FOLDER/rules.json what it does instead, FOLDER/requests gets one
line of JSON a request and FOLDER/calls its method and path; the port is in FOLDER/port.
A rule: {"on": REGEX of "METHOD PATH", "times": N, "status": N, "headers": {}, "body": TEXT, "act": ACT}
"""
import http.server
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse

folder = sys.argv[1]
lock = threading.Lock()


def path_of(name):
    return os.path.join(folder, name)


def load(name, default):
    try:
        with open(path_of(name)) as f:
            return json.load(f)
    except FileNotFoundError:
        return default


def save(name, value):
    with open(path_of(name) + ".new", "w") as f:
        json.dump(value, f)
    os.rename(path_of(name) + ".new", path_of(name))


class NotThere(Exception):
    pass


class Forge:
    def __init__(self, state, method, path, query, body):
        self.state, self.method, self.path, self.query = state, method, path, query
        self.body = body
        self.headers = {}

    def page(self, items, link_base):
        size = min(self.state.get("per_page", 100), int(self.query.get("per_page", ["100"])[0]))
        n = int(self.query.get("page", ["1"])[0])
        if n * size < len(items):
            query = {k: v[0] for k, v in self.query.items()}
            query["page"] = str(n + 1)
            url = link_base + self.path + "?" + urllib.parse.urlencode(query)
            self.add_next(url, n + 1)
        return 200, items[(n - 1) * size:n * size]

    def holding(self, sha):
        if self.state.get("fork"):
            raise NotThere()
        return [p for p in self.state["pulls"] if sha == p["sha"] or sha in p.get("older", [])]

    def pull(self, number):
        for p in self.state["pulls"]:
            if p["number"] == number:
                return p
        raise NotThere()

    def note(self, number):
        for c in self.state["comments"]:
            if c["id"] == number:
                return c
        raise NotThere()

    def create(self):
        ids = [c["id"] for c in self.state["comments"]]
        note = {"id": max(ids, default=0) + 1, "body": self.body["body"], "login": self.me(), "bot": True}
        self.state["comments"].append(note)
        return note

    def me(self):
        return self.state.get("login") or "github-actions[bot]"

    def user(self, key):
        if self.state.get("login"):
            return 200, {key: self.state["login"]}
        return 403, {"message": "Resource not accessible by integration"}


class GitHub(Forge):
    def add_next(self, url, n):
        self.headers["Link"] = '<%s>; rel="next", <%s>; rel="last"' % (url, url)

    def show(self, p):
        return {"number": p["number"], "state": p.get("state", "open"), "head": {"sha": p["sha"]}}

    def show_note(self, c):
        return {"id": c["id"], "body": c["body"],
                "user": {"login": c["login"], "type": "Bot" if c.get("bot") else "User"}}

    def answer(self, base):
        if self.path == "/user":
            return self.user("login")
        m = re.fullmatch(r"/repos/o/r(/.*)", self.path)
        if not m:
            raise NotThere()
        what = m.group(1)
        if m := re.fullmatch(r"/commits/(\w+)/pulls", what):
            return 200, [self.show(p) for p in self.holding(m.group(1))]
        if what == "/pulls":
            return self.page([self.show(p) for p in self.state["pulls"] if p.get("state", "open") == "open"], base)
        if m := re.fullmatch(r"/pulls/(\d+)", what):
            return 200, self.show(self.pull(int(m.group(1))))
        if m := re.fullmatch(r"/issues/(\d+)/comments", what):
            self.pull(int(m.group(1)))
            if self.method == "POST":
                return 201, self.show_note(self.create())
            return self.page([self.show_note(c) for c in self.state["comments"]], base)
        if m := re.fullmatch(r"/issues/comments/(\d+)", what):
            assert self.method == "PATCH"
            note = self.note(int(m.group(1)))
            note["body"] = self.body["body"]
            return 200, self.show_note(note)
        if m := re.fullmatch(r"/statuses/(\w+)", what):
            self.state.setdefault("statuses", []).append(dict(self.body, sha=m.group(1)))
            return 201, {}
        raise NotThere()


class GitLab(Forge):
    def add_next(self, url, n):
        self.headers["X-Next-Page"] = str(n)

    def show(self, p):
        return {"iid": p["number"], "id": 1000 + p["number"], "state": p.get("state", "opened"), "sha": p["sha"]}

    def show_note(self, c):
        return {"id": c["id"], "body": c["body"], "author": {"username": c["login"]}}

    def answer(self, base):
        if self.path == "/api/v4/user":
            return self.user("username")
        m = re.fullmatch(r"/api/v4/projects/(?:7|g%2Fs%2Fp)(/.*)", self.path)
        if not m:
            raise NotThere()
        what = m.group(1)
        if m := re.fullmatch(r"/repository/commits/(\w+)/merge_requests", what):
            return 200, [self.show(p) for p in self.holding(m.group(1))]
        if what == "/merge_requests":
            return self.page([self.show(p) for p in self.state["pulls"] if p.get("state", "opened") == "opened"], base)
        if m := re.fullmatch(r"/merge_requests/(\d+)", what):
            return 200, self.show(self.pull(int(m.group(1))))
        if m := re.fullmatch(r"/merge_requests/(\d+)/notes", what):
            self.pull(int(m.group(1)))
            if self.method == "POST":
                return 201, self.show_note(self.create())
            return self.page([self.show_note(c) for c in self.state["comments"]], base)
        if m := re.fullmatch(r"/merge_requests/\d+/notes/(\d+)", what):
            assert self.method == "PUT"
            note = self.note(int(m.group(1)))
            note["body"] = self.body["body"]
            return 200, self.show_note(note)
        if m := re.fullmatch(r"/statuses/(\w+)", what):
            self.state.setdefault("statuses", []).append(dict(self.body, sha=m.group(1)))
            return 201, {}
        raise NotThere()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def write_log(self, body):
        with open(path_of("requests"), "a") as f:
            line = {"method": self.command, "path": self.path, "headers": dict(self.headers), "body": body}
            f.write(json.dumps(line) + "\n")
        with open(path_of("calls"), "a") as f:
            f.write("%s %s\n" % (self.command, self.path))

    def rule(self):
        rules = load("rules.json", [])
        for r in rules:
            if re.search(r["on"], "%s %s" % (self.command, self.path)) and r.get("times", 1) > 0:
                r["times"] = r.get("times", 1) - 1
                save("rules.json", rules)
                return r
        return None

    def base(self):
        return "http%s://127.0.0.1:%d" % ("s" if len(sys.argv) > 2 else "", self.server.server_port)

    def default(self, body):
        parts = urllib.parse.urlsplit(self.path)
        state = load("state.json", {"pulls": [], "comments": []})
        kind = GitLab if parts.path.startswith("/api/v4/") else GitHub
        forge = kind(state, self.command, parts.path, urllib.parse.parse_qs(parts.query),
                     json.loads(body) if body else None)
        try:
            status, answer = forge.answer(self.base())
            save("state.json", state)
        except NotThere:
            status, answer = 404, {"message": "Not Found"}
        return status, forge.headers, json.dumps(answer)

    def send_answer(self, status, headers, text):
        data = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def misbehave(self, act, status, text):
        self.close_connection = True
        if act == "hang":
            time.sleep(600)
        elif act == "cut":
            self.send_response(status)
            self.send_header("Content-Length", str(len(text) + 1000))
            self.end_headers()
            self.wfile.write(text.encode())
        elif act == "chunk":
            self.send_response(status)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"1000\r\n" + text.encode()[:10])
        elif act == "huge":
            self.send_response(status)
            self.send_header("Content-Length", str(1 << 30))
            self.end_headers()
            try:
                for _ in range(1 << 14):
                    self.wfile.write(b" " * (1 << 16))
            except OSError:
                pass
        elif act == "echo":
            said = {"message": "I know " + str(self.headers.get("Authorization"))}
            self.send_answer(status, {"Link": str(self.headers.get("Authorization"))}, json.dumps(said))
        self.wfile.flush()

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        with lock:
            self.write_log(body)
            rule = self.rule()
            status, headers, text = (None, {}, "")
            if rule is None or rule.get("carried-out"):
                status, headers, text = self.default(body)
        if rule is None:
            self.send_answer(status, headers, text)
            return
        status = rule.get("status", status or 200)
        text = rule.get("body", text)
        if "act" in rule:
            self.misbehave(rule["act"], status, text)
        else:
            self.send_answer(status, dict(headers, **rule.get("headers", {})), text)

    do_GET = do_POST = do_PATCH = do_PUT = handle_one


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(path_of("port.new"), "w") as f:
    f.write(str(server.server_port))
os.rename(path_of("port.new"), path_of("port"))
server.serve_forever()
