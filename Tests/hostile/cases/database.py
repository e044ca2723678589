"""Others at the same database: programs that hold locks, and too few connections."""

import sqlite3
import time

from registry import Allow, case
from wire import together

OTHERS = [f"Other{number}" for number in range(8)]


@case("locked-table", "4: psql holds a table, and many write to it; others are not held up", stores=("postgres",),
      quick=True, tables={name: "columns: { text: string }\n" for name in ["Locked", *OTHERS]})
def locked_table(context):
    seconds = context.whole(15, 5)
    for name in ["Locked", *OTHERS]:
        context.expect(context.client().ask("POST", f"/tables/{name}", {"text": "x"}).status == 201, "no insert")
    holder = context.postgres.beside(
        f'BEGIN; LOCK TABLE "Locked" IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({seconds})', context.database)
    time.sleep(0.5)
    end = time.monotonic() + seconds - 1

    def write(number):
        """Sixteen write to the table that is held, one to each other."""
        name = "Locked" if number >= len(OTHERS) else OTHERS[number]
        client, done, worst = context.client(timeout=30), 0, 0
        while time.monotonic() < end:
            answer = client.ask("POST", f"/tables/{name}", {"text": "x"})
            done += answer.status == 201
            worst = max(worst, answer.seconds)
            if name == "Locked":
                context.expect(answer.status in (201, 503), f"the locked table's writes are {answer.status}")
            else:
                context.expect(answer.status == 201, f"another table's writes are {answer.status}")
                time.sleep(0.02)
        return done, worst

    try:
        results = together(len(OTHERS) + 16, write)
    finally:
        holder.kill()
        holder.wait()
    others, locked = results[:len(OTHERS)], results[len(OTHERS):]
    context.note("writes to the other tables: {} to {} each, the slowest after {:.2f} s; to the locked one {:.1f} s".format(
        min(done for done, _ in others), max(done for done, _ in others), max(worst for _, worst in others),
        max(worst for _, worst in locked)))
    context.expect(max(worst for _, worst in others) < context.within(1), "another table's write was held up")
    context.expect(max(worst for _, worst in locked) < context.within(7), "the locked table's writes wait too long")


@case("locked-file", "another program holds SQLite's file for longer than writes wait", stores=("sqlite",),
      attacks={"write": Allow(6, gap=10)})
def locked_file(context):
    other = sqlite3.connect(context.database.removeprefix("sqlite:"), timeout=10, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(context.whole(8, 6))
        other.execute("ROLLBACK")
    finally:
        other.close()
    time.sleep(1)


def few_connections(context, limit):
    seconds = time.monotonic() + context.whole(20, 4)
    client = context.client()
    wrong = {}
    while time.monotonic() < seconds:
        for method, target, value, expected in [
            ("GET", "/tables/Probe/first", None, 200), ("GET", "/tables/Probe?$top=5", None, 200),
            ("POST", "/tables/Few", {"text": "x"}, 201),
        ]:
            answer = client.ask(method, target, value)
            if answer.status != expected:
                wrong[(method, answer.status)] = wrong.get((method, answer.status), 0) + 1
    context.expect(not wrong, f"with {limit} connections a single client is answered {wrong}")

    def crowd(number):
        client = context.client()
        return [client.ask("GET", "/tables/Probe?$top=5").status for _ in range(context.whole(100, 30))]

    statuses = set(sum(together(16, crowd), []))
    context.note(f"16 clients at once are answered {sorted(statuses)}")
    context.expect(statuses == {200}, f"with {limit} connections 16 clients are answered {sorted(statuses)}")


for limit, is_quick in [(8, False), (6, ("postgres",))]:
    case(f"few-connections-{limit}", f"2: PostgreSQL grants {limit} connections", stores=("postgres",), quick=is_quick,
         connections=limit, tables={"Few": "columns: { text: string }\n"})(
        lambda context, limit=limit: few_connections(context, limit))
