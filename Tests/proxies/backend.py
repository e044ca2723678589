"""The servers behind a proxy, and tokens for them."""

import base64
import ctypes
import hashlib
import hmac
import json
import os
import signal
import socket
import subprocess
import threading
from urllib.parse import urlsplit

KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
SETTINGS = f"""
auth:
  signingKey: {KEY}
  providers:
    local:
trustedProxies: [ 127.0.0.1 ]
cors:
  origins: [ https://app.example.com ]
pageSize: 10
"""
TABLES = {
    "Todo": "columns: { text: string }\nsoftDelete: true\naccess: anonymous\n",
    "Mine": "columns: { text: string }\nsoftDelete: true\nperUser: true\n",
}


class Broken(Exception):
    """What is wrong before anything was asked."""


def follow_parent():
    """Runs in a child: it ends with this program, whatever ends that."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def free_port():
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A `zumod serve` that can be started again at its port."""

    def __init__(self, program, folder, database, name="server", megabytes=64):
        self.program, self.folder, self.database = program, folder, database
        self.log, self.port = f"{folder}/{name}.log", 0
        os.makedirs(f"{folder}/config/tables", exist_ok=True)
        with open(f"{folder}/config/zumod.yaml", "w") as file:
            file.write(f"{SETTINGS}limits:\n  bodyBytes: {megabytes << 20}\n")
        for table, text in TABLES.items():
            with open(f"{folder}/config/tables/{table}.yaml", "w") as file:
                file.write(text)
        self.start()

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ZUMOD_")}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--config", f"{self.folder}/config", "--database", self.database,
                 "--port", str(self.port)],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=environment,
                preexec_fn=follow_parent)
        late = threading.Timer(60, self.process.kill)
        late.start()
        line = self.process.stdout.readline().decode()
        late.cancel()
        if "listening" not in line:
            self.kill()
            raise Broken(f"zumod does not start: {open(self.log).read()[-500:]}")
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        """In good order, as an operator stops it."""
        self.process.terminate()
        try:
            if self.process.wait(45) != 0:
                raise Broken(f"zumod ended with {self.process.returncode}")
        except subprocess.TimeoutExpired:
            raise Broken("zumod did not end within 45 s") from None
        finally:
            self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Database:
    """What servers keep their rows in: a file for one, a database of PostgreSQL for several, where there is one."""

    def __init__(self, folder, servers):
        self.server = os.environ.get("ZUMOD_TEST_POSTGRES_URL") if servers > 1 else None
        self.servers = servers if self.server else 1
        if not self.server:
            self.url = f"sqlite:{folder}/rows.sqlite3"
            return
        self.name = f"proxies_{os.getpid()}"
        self.psql(f'CREATE DATABASE "{self.name}"')
        self.url = urlsplit(self.server)._replace(path=f"/{self.name}").geturl()

    def psql(self, sql):
        done = subprocess.run(
            ["psql", "-XAtq", "-d", self.server, "-c", sql], capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Broken(f"psql: {done.stderr.strip()}")

    def drop(self):
        if self.server:
            self.psql(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')


def token(user, size=0):
    """A token of a user, of so many bytes at least: claims of groups and roles make them long."""
    claims = {
        "sub": f"sid:{user}", "iss": "urn:microsoft:windows-azure:zumo", "aud": "urn:microsoft:windows-azure:zumo",
        "ver": "3", "exp": 4102444800, "padding": "x" * max(0, (size - 300) * 3 // 4),
    }
    parts = [encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    text = ".".join(parts)
    return text + "." + encoded(hmac.new(bytes.fromhex(KEY), text.encode(), hashlib.sha256).digest())


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
