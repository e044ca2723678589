"""What systemd and its like see of a server, a case each.

    python3 Tests/service/cases.py             all of them, one after the other
    python3 Tests/service/cases.py CASE        one; --list names them

ZUMOD is the program; else that of the debug build.
"""
import ctypes
import os
import re
import shutil
import signal
import socket
import sqlite3
import sys
import threading
import time

from server import Server, eventually, listener, reservation

PROGRAM = os.path.abspath(os.environ.get("ZUMOD", ".build/debug/zumod"))


class Manager:
    """Who started the server: a socket for what it says."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name)
        self.heard = []
        self.socket.setblocking(False)

    def hear(self):
        while True:
            try:
                self.heard.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return self.heard

    def waits(self, text, count=1):
        eventually(lambda: sum(text in message for message in self.hear()) >= count, f"no {text}: {self.heard}")

    def pings(self):
        return sum(message == "WATCHDOG=1" for message in self.hear())


def manager(name="manager"):
    path = f"@zumod-{os.getpid()}-{name}"
    return Manager("\0" + path[1:]), {"NOTIFY_SOCKET": path}


def case_says_that_it_is_ready_reloads_and_stops():
    """By a socket in the file system, which the others have not."""
    folder = f"/tmp/zumod-notify-{os.getpid()}"
    os.mkdir(folder)
    heard = Manager(folder + "/notify")
    server = Server(PROGRAM, environment={"NOTIFY_SOCKET": folder + "/notify"})
    heard.waits("READY=1")
    assert "STATUS=serving 1 table" in heard.heard[0], heard.heard
    server.write("tables/Second.yaml", "")
    server.signal(signal.SIGHUP)
    heard.waits("RELOADING=1")
    stamp = int(re.search(r"MONOTONIC_USEC=(\d+)", "".join(heard.heard)).group(1))
    assert 0 <= time.clock_gettime(time.CLOCK_MONOTONIC) * 1e6 - stamp < 60e6
    heard.waits("READY=1\nSTATUS=serving 2 tables")
    server.write("zumod.yaml", "pageSize: none\n")
    server.signal(signal.SIGHUP)
    heard.waits("the newer configuration can't be taken: config/zumod.yaml:1: pageSize")
    assert server.stop() == 0
    heard.waits("STOPPING=1")
    shutil.rmtree(folder)


def case_never_waits_for_a_manager_that_takes_nothing():
    heard, environment = manager()
    heard.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    filler = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    filler.setblocking(False)
    filled = 0
    while True:
        try:
            filler.sendto(b"FILLER=1", heard.socket.getsockname())
            filled += 1
        except BlockingIOError:
            break
    server = Server(PROGRAM, environment=environment | {"WATCHDOG_USEC": "20000"})
    for _ in range(50):
        server.signal(signal.SIGHUP)
        assert server.ask() == 200
    # As soon as there is room it is told how things stand.
    heard.waits("READY=1")
    assert server.stop() == 0


def case_goes_on_without_a_manager_where_there_is_none():
    for name in ("/nowhere/notify", "@zumod-nobody", "@", "", "relative", "vsock:2:1234", "/" + "x" * 200):
        server = Server(PROGRAM, environment={"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "20000"})
        server.signal(signal.SIGHUP)
        assert server.ask() == 200
        assert server.stop() == 0, name


def case_tells_the_watchdog_that_it_lives():
    heard, environment = manager()
    server = Server(PROGRAM, environment=environment | {"WATCHDOG_USEC": "200000"})
    heard.waits("WATCHDOG=1", count=5)
    assert server.stop() == 0
    other, environment = manager("other")
    server = Server(PROGRAM, environment=environment | {"WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1"})
    other.waits("READY=1")
    for _ in range(20):
        assert server.ask() == 200
    assert other.pings() == 0
    assert server.stop() == 0


def waits_for_silence(heard):
    """Until no ping has come for a second: one that was on its way may still."""
    before = -1
    while before != heard.pings():
        before = heard.pings()
        time.sleep(1)


def event_loops(pid):
    """The threads that wait by epoll, on x86_64 or elsewhere, for up to 256 descriptors. One that is at work is seen later."""
    threads, found = f"/proc/{pid}/task", set()
    end = time.monotonic() + 30
    while len(found) < min(os.cpu_count(), 4):
        assert time.monotonic() < end, found
        for task in os.listdir(threads):
            try:
                call = open(f"{threads}/{task}/syscall").read().split()
            except FileNotFoundError:
                continue  # It has ended meanwhile.
            if call[0] in ("232", "281", "22") and call[3] == "0x100":
                found.add(int(task))
        time.sleep(0.01)
    return found


def case_an_event_loop_that_is_stuck_ends_the_watchdogs_pings():
    """Each of them is stopped by itself; freed again, it is heard again."""
    heard, environment = manager()
    server = Server(PROGRAM, environment=environment | {"WATCHDOG_USEC": "200000"})
    heard.waits("WATCHDOG=1", count=2)
    loops = event_loops(server.process.pid)
    for task in loops:
        with Stopped(task):
            waits_for_silence(heard)
        heard.waits("WATCHDOG=1", count=heard.pings() + 2)
    assert server.stop() == 0


def case_a_writer_that_is_stuck_ends_the_watchdogs_pings():
    heard, environment = manager()
    server = Server(PROGRAM, environment=environment | {"WATCHDOG_USEC": "200000"})
    heard.waits("WATCHDOG=1", count=2)
    other = sqlite3.connect(f"{server.folder}/data/zumod.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writer = threading.Thread(target=lambda: server.ask("/tables/TodoItem", method="POST", body='{"text":"t"}'))
    writer.start()
    waits_for_silence(heard)
    other.execute("ROLLBACK")
    heard.waits("WATCHDOG=1", count=heard.pings() + 2)
    writer.join()
    assert server.stop() == 0


class Stopped:
    """A thread of another process that stands still, as SIGSTOP would make all of them."""

    ATTACH, DETACH = 16, 17

    def __init__(self, task):
        self.task = task
        self.call = ctypes.CDLL(None, use_errno=True).ptrace
        self.call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

    def __enter__(self):
        assert self.call(self.ATTACH, self.task, None, None) == 0, os.strerror(ctypes.get_errno())
        os.waitpid(self.task, 0x40000000)  # __WALL

    def __exit__(self, *_):
        self.call(self.DETACH, self.task, None, None)


def case_serves_on_the_socket_that_it_is_given():
    given = listener()
    other = listener()
    server = Server(PROGRAM, given=[given.fileno()])
    assert server.port == given.getsockname()[1]
    assert server.ask() == 200
    server.signal(signal.SIGHUP)
    assert server.stop() == 0
    assert "needs a restart" not in server.logged
    names = {"LISTEN_FDS": "2", "LISTEN_FDNAMES": "metrics:http"}
    server = Server(PROGRAM, given=[given.fileno(), other.fileno()], environment=names)
    assert server.port == other.getsockname()[1]
    assert server.stop() == 0


def case_refuses_what_is_no_socket_to_serve_on():
    datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    silent = socket.socket()
    local = socket.socket(socket.AF_UNIX)
    local.bind(f"\0zumod-{os.getpid()}-local")
    local.listen()
    null = os.open("/dev/null", os.O_RDONLY)
    one = listener()
    lies = [
        ([null], {}), ([datagram.fileno()], {}), ([silent.fileno()], {}), ([local.fileno()], {}),
        ([], {"LISTEN_FDS": "1"}), ([one.fileno()], {"LISTEN_FDS": "many"}), ([one.fileno()], {"LISTEN_FDS": "-1"}),
        ([one.fileno()], {"LISTEN_FDS": "2"}), ([one.fileno(), null], {"LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:b"}),
        ([one.fileno()], {"LISTEN_FDS": "99999999999"}),
    ]
    for given, environment in lies:
        server = Server(PROGRAM, given=given, environment=environment, ready=False)
        assert server.process.wait(60) == 78, (given, environment)
        assert "LISTEN_FDS" in server.logged, server.logged
    # What is another process's is nobody's business here.
    server = Server(PROGRAM, environment={"LISTEN_FDS": "1", "LISTEN_PID": "1"})
    assert server.ask() == 200 and server.stop() == 0


def case_a_given_socket_that_others_reach_makes_weak_keys_an_error():
    given = socket.socket()
    given.bind(("0.0.0.0", 0))
    given.listen()
    server = Server(PROGRAM, given=[given.fileno()], settings="auth: { masterKey: short }\n", ready=False)
    assert server.process.wait(60) == 78
    assert "auth.masterKey" in server.logged


def case_a_given_socket_that_is_shut_down_costs_no_processor():
    given = listener()
    server = Server(PROGRAM, given=[given.fileno()])
    assert server.ask() == 200
    given.shutdown(socket.SHUT_RDWR)
    time.sleep(0.5)

    def ticks():
        fields = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    time.sleep(2)
    assert ticks() - before < 100, "it takes half of a processor or more"
    assert server.stop() == 0


def case_a_frozen_server_keeps_nobody_from_the_next():
    reserved = reservation()
    port = reserved.getsockname()[1]
    first = Server(PROGRAM, settings="reusePort: true\n", port=port)
    assert first.ask() == 200
    first.signal(signal.SIGSTOP)
    second = Server(PROGRAM, folder=first.folder, port=port)
    for _ in range(200):
        assert second.ask(timeout=10) == 200
    first.end()
    for _ in range(200):
        assert second.ask(timeout=10) == 200
    third = Server(PROGRAM, folder=first.folder, port=port)
    assert second.stop() == 0
    for _ in range(200):
        assert third.ask(timeout=10) == 200
    assert third.stop() == 0


def case_without_reusePort_a_port_that_is_taken_is_refused():
    first = Server(PROGRAM)
    second = Server(PROGRAM, port=first.port, ready=False)
    assert second.process.wait(60) == 78
    assert "is taken by another process" in second.logged
    assert first.stop() == 0


CASES = {name[5:]: run for name, run in list(globals().items()) if name.startswith("case_")}

if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(CASES))
    else:
        for case in sys.argv[1:] or CASES:
            CASES[case]()
            print("ok", case)
