"""A zumod at work on a database of its own, and what a process takes of the machine."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time
import urllib.parse

HERTZ = os.sysconf("SC_CLK_TCK")
PULL = ("/tables/Item?$filter=(updatedAt%20ge%20datetimeoffset'2020-01-01T00:00:00.000Z')&$orderby=updatedAt"
        "&$top=50&$skip=0&__includeDeleted=true")
LIST = ("/tables/Item?$filter=(complete%20eq%20false)%20and%20(number%20ge%20100)&$orderby=number%20desc&$top=50")
ORDERED = "/tables/Item?$orderby=rank&$top=50"


def row_id(index):
    return f"row-{index:07d}"


def row(index, rows, columns):
    """A row of so many columns, three of which every request knows; `rank` is the fourth, and indexed."""
    value = {"id": row_id(index), "text": f"Item number {index} of many", "number": index % 500, "complete": index % 3 == 0,
             "rank": index * 7919 % rows}
    value.update({f"c{number:03d}": f"value {index + number}" for number in range(3, columns)})
    return value


def write_configuration(folder, columns):
    tables = folder / "config" / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    more = "".join(f", c{number:03d}: string" for number in range(3, columns))
    (tables / "Item.yaml").write_text(
        f"columns: {{ text: string, number: integer, complete: boolean, rank: integer{more} }}\n"
        "softDelete: true\nindexes: [ rank ]\n")
    (folder / "config" / "zumod.yaml").write_text("")
    return folder / "config"


def cpu_seconds(process):
    """What a process and its children have taken, those that have ended included."""
    def ticks(process, fields):
        try:
            words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0
        return sum(int(word) for word in words[11:11 + fields])
    try:
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        children = []
    return (ticks(process, 4) + sum(ticks(child, 2) for child in children)) / HERTZ


def resident_megabytes(process):
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1000


class Postgres:
    """The server that scripts/test-postgres has started; a database of its own for everyone who asks."""

    def __init__(self, url):
        self.url = url
        self.process = int(self.ask("SELECT pg_read_file('postmaster.pid')").split()[0])
        self.made = 0

    def ask(self, statement, url=None):
        return subprocess.run(["psql", "-XAtq", url or self.url, "-c", statement], check=True, capture_output=True,
                              text=True).stdout.strip()

    def write_durably(self):
        """Tests may lose what they wrote; a measured write is on disk when it is answered."""
        for setting in ("fsync", "full_page_writes"):
            self.ask(f"ALTER SYSTEM SET {setting} = on")
        self.ask("SELECT pg_reload_conf()")

    def database(self):
        self.made += 1
        name = f"measure_{os.getpid()}_{self.made}"
        self.ask(f"CREATE DATABASE {name}")
        return urllib.parse.urlunsplit(urllib.parse.urlsplit(self.url)._replace(path="/" + name))

    def drop(self, url):
        self.ask(f"DROP DATABASE {urllib.parse.urlsplit(url).path[1:]} WITH (FORCE)")


def clean_environment():
    """Of the environment what is no setting of zumod: it refuses those names that it doesn't know."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ZUMOD_")}


class Server:
    """A zumod that serves; `before` are words to run it under."""

    def __init__(self, program, folder, database, before=(), environment=(), more=()):
        self.log = folder / "log"
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [*before, program, "serve", "--config", folder / "config", "--database", database, "--port", "0",
                 *more], stdout=subprocess.PIPE, stderr=log, env={**clean_environment(), **dict(environment)})
        line = self.process.stdout.readline().decode()
        if not line:
            raise SystemExit(f"error: zumod did not start: {self.log.read_text()[-2000:]}")
        self.port = int(line.rsplit(":", 1)[1])
        self.pid = self.process.pid

    def forget_log(self):
        """A line for each request fills a disk in the end."""
        os.truncate(self.log, 0)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Client:
    """One connection, one request at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))

    def ask(self, method, path, body=None, fields=()):
        self.send(method, path, body, fields)
        return self.take()

    def send(self, method, path, body=None, fields=()):
        self.asked = f"{method} {path}"
        content = json.dumps(body).encode() if body is not None else b""
        all = {"Host": "localhost", "ZUMO-API-VERSION": "2.0.0", **dict(fields)}
        if content:
            all.setdefault("Content-Type", "application/json")
            all["Content-Length"] = len(content)
        head = "".join(f"{name}: {value}\r\n" for name, value in all.items())
        self.socket.sendall(f"{self.asked} HTTP/1.1\r\n{head}\r\n".encode() + content)

    def take(self):
        """The body of the next answer and its entity tag; its head is in `head`."""
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.receive()
        self.head, _, rest = answer.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", self.head)[1])
        while len(rest) < length:
            rest += self.receive()
        if self.head[9:10] != b"2":
            raise SystemExit(f"error: {self.asked} was answered {answer[:500]!r}")
        etag = re.search(rb"(?im)^etag: (.*?)\r?$", self.head)
        return rest, etag and etag[1].decode()

    def receive(self):
        received = self.socket.recv(65536)
        if not received:
            raise SystemExit("error: the server closed the connection")
        return received


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise SystemExit(f"error: there is no {program}; see scripts/install-packages")


def rest(process, seconds=30):
    """Waits until a process has nothing left to do."""
    end = time.monotonic() + seconds
    before = cpu_seconds(process)
    while time.monotonic() < end:
        time.sleep(0.1)
        now = cpu_seconds(process)
        if now - before <= 0.01:
            return
        before = now
