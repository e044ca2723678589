"""A server of a case's own: its folder, its process, what it says."""
import atexit
import fcntl
import http.client
import os
import signal
import socket
import subprocess
import tempfile
import time

SECONDS = 60


class Server:
    """zumod serve in a folder of its own. Several may have one folder, and so one database."""

    def __init__(self, program, folder=None, settings="", environment=None, port=0, given=None, ready=True):
        self.folder = folder or tempfile.mkdtemp(prefix="zumod-service-")
        os.makedirs(self.folder + "/config/tables", exist_ok=True)
        if folder is None:
            self.write("tables/TodoItem.yaml", "columns: { text: string }\n")
            self.write("zumod.yaml", "log: { level: notice }\n" + settings)
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith("ZUMOD_") and not name.startswith("LISTEN_")
                 and name not in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")}
        clean.update(environment or {})
        command = [program, "serve"] + ([] if given is not None else ["--port", str(port)])
        if given is not None:
            # LISTEN_PID is that of the process itself, so a shell sets it and becomes the server.
            command = ["sh", "-c", 'export LISTEN_PID=$$; exec "$0" "$@"'] + command
            clean.setdefault("LISTEN_FDS", "1")
        self.log = open(self.folder + "/log", "ab")
        self.process = subprocess.Popen(
            command, cwd=self.folder, env=clean, stdout=subprocess.PIPE, stderr=self.log,
            pass_fds=[] if given is None else range(3, 3 + len(given)),
            preexec_fn=None if given is None else lambda: self._give(given))
        # Also where a case fails: who waits for the case would wait for its servers.
        atexit.register(self.end)
        if ready:
            line = self.process.stdout.readline().decode()
            assert line.startswith("zumod listening on "), (line, self.logged)
            self.port = int(line.rsplit(":", 1)[1])

    @staticmethod
    def _give(given):
        # Out of the way first, as one may have the number of another's place.
        copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100) for descriptor in given]
        for place, copy in enumerate(copies):
            os.dup2(copy, 3 + place, inheritable=True)
            os.close(copy)

    def write(self, name, text):
        with open(f"{self.folder}/config/{name}", "w") as file:
            file.write(text)

    @property
    def logged(self):
        with open(self.folder + "/log") as file:
            return file.read()

    def ask(self, path="/tables/TodoItem", method="GET", body=None, timeout=SECONDS):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        self.signal(signal.SIGTERM)
        return self.process.wait(SECONDS)

    def end(self):
        """Ends it, whatever state it is in."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def listener():
    """A socket that listens, as systemd opens it."""
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    opened.bind(("127.0.0.1", 0))
    opened.listen(4096)
    return opened


def reservation():
    """A socket that keeps a port from others, for servers with reusePort: it doesn't listen."""
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    opened.bind(("127.0.0.1", 0))
    return opened


def eventually(holds, what):
    """Waits until it holds."""
    end = time.time() + SECONDS
    while not holds():
        assert time.time() < end, what
        time.sleep(0.02)
