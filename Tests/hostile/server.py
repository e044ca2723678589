"""Servers of a case: zumod, the PostgreSQL beside it, and what they cost."""

import ctypes
import glob
import json
import os
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
# No address of this machine is a proxy's, so that each counts as a client of its own.
SETTINGS = f"""
trustedProxies: [ 192.0.2.1 ]
auth:
  signingKey: {KEY}
  providers:
    local:
"""

SECURED = """
tls:
  certificate: server.pem
  key: server.key
"""


class Broken(Exception):
    """The case can't go on."""


def follow_parent():
    """Runs in a child: it ends with this program, whatever ends that."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("ZUMOD_")}


def memory(pid, field):
    """A figure of /proc/PID/status in MB, 0 where the process is gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) / 1024
    except (OSError, ProcessLookupError):
        pass
    return 0


class Server:
    """A running `zumod serve`."""

    def __init__(self, program, folder, database, name, reads_log=True):
        self.program, self.config = program, f"{folder}/config"
        self.log = f"{folder}/{name}.log"
        log = open(self.log, "ab") if reads_log else subprocess.PIPE
        self.process = subprocess.Popen(
            [program, "serve", "--config", self.config, "--database", database, "--port", "0"], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=environment(), preexec_fn=follow_parent)
        if reads_log:
            log.close()
        late = threading.Timer(60, self.process.kill)
        late.start()
        line = self.process.stdout.readline().decode()
        late.cancel()
        if "listening" not in line:
            self.kill()
            raise Broken(f"zumod does not start, see {self.log}")
        self.port = int(line.rsplit(":", 1)[1])

    @property
    def pid(self):
        return self.process.pid

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, seconds=45):
        """Asks it to end, and returns how it did."""
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            code = self.process.wait(seconds)
            return None if code == 0 else f"ended with {code}"
        except subprocess.TimeoutExpired:
            self.kill()
            return f"did not end within {seconds} s of SIGTERM"


def run(program, folder, *arguments, text=""):
    """A command of zumod beside the server: what it prints."""
    done = subprocess.run(
        [program, *arguments, "--config", f"{folder}/config"], input=text, capture_output=True, text=True,
        env=environment(), timeout=120)
    if done.returncode:
        raise Broken(f"zumod {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


class Postgres:
    """A PostgreSQL server that scripts/test-postgres has started."""

    def __init__(self, url):
        self.url = url
        parts = urlsplit(url)
        self.user, self.address = parts.username, f"{parts.hostname}:{parts.port}"

    @staticmethod
    def named(variable):
        url = os.environ.get(variable)
        return Postgres(url) if url else None

    def at(self, database, user=None):
        return f"postgresql://{user or self.user}@{self.address}/{database}"

    def psql(self, sql, url=None):
        """Runs SQL and returns what it answers, a line for each row."""
        done = subprocess.run(
            [psql_program(), "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url or self.url, "-c", sql],
            capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Broken(f"psql: {done.stderr.strip()}")
        return done.stdout.strip()

    def beside(self, sql, url):
        """A psql that runs SQL while the case goes on."""
        return subprocess.Popen(
            [psql_program(), "-XAtq", "-d", url, "-c", sql], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=follow_parent)

    def postmaster(self):
        """The process whose children are the connections' backends."""
        # A backend that is asked for its parent has to be there still.
        sleeper = self.beside("SELECT pg_sleep(5)", self.url)
        try:
            for _ in range(100):
                pids = self.psql("SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'").split()
                for pid in pids:
                    if parent(int(pid)):
                        return parent(int(pid))
                time.sleep(0.05)
        finally:
            sleeper.kill()
            sleeper.wait()
        raise Broken("the PostgreSQL server's process can't be found")


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def psql_program():
    folder = os.environ.get("ZUMOD_POSTGRES_BIN")
    if not folder:
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4].split(".")[0]))
        folder = found[-1] if found else ""
    return os.path.join(folder, "psql")


class Probe:
    """The process of probe.py."""

    def __init__(self, port, token, secured):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(__file__), "probe.py"), str(port), token,
             *(["secured"] if secured else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=follow_parent)

    def result(self):
        out, _ = self.process.communicate(timeout=60)
        return json.loads(out)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Scales(threading.Thread):
    """Weighs processes while a case runs."""

    def __init__(self, postmaster=None):
        super().__init__(daemon=True)
        self.postmaster = postmaster
        self.peak = 0  # of the backends' own memory, in MB
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(0.2):
            if self.postmaster:
                self.peak = max(self.peak, sum(memory(pid, "RssAnon") for pid in children(self.postmaster)))
