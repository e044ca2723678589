"""Everything at once, for minutes: what wears a server out shows only then."""

import random
import subprocess
import sys
import time
from os.path import dirname

sys.path.insert(0, dirname(dirname(__file__)))

from registry import case
from server import follow_parent, memory
from wire import Client, query

SECONDS = 600


@case("mixed-load", "ten minutes of reads, lists, writes, conflicts and mistakes", quick=("sqlite",),
      tables={"Load": "columns: { text: string, rank: integer }\nsoftDelete: true\n"}, seconds=SECONDS + 60)
def mixed_load(context):
    seconds = context.whole(SECONDS, 5)
    workers = [
        subprocess.Popen(
            [sys.executable, __file__, str(context.port), str(number), str(seconds)], stdout=subprocess.PIPE,
            text=True, preexec_fn=follow_parent)
        for number in range(2)
    ]
    weights = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(seconds / 10)
        weights.append(memory(context.server.pid, "VmRSS"))
    totals = {}
    for worker in workers:
        out, _ = worker.communicate(timeout=60)
        for entry in out.split():
            status, count = entry.split("=")
            totals[status] = totals.get(status, 0) + int(count)
    context.note(f"answers by status: {totals}; memory from {weights[0]:.0f} to {weights[-1]:.0f} MB")
    strange = set(totals) - {"200", "201", "204", "400", "404", "409", "412", "503"}
    context.expect(not strange, f"some were answered {sorted(strange)}")
    context.expect(int(totals.get("503", 0)) <= sum(totals.values()) / 100, "more than one in a hundred was refused")
    context.expect(weights[-1] <= weights[len(weights) // 2] + 30, "memory grows on and on")


def work(port, number, seconds):
    """One worker: a client that does what comes into its mind, at some pace, so that the probe is not alone."""
    chance = random.Random(number)
    client = Client(port, f"127.0.0.{5 + number}")
    counts = {}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        key = f"{number}-{chance.randrange(500)}"
        method, target, value = chance.choice([
            ("GET", f"/tables/Load/{key}", None),
            ("GET", query("/tables/Load", filter=f"rank gt {chance.randrange(1000)}", top=20, orderby="rank"), None),
            ("GET", query("/tables/Load", filter="substringof('x',text) and oops", top=20), None),
            ("POST", "/tables/Load", {"id": key, "text": "x" * chance.randrange(2000), "rank": chance.randrange(1000)}),
            ("PATCH", f"/tables/Load/{key}", {"rank": chance.randrange(1000)}),
            ("DELETE", f"/tables/Load/{key}", None),
            ("POST", f"/tables/Load/{key}", None),
        ])
        answer = client.ask(method, target, value)
        counts[answer.status] = counts.get(answer.status, 0) + 1
        if chance.random() < 0.02:
            client.close()
        time.sleep(0.002)
    print(" ".join(f"{status}={count}" for status, count in counts.items()))


if __name__ == "__main__":
    work(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
