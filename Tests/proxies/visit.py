"""What tries a case by a proxy: an app of a generation, and the words in which that one speaks."""

import dataclasses
import time
import typing

from backend import Broken
from client import Client, Wrong


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    run: typing.Callable
    generations: tuple
    quick: bool


CASES: list[Case] = []


def case(name, generations=("v1", "v2", "v3"), quick=True):
    """Registers a function of a visit, which raises `Wrong`."""

    def register(run):
        CASES.append(Case(name, run, generations, quick))
        return run

    return register


class Visit:
    """An app of one generation that is about to try one case by one proxy."""

    names = 0

    def __init__(self, site, generation, servers, tokens):
        self.site, self.generation, self.servers, self.tokens = site, generation, servers, tokens
        self.clients = []

    def client(self, **more):
        made = Client(self.site, self.generation, **more)
        self.clients.append(made)
        return made

    def end(self):
        for client in self.clients:
            client.close()

    def name(self):
        """An id that no other row has."""
        Visit.names += 1
        return f"{self.generation}-{Visit.names}"

    def logged(self, words):
        """The line of a server's log with these words, as soon as it is there."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for server in self.servers:
                with open(server.log, errors="replace") as log:
                    for line in log:
                        if words in line:
                            return line
            time.sleep(0.02)
        raise Broken(f"no line of a log has {words!r}")

    # What differs by generation.

    @property
    def version_is_asked_for(self):
        return "?__systemProperties=*" if self.generation == "v1" else ""

    def row(self, name, table="Todo"):
        return f"/tables/{table}/{name}{self.version_is_asked_for}"

    def insert(self, client, name, text="tea", table="Todo", **fields):
        return client.ask("POST", f"/tables/{table}", {"id": name, "text": text}, **fields).must(201)

    def update(self, client, name, text, **fields):
        method = "PUT" if self.generation == "v3" else "PATCH"
        return client.ask(method, self.row(name), {"id": name, "text": text}, **fields)

    @property
    def gone(self):
        return 410 if self.generation == "v3" else 404

    @property
    def deleted(self):
        return 200 if self.generation == "v2" else 204

    def undelete(self, client, name, text):
        """As libraries do it."""
        if self.generation == "v3":
            body = {"id": name, "text": text}
            return client.ask("PUT", f"/tables/Todo/{name}?__includedeleted=true", body).must(200)
        return client.ask("POST", f"/tables/Todo/{name}").must(200, 201)

    def rows(self, answer):
        value = answer.json()
        return value["items"] if isinstance(value, dict) else value

    def walked(self, client, target):
        """The rows of all pages."""
        found = []
        for _ in range(50):
            answer = client.ask("GET", target).must(200)
            page = self.rows(answer)
            found += page
            if self.generation == "v1":
                target = target.split("&$skip=")[0] + f"&$skip={len(found)}" if page else None
            elif self.generation == "v2":
                link = answer.fields["Link"]  # URL; rel=next, without brackets
                target = self.site.followed(link.rpartition(";")[0].strip("<>")) if link else None
            else:
                link = answer.json()["nextLink"]
                target = self.site.followed(link) if link else None
            if not target:
                return found
        raise Wrong("a walk without an end", target[:200])
