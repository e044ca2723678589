"""Machines that are lost: another server of the database, and the database itself."""

import os
import signal
import subprocess
import threading
import time

from registry import Allow, case
from server import Broken, children


class Writers:
    """Clients that write to a server until they are told to stop, and know what was acknowledged."""

    def __init__(self, context, port, name, count, table="Probe"):
        self.over = threading.Event()
        self.context, self.port, self.name, self.table = context, port, name, table
        self.statuses, self.worst = {}, 0
        self.threads = [threading.Thread(target=self.write, args=(number,), daemon=True) for number in range(count)]
        for thread in self.threads:
            thread.start()

    def write(self, writer):
        client = self.context.client(port=self.port, timeout=20)
        number = 0
        while not self.over.is_set():
            text = f"{self.name} {writer} {number}"
            number += 1
            answer = client.ask("POST", f"/tables/{self.table}", {"text": text})
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            self.worst = max(self.worst, answer.seconds)
            if answer.status == 201:
                self.context.written.append(text)
            else:
                self.over.wait(0.1)

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join(30)


@case("vanished-server", "1: a server stands still in the middle of a transaction; another writes to its table",
      stores=("postgres",), quick=True, attacks={"write": Allow(10, gap=10)}, seconds=240)
def vanished_server(context):
    first = context.new_server("first")
    writers = Writers(context, first.port, "first", 16)
    name = context.database.rsplit("/", 1)[1]
    open_transactions = (
        f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND state = 'idle in transaction'"
        " AND state_change < now() - interval '50 ms'")
    try:
        for round in range(context.whole(4, 1)):
            time.sleep(0.5)
            for _ in range(60):
                os.kill(first.pid, signal.SIGSTOP)
                time.sleep(0.15)
                if context.psql(open_transactions) != "0":
                    break
                os.kill(first.pid, signal.SIGCONT)
                time.sleep(0.03)
            else:
                raise Broken("the first server was never stopped in a transaction")
            time.sleep(14)  # Longer than writes may stand still.
            os.kill(first.pid, signal.SIGCONT)
            # It goes on as if nothing had been: its clients have their answers, and new ones are served.
            answer = None
            end = time.monotonic() + context.within(10)
            while time.monotonic() < end:
                answer = context.client(port=first.port).ask("POST", "/tables/Probe", {"text": f"back {round}"})
                if answer.status == 201:
                    break
                time.sleep(0.2)
            context.expect(answer.status == 201, f"the first server's writes are {answer.status} after its return")
    finally:
        os.kill(first.pid, signal.SIGCONT)
    writers.stop()
    context.note(f"the first server's writers were answered {writers.statuses}")


def ask_health(context, over, target, seconds):
    """Asks again and again, and says where an answer took too long."""
    client = context.client(timeout=20)
    worst, statuses = 0, set()
    while not over.is_set():
        answer = client.ask("GET", target)
        worst = max(worst, answer.seconds)
        statuses.add(answer.status)
        over.wait(0.1)
    context.note(f"{target} is answered {sorted(statuses)}, the slowest after {worst:.1f} s")
    context.expect(worst < context.within(seconds), f"{target} took {worst:.1f} s")
    context.expect(0 not in statuses, f"{target} is not answered")


def lose_database(context, lose, bring_back, seconds):
    """Takes the database away while clients write and read, and watches what is answered and logged."""
    over = threading.Event()
    watchers = [
        threading.Thread(target=ask_health, args=(context, over, target, 6)) for target in ("/readyz", "/metrics")
    ]
    writers = Writers(context, context.port, "busy", 8)
    readers = [threading.Thread(target=read, args=(context, over), daemon=True) for _ in range(4)]
    for thread in watchers + readers:
        thread.start()
    time.sleep(1)
    logged = lines(context)
    try:
        lose()
        time.sleep(seconds)
        logged = lines(context) - logged
    finally:
        bring_back()
    time.sleep(3)
    over.set()
    writers.stop()
    for thread in watchers + readers:
        thread.join(30)
    context.note(
        f"writes were answered {writers.statuses}, the slowest after {writers.worst:.1f} s; {logged / seconds:.0f} lines "
        "of log a second meanwhile")
    context.expect(set(writers.statuses) <= {201, 503}, f"writes are answered {writers.statuses}")
    context.expect(writers.worst < context.within(LOST["write"].seconds), f"a write took {writers.worst:.1f} s")
    context.expect(logged / seconds < 20, f"{logged / seconds:.0f} lines of log a second tell of an outage")


def read(context, over):
    client = context.client(timeout=20)
    while not over.is_set():
        answer = client.ask("GET", "/tables/Probe?$top=5")
        context.expect(answer.status in (200, 503), f"a list is answered {answer.status}")
        context.expect(answer.seconds < context.within(LOST["list"].seconds), f"a list took {answer.seconds:.1f} s")
        over.wait(0.01 if answer.status == 200 else 0.1)


def lines(context):
    with open(context.server.log, "rb") as file:
        return sum(b" error " in line or b" warning " in line for line in file)


# The documented limits, and half a second: for a connection 5 s, then for a row 6 s and for a write 5 s; for a list 6 s
# where the database says nothing.
LOST = {kind: Allow(seconds, gap=30) for kind, seconds in [("read", 11.5), ("list", 6.5), ("write", 10.5)]}


@case("frozen-postgres", "3: PostgreSQL stands still", stores=("postgres",), quick=True, victim=True, attacks=LOST)
def frozen_postgres(context):
    postmaster = context.postgres.postmaster()

    def tell(number):
        for pid in [postmaster, *children(postmaster)]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    lose_database(context, lambda: tell(signal.SIGSTOP), lambda: tell(signal.SIGCONT), context.whole(20, 10))


@case("lost-postgres", "3, 5: PostgreSQL is gone, and comes back", stores=("postgres",), victim=True, attacks=LOST)
def lost_postgres(context):
    control = os.environ["ZUMOD_TEST_POSTGRES_VICTIM_CONTROL"]

    def tell(*words):
        subprocess.run([control, *words], stdout=subprocess.DEVNULL, timeout=60)

    context.scales.postmaster = None  # It will be another one.
    lose_database(
        context, lambda: tell("stop", "-m", "immediate"), lambda: tell("start"), context.whole(20, 5))
