"""The server under test, on either store, and another client of its tables."""

import ctypes
import decimal
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.parse

HOME = pathlib.Path(__file__).resolve().parent.parent.parent
KEY = "a key of thirty-two letters, or so"
TABLES = {
    "TodoItem": """
softDelete: true
columns: { text: string, complete: boolean, count: integer, weight: number, price: decimal, due: date }
indexes: [ complete ]
""",
    "Plain": """
columns: { text: string }
""",
}
names = 0


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status, self.body = status, body


def program():
    named = os.environ.get("ZUMOD_BINARY")
    for path in [named] if named else [HOME / ".build/debug/zumod", HOME / ".build/release/zumod"]:
        if os.path.exists(path):
            return str(path)
    raise SystemExit("there is no zumod: build it, or name it by ZUMOD_BINARY")


def follow_parent():
    """Runs in a child: it ends with this program, whatever ends that."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Server:
    """A `zumod serve` with a database of its own; `settings` is its zumod.yaml, `seeds` the first rows by table, `apis`
    the scripts of APIs."""

    def __init__(self, settings="", tables=None, seeds=None, key=KEY, log_level="info", apis=None):
        global names
        names += 1
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="zumod-page."))
        (self.folder / "config" / "tables").mkdir(parents=True)
        (self.folder / "config" / "zumod.yaml").write_text(settings)
        for name, text in (TABLES if tables is None else tables).items():
            (self.folder / "config" / "tables" / f"{name}.yaml").write_text(text)
        for name, rows in (seeds or {}).items():
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (self.folder / "config" / "tables" / f"{name}.jsonl").write_text(lines)
        for name, text in (apis or {}).items():
            (self.folder / "config" / "api").mkdir(exist_ok=True)
            (self.folder / "config" / "api" / f"{name}.js").write_text(text)
        self.schema = None
        url = os.environ.get("ZUMOD_BROWSER_POSTGRES_URL")
        if url:
            # A schema of its own, which is as good as a database and made at once.
            self.schema = f"page_{os.getpid()}_{names}"
            self.psql(f"CREATE SCHEMA {self.schema}")
            database = f"{url}?options=-csearch_path%3D{self.schema}"
        else:
            database = f"sqlite:{self.folder}/rows.sqlite3"
        self.arguments = ["--database", database, "--log-level", log_level]
        self.key = key
        self.start(port=0)

    def start(self, port):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ZUMOD_")}
        if self.key:
            environment["ZUMOD_AUTH_MASTER_KEY"] = self.key
        self.log = self.folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [program(), "serve", "--config", self.folder / "config", "--port", str(port), *self.arguments],
                cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                preexec_fn=follow_parent)
        late = threading.Timer(60, self.process.kill)
        late.start()
        line = self.process.stdout.readline().decode()
        late.cancel()
        if "listening" not in line:
            said = self.log.read_text()
            self.end()
            raise SystemExit(f"zumod does not start: {said}")
        self.origin = line.split()[-1]

    def crash(self):
        """As a machine that loses its power."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def start_again(self):
        """The same server, at the same address."""
        self.start(urllib.parse.urlsplit(self.origin).port)

    @staticmethod
    def psql(statement):
        subprocess.run(["psql", "--quiet", os.environ["ZUMOD_BROWSER_POSTGRES_URL"], "--command", statement],
                       check=True, stderr=subprocess.DEVNULL)

    def end(self):
        # One that was asked to stop would wait for the browser's open connections.
        self.crash()
        if self.schema:
            self.psql(f"DROP SCHEMA {self.schema} CASCADE")
        shutil.rmtree(self.folder, ignore_errors=True)


class Client:
    """Another writer: an app that speaks the v2 table API."""

    def __init__(self, server, installation=None, user_agent=None):
        parts = urllib.parse.urlsplit(server.origin)
        self.address = (parts.hostname, parts.port)
        self.fields = {"ZUMO-API-VERSION": "2.0.0", "Content-Type": "application/json"}
        if installation:
            self.fields["X-ZUMO-INSTALLATION-ID"] = installation
        if user_agent:
            self.fields["X-ZUMO-VERSION"] = user_agent

    def send(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        try:
            text = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, text, {**self.fields, **fields})
            answer = connection.getresponse()
            received = answer.read()
            try:
                value = json.loads(received, parse_float=decimal.Decimal) if received else None
            except ValueError:
                value = received
            if answer.status >= 400:
                raise Refused(answer.status, value)
            return value
        finally:
            connection.close()

    def insert(self, table, **row):
        return self.send("POST", f"/tables/{table}", row)

    def insert_all(self, table, rows):
        """Many rows, over one connection."""
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        try:
            for row in rows:
                connection.request("POST", f"/tables/{table}", json.dumps(row).encode(), self.fields)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status >= 400:
                    raise Refused(answer.status, text)
        finally:
            connection.close()

    def row(self, table, identity, deleted=False):
        path = f"/tables/{table}/{urllib.parse.quote(identity, safe='')}"
        return self.send("GET", path + ("?__includeDeleted=true" if deleted else ""))

    def update(self, table, identity, version=None, **changes):
        fields = {} if version is None else {"If-Match": f'"{version}"'}
        return self.send("PATCH", f"/tables/{table}/{urllib.parse.quote(identity, safe='')}", changes, **fields)

    def delete(self, table, identity):
        return self.send("DELETE", f"/tables/{table}/{urllib.parse.quote(identity, safe='')}")

    def rows(self, table, query=""):
        return self.send("GET", f"/tables/{table}{query}")
