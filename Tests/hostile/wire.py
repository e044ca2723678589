"""Clients: well-behaved ones, and sockets to misbehave with."""

import http.client
import json
import socket
import ssl
import threading
import time
from os.path import abspath, dirname
from urllib.parse import quote

CERTIFICATES = f"{dirname(dirname(abspath(__file__)))}/Data/tls"


class Answer:
    def __init__(self, status, text, seconds):
        self.status = status
        self.text = text
        self.seconds = seconds

    def json(self):
        return json.loads(self.text)


class Client:
    """One connection, made anew where it broke; one request at a time."""

    def __init__(self, port, source="127.0.0.1", token=None, version="2.0.0", timeout=30, secured=False):
        self.trust = trust() if secured else None
        self.port, self.source, self.timeout = port, source, timeout
        self.fields = {"ZUMO-API-VERSION": version}
        if token:
            self.fields["X-ZUMO-AUTH"] = token
        self.connection = None

    def ask(self, method, target, value=None):
        """Status 0 stands for no answer. Bytes are JSON already."""
        start = time.monotonic()
        body = value if value is None or isinstance(value, bytes) else json.dumps(value)
        fields = dict(self.fields, **({"Content-Type": "application/json"} if body else {}))
        try:
            if self.connection is None:
                common = dict(timeout=self.timeout, source_address=(self.source, 0))
                self.connection = (
                    http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust, **common) if self.trust
                    else http.client.HTTPConnection("127.0.0.1", self.port, **common))
            self.connection.request(method, target, body, fields)
            response = self.connection.getresponse()
            text = response.read()
            if response.will_close:
                self.close()
            return Answer(response.status, text, time.monotonic() - start)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return Answer(0, str(error).encode(), time.monotonic() - start)

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def query(target, **options):
    """A target with query options, such as filter="…"."""
    return target + "?" + "&".join(f"${name}={quote(str(value))}" for name, value in options.items())


def followed(link, target):
    """The target that a link of v3 leads to; some links are the query alone."""
    if "://" in link:
        return "/" + link.split("/", 3)[3]
    return target.split("?")[0] + "?" + link.removeprefix("?")


def request(method, target, fields=(), body=b""):
    """The bytes of a request."""
    lines = [f"{method} {target} HTTP/1.1", "Host: x", *fields]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def connect(port, source="127.0.0.1", received=None, timeout=10):
    """A socket; `received` is the most that the system takes in for it before somebody reads."""
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if received:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received)
        connection.settimeout(timeout)
        connection.bind((source, 0))
        connection.connect(("127.0.0.1", port))
    except OSError:
        connection.close()
        raise
    return connection


def trust():
    """What clients that speak TLS trust."""
    return ssl.create_default_context(cafile=f"{CERTIFICATES}/ca.pem")


def hello():
    """The first bytes of a client that speaks TLS."""
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = trust().wrap_bio(received, sent, server_hostname="localhost")
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return sent.read()


def status(connection):
    """The status of the answer that comes, 0 where none does."""
    try:
        head = b""
        while b"\r\n" not in head:
            more = connection.recv(4096)
            if not more:
                return 0
            head += more
        return int(head.split(b" ", 2)[1])
    except (OSError, ValueError, IndexError):
        return 0


def is_open(connection):
    """Whether the server neither answers nor closes it."""
    connection.setblocking(False)
    try:
        connection.recv(1, socket.MSG_PEEK)
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False


class Crowd:
    """Sockets that are closed together, whatever happens."""

    def __init__(self):
        self.members = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.members:
            connection.close()

    def add(self, count, port, sources, first=b"", received=None, context=None):
        """Opens connections, each with its first bytes, and leaves out those that are refused.
        A number instead of bytes for each: `first` may be a function of it. With a context of `trust` by TLS."""
        opened = 0
        for number in range(count):
            try:
                connection = connect(port, sources[number % len(sources)], received, timeout=5)
                if context:
                    connection = context.wrap_socket(connection, server_hostname="localhost")
                self.members.append(connection)
                connection.sendall(first(number) if callable(first) else first)
                opened += 1
            except OSError:
                continue
        return opened


def addresses(network, count):
    """Loopback addresses, each another client to the server."""
    return [f"127.{network}.{number // 250}.{1 + number % 250}" for number in range(count)]


def together(count, work):
    """Runs `work(number)` so many times at once, and returns what they returned."""
    results = [None] * count

    def one(number):
        results[number] = work(number)

    threads = [threading.Thread(target=one, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
