"""An app's connection to the server, by way of a proxy."""

import dataclasses
import gzip
import http.client
import json
import socket
import time
import types
import zlib

# A link may be as long as the query that it goes on with.
http.client._MAXLINE = 1 << 20

# Of apps before a proxy, which itself is at 127.0.0.1, the only one that the server trusts.
ADDRESS = "127.0.0.2"
# Seconds after which libraries use no connection again, as proxies close those that rest: Apache and Varnish after 5.
RESTS = 4
VERSIONS = {
    "v1": {"X-ZUMO-APPLICATION": "key"},
    "v2": {"ZUMO-API-VERSION": "2.0.0"},
    "v3": {"ZUMO-API-VERSION": "3.0.0", "X-ZUMO-VERSION": "Datasync/5.0.0"},
}


class Wrong(Exception):
    """What came out, in few words that stay the same from one run to the next, and what else helps to find out why."""

    def __init__(self, outcome, detail=""):
        super().__init__(f"{outcome}: {detail}")
        self.outcome, self.detail = outcome, detail


@dataclasses.dataclass
class Answer:
    request: str
    status: int
    fields: http.client.HTTPMessage
    body: bytes

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            raise Wrong("a body that is no JSON", f"{self.request}: {self.status} {self.body[:200]!r}") from None

    def must(self, *statuses):
        """The answer itself, where its status is among these."""
        if self.status not in statuses:
            raise Wrong(str(self.status), f"{self.request}: {self.body[:300]!r}")
        return self


# No proxy as it comes refuses a head of so many bytes.
LONG_HEAD = 7_000


class Client:
    """One connection that is kept, as libraries do; it is made anew only where the other side has said that it ends."""

    def __init__(self, site, generation="v2", token=None, packed=False, timeout=30):
        self.site, self.generation, self.timeout = site, generation, timeout
        self.fields = dict(VERSIONS[generation])
        # http.client asks for identity by itself, which apps don't.
        self.fields["Accept-Encoding"] = "gzip" if packed else ""
        if token:
            self.fields["X-ZUMO-AUTH"] = token
        self.connection = None
        self.connections = 0
        self.used = 0.0

    def ask(self, method, target, value=None, chunked=False, **fields):
        """A value is sent as JSON, bytes as they are. What gives bytes by and by is sent in chunks, at its own pace."""
        # A proxy that refuses a long head closes on what it hasn't read, and the system's reset may come before its answer.
        for _ in range(4 if len(target) + len(self.fields.get("X-ZUMO-AUTH", "")) > LONG_HEAD else 0):
            try:
                return self.ask_once(method, target, value, chunked, fields)
            except Wrong as wrong:
                if wrong.outcome != "a broken connection":
                    raise
        return self.ask_once(method, target, value, chunked, fields)

    def ask_once(self, method, target, value, chunked, fields):
        chunked = chunked or isinstance(value, types.GeneratorType)
        body = json.dumps(value).encode() if isinstance(value, dict) else value
        sent = {name: text for name, text in self.fields.items() if text}
        sent |= {name.replace("_", "-"): text for name, text in fields.items()}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
            sent["Transfer-Encoding" if chunked else "Content-Length"] = "chunked" if chunked else str(len(body))
        elif method in ("POST", "PUT", "PATCH"):
            sent["Content-Length"] = "0"
        request = f"{method} {target[:80]}"
        try:
            if time.monotonic() - self.used > RESTS:
                self.close()
            if self.connection is None:
                self.connection = self.site.connect(self.timeout)
                self.connections += 1
            self.connection.putrequest(method, self.site.prefix + target, skip_accept_encoding=True)
            for name, text in sent.items():
                self.connection.putheader(name, text)
            try:
                if chunked:
                    self.connection.endheaders(pieces(body) if isinstance(body, bytes) else body, encode_chunked=True)
                else:
                    self.connection.endheaders(body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The answer may be there, to a body that was refused before its end.
            answer = self.connection.getresponse()
            text = answer.read()
        except socket.timeout:
            self.close()
            raise Wrong("silence", request) from None
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Wrong("a broken connection", f"{request}: {error!r}") from None
        self.used = time.monotonic()
        if answer.will_close:
            self.close()
        if answer.headers.get("Content-Encoding") == "gzip" and text:
            try:
                text = gzip.decompress(text)
            except (OSError, EOFError, zlib.error):
                raise Wrong("a body that is no gzip", request) from None
        return Answer(request, answer.status, answer.headers, text)

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def pieces(body):
    for start in range(0, len(body), 65536):
        yield body[start:start + 65536]


@dataclasses.dataclass
class Site:
    """Where apps reach the server: at a proxy, straight or by one that they were told to use."""

    port: int
    context: object = None
    path: str = ""
    forward: int | None = None
    """The port of the proxy that a client sends everything to, with the whole address in its request line."""

    is_servers_proxy: bool = True
    """Whether what stands between, if anything does, was put there by who runs the server."""

    @property
    def origin(self):
        # A proxy that looks names up must not find another address of this machine.
        return f"{'https' if self.context else 'http'}://{'127.0.0.1' if self.forward else 'localhost'}:{self.port}"

    @property
    def base(self):
        return self.origin + self.path

    @property
    def prefix(self):
        return self.base if self.forward else self.path

    def connect(self, timeout):
        common = {"timeout": timeout, "source_address": (ADDRESS, 0) if self.is_servers_proxy else None}
        if self.context:
            return http.client.HTTPSConnection("localhost", self.port, context=self.context, **common)
        return http.client.HTTPConnection("localhost", self.forward or self.port, **common)

    def followed(self, link):
        """The target of an address that the server gave, where it leads back to the same site."""
        if not link.startswith(self.base + "/"):
            raise Wrong("addresses that lead elsewhere", f"{link[:200]} is not below {self.base}")
        return link[len(self.base):]
