"""Restarts a server again and again under 64 connections of load, and counts the requests that were refused or cut.

    python3 Tests/service/restarts.py socket 100000      a socket that outlives the server, as systemd's do
    python3 Tests/service/restarts.py handover 100000    reusePort: the next one listens beside the last

Ends with 1 where a single one was. ZUMOD is the program; else that of the debug build.
"""
import os
import shutil
import socket
import sys
import threading
import time

from server import SECONDS, Server, listener, reservation

CLIENTS = 64
# How many seconds after its last answer on a connection a server that ends still takes the next request.
PROMISE = 3


class Load:
    """Clients that ask without a pause. Half of them begin a new connection every fifty requests."""

    def __init__(self, port):
        self.port = port
        self.done = 0
        self.slowest = 0.0
        self.faults = []
        self.late = 0
        self.lock = threading.Lock()
        self.is_over = False
        self.threads = [threading.Thread(target=self.run, args=(number,), daemon=True) for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        connection = None
        count = 0
        start = time.time()
        while not self.is_over:
            last, start, sent = start, time.time(), None
            try:
                if connection is None:
                    connection = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    count = 0
                count += 1
                is_last = count == 50 and number % 2 == 0
                self.ask(connection, writes=number % 8 == 0, is_last=is_last)
                sent = time.time()
                status, closes = self.answer(connection)
                if status not in (b"200", b"201"):
                    raise ValueError(f"status {status.decode()}")
                if closes or is_last:
                    connection.close()
                    connection = None
            except (OSError, EOFError, ValueError) as fault:
                rest = (sent or time.time()) - last
                with self.lock:
                    # On a busy machine it may be the client that was late: the last answer is younger than what it answered.
                    if count > 1 and isinstance(fault, ConnectionError) and rest > PROMISE:
                        self.late += 1
                    else:
                        self.faults.append(f"request {count} of a connection, {rest:.1f} s after the last: {fault!r}")
                if connection:
                    connection.close()
                connection = None
                time.sleep(0.05)
            with self.lock:
                self.done += 1
                self.slowest = max(self.slowest, time.time() - start)

    @staticmethod
    def ask(connection, writes, is_last):
        body = b'{"text":"t"}' if writes else b""
        line = b"POST /tables/TodoItem" if writes else b"GET /tables/TodoItem?$top=1"
        connection.sendall(
            line + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n" % len(body)
            + (b"Connection: close\r\n\r\n" if is_last else b"\r\n") + body)

    @staticmethod
    def answer(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                raise EOFError(f"cut after {len(data)} bytes") if data else ConnectionResetError("cut without an answer")
            data += more
        head, rest = data.split(b"\r\n\r\n", 1)
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        while len(rest) < int(fields[b"content-length"]):
            more = connection.recv(65536)
            if not more:
                raise EOFError("cut in its body")
            rest += more
        return head.split()[1], fields.get(b"connection") == b"close"

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join(SECONDS)


def main(way, total):
    program = os.path.abspath(os.environ.get("ZUMOD", ".build/debug/zumod"))
    given = listener() if way == "socket" else None
    if given:
        server = Server(program, given=[given.fileno()])
    else:
        reserved = reservation()
        server = Server(program, settings="reusePort: true\n", port=reserved.getsockname()[1])
    folder = server.folder

    def next_server():
        return Server(program, folder=folder, port=server.port, given=[given.fileno()] if given else None)

    load = Load(server.port)
    restarts = 0
    while load.done < total:
        seen = load.done
        while load.done < min(seen + total // 20, total):
            time.sleep(0.02)
        if given:
            assert server.stop() == 0, server.logged
            server = next_server()
        else:
            later = next_server()
            assert server.stop() == 0, server.logged
            server = later
        restarts += 1
    load.end()
    assert server.stop() == 0, server.logged
    shutil.rmtree(folder)
    print(f"{way}: {load.done} requests, {restarts} restarts, {len(load.faults)} refused or cut, "
          f"{load.late} of late clients, the slowest took {load.slowest:.2f} s")
    for fault in sorted(set(load.faults))[:5]:
        print(f"  {load.faults.count(fault)} times {fault}")
    return 1 if load.faults or load.late > load.done // 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
