"""What a proxy under test is: a configuration, as printed by its page or as the distribution has it, and a process."""

import dataclasses
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import time
import typing

from backend import Broken, follow_parent, free_port
from client import Site

HOME = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = HOME / "docs" / "proxies.md"
CERTIFICATES = HOME / "Tests" / "Data" / "tls"


@dataclasses.dataclass(frozen=True)
class Setup:
    name: str
    """With what was added to the proxy as it comes behind a comma; the page knows that one by the part before."""
    program: str
    make: typing.Callable | None
    """Writes the configuration at a `Place`, and returns the command; none where nothing stands between."""
    servers: int = 1
    secured: bool = False
    forward: bool = False
    path: str = ""
    authority: str | None = None
    """Where in its folder it puts the certificate that clients trust, if that isn't the one of the tests."""

    @property
    def plain_name(self):
        return self.name.split(",")[0]

    @property
    def executable(self):
        return shutil.which(self.program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


SETUPS: list[Setup] = [Setup("nothing between", "true", None)]


def setup(name, program, **more):
    """Registers a function that writes a configuration as a setup."""

    def register(make):
        SETUPS.append(Setup(name, program, make, **more))
        return make

    return register


@dataclasses.dataclass
class Place:
    """A folder for a proxy's files, and its ports."""

    folder: str
    program: str
    port: int
    plain: int
    servers: list

    @property
    def server(self):
        return f"127.0.0.1:{self.servers[0]}"

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w") as file:
            file.write(text)
        return path

    def with_certificate(self):
        """The path of the tests' certificate, with its key in the same file."""
        return self.write("site.pem", "".join((CERTIFICATES / f"server.{end}").read_text() for end in ("pem", "key")))


class Running:
    """A proxy before its servers."""

    def __init__(self, setup, folder, servers):
        self.process = None
        if setup.make is None:
            self.site = Site(servers[0], is_servers_proxy=False)
            return
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o777)  # Some run as a user of their own where root starts them.
        for _ in range(5):
            place = Place(folder, setup.executable, free_port(), free_port(), servers)
            command = setup.make(place)
            with open(f"{folder}/output", "ab") as output:
                self.process = subprocess.Popen(
                    command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                    env={**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder},
                    preexec_fn=follow_parent)
            if self.listens(place.port):
                break
            self.kill()
        else:
            said = open(f"{folder}/output", errors="replace").read()
            raise Broken(f"{setup.program} does not start: {said[-600:]}")
        context = None
        if setup.secured:
            authority = f"{folder}/{setup.authority}" if setup.authority else str(CERTIFICATES / "ca.pem")
            self.wait(lambda: os.path.exists(authority), f"no {authority}")
            context = ssl.create_default_context(cafile=authority)
            # A proxy that makes its certificate itself has none in the first moments.
            self.wait(lambda: self.shakes_hands(place.port, context), "no handshake by TLS")
        self.site = Site(servers[0] if setup.forward else place.port, context, setup.path,
                         place.port if setup.forward else None, not setup.forward)

    def listens(self, port):
        end = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return True
            except OSError:
                time.sleep(0.02)
        return False

    @staticmethod
    def shakes_hands(port, context):
        try:
            with socket.create_connection(("localhost", port), 5) as plain:
                context.wrap_socket(plain, server_hostname="localhost").close()
            return True
        except OSError:
            return False

    @staticmethod
    def wait(condition, otherwise):
        end = time.monotonic() + 30
        while not condition():
            if time.monotonic() > end:
                raise Broken(otherwise)
            time.sleep(0.02)

    def kill(self):
        """Ends it in order, so that it leaves no process of its own behind."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()


def adapted(text, *changes):
    """A recipe with the addresses of a test. What is to be changed has to be there."""
    for old, new in changes:
        if old not in text:
            raise Broken(f"the recipe has no {old!r}")
        text = text.replace(old, new)
    return text


def recipe(name):
    """A file of docker/."""
    return (HOME / "docker" / name).read_text()


def printed(heading):
    """The only block of code below a heading of docs/proxies.md."""
    found = re.search(rf"^### {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE.read_text(), re.M | re.S)
    blocks = re.findall(r"^```\w*\n(.*?)^```$", found[1], re.M | re.S) if found else []
    if len(blocks) != 1:
        raise Broken(f"docs/proxies.md has {len(blocks)} blocks below {heading!r}")
    return blocks[0]


def documented():
    """What docs/proxies.md says of proxies as they come: the outcome of a case, by proxy and case."""
    table = re.search(r"^## As they come\n.*?^\|[-|]+\|\n((?:\|[^\n]*\n)*)", PAGE.read_text(), re.M | re.S)
    if not table:
        raise Broken("docs/proxies.md has no table of what comes out")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]
    return {(proxy, case): outcome for proxies, case, outcome, _ in rows for proxy in proxies.split(" · ")}
