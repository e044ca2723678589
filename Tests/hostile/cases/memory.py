"""Bytes that the server has to keep: answers that nobody takes, bodies that never end, one answer of a gigabyte."""

import time

from registry import case
from wire import Crowd, addresses, followed, is_open, query, request, together

BIG = {"Big": "columns: { text: string }\nmaxTop: 1000\n"}
TEXT = "t" * 1_000_000


def insert(context, count):
    def some(writer):
        client = context.client()
        for number in range(writer, count, 4):
            answer = client.ask("POST", "/tables/Big", {"id": f"{number:04}", "text": TEXT})
            context.expect(answer.status == 201, f"a text of 1 MB is answered {answer.status}")

    together(4, some)


@case("slow-readers", "10: clients that ask for 10 MB and take nothing", quick=("sqlite",), tables=BIG,
      prepare=lambda context: insert(context, 10))
def slow_readers(context):
    with Crowd() as crowd:
        ask = request("GET", query("/tables/Big", top=10), ["ZUMO-API-VERSION: 2.0.0"])
        opened = crowd.add(
            context.whole(500, 80), context.port, addresses(11, context.whole(20, 4)), ask, received=4096)
        context.note(f"{opened} clients asked")
        time.sleep(context.whole(40, 4))


@case("trickling-readers", "10: clients that take their 10 MB a few bytes a second", stores=("sqlite",), tables=BIG,
      prepare=lambda context: insert(context, 10))
def trickling_readers(context):
    with Crowd() as crowd:
        ask = request("GET", query("/tables/Big", top=10), ["ZUMO-API-VERSION: 2.0.0"])
        crowd.add(100, context.port, addresses(12, 20), ask, received=4096)
        end = time.monotonic() + context.whole(90, 10)
        while time.monotonic() < end:
            for connection in crowd.members:
                try:
                    connection.settimeout(0.001)
                    connection.recv(64)
                except OSError:
                    continue
            time.sleep(1)


@case("waiting-bodies", "10: bodies of 1 MB that wait for their last byte", quick=("sqlite",), tables=BIG)
def waiting_bodies(context):
    body = b'{"text":"' + b"t" * 1_000_000
    head = request("POST", "/tables/Big", [f"Content-Length: {len(body) + 2}", "Content-Type: application/json"])
    with Crowd() as crowd:
        opened = crowd.add(context.whole(3000, 700), context.port, addresses(13, 20), head + body)
        context.note(f"{opened} bodies were taken in")
        time.sleep(context.whole(20, 3))
        held = sum(is_open(connection) for connection in crowd.members)
        context.note(f"{held} of them were held")


@case("giant-answer", "10: one answer of a gigabyte", tables=BIG, seconds=300,
      prepare=lambda context: insert(context, context.whole(1000, 200)))
def giant_answer(context):
    for version in ("2.0.0", "3.0.0"):
        client = context.client(version=version, timeout=60)
        answer = client.ask("GET", query("/tables/Big", top=1000))
        context.note(f"version {version}: {answer.status}, {len(answer.text) >> 20} MB, after {answer.seconds:.1f} s")
        context.expect(answer.status in (200, 400, 503), f"a giant answer is {answer.status}")
        context.expect(len(answer.text) <= 66 << 20, f"an answer of {len(answer.text) >> 20} MB")

    def walk(number):
        client = context.client(addresses(14, 9)[number], version="3.0.0")
        target, rows = "/tables/Big?$select=id,text", set()
        for _ in range(60):
            answer = client.ask("GET", target)
            if answer.status == 503:
                time.sleep(0.2)
                continue
            page = answer.json()
            rows |= {row["id"] for row in page["items"]}
            if not page.get("nextLink"):
                break
            target = followed(page["nextLink"], target)
        return len(rows)

    count = context.whole(1000, 200)
    context.expect(together(1, walk) == [count], f"a walk over all pages does not come to {count} rows")
