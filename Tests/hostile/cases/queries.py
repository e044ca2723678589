"""Lists that cost much: by the memory of a calculation, by its time, and by how many are asked for."""

import time

from registry import case
from wire import addresses, connect, followed, query, request, together

LONG = "t" * 1_000_000
BIG = {"Big": "columns: { text: string }\n"}
V3 = ("ZUMO-API-VERSION: 3.0.0",)
REFUSED = (400, 503)


def one_long_text(context):
    answer = context.client().ask("POST", "/tables/Big", {"id": "1", "text": LONG})
    context.expect(answer.status == 201, f"a text of 1 MB is answered {answer.status}")


def long_texts(context):
    def insert(number):
        client = context.client()
        for part in range(context.whole(1000, 80)):
            client.ask("POST", "/tables/Big", {"id": f"{number}-{part}", "text": LONG[:20_000]})

    together(4, insert)


def nested(function, depth, inner):
    return f"{function}(" * depth + inner + ",text)" * depth


@case("memory-bomb", "6: a query of 1 KB that makes texts of gigabytes", quick=True, tables=BIG, prepare=one_long_text)
def memory_bomb(context):
    replaced = "replace(text,'t','" + "b" * 100 + "')"
    bombs = [
        f"length({nested('concat', 60, replaced)}) eq 1",
        f"length(concat({replaced},concat({replaced},concat({replaced},{replaced})))) eq 1",
        f"length(replace({replaced},'b','{'c' * 100}')) eq 1",
        f"startswith({nested('concat', 80, 'text')},'x')",
        " or ".join(f"length(replace(text,'t','{'c' * 99}{number}')) eq {number}" for number in range(9)),
    ]

    def ask(number):
        client = context.client(addresses(10, 20)[number])
        return [client.ask("GET", query("/tables/Big", filter=bomb)) for bomb in bombs[number % 2:] + bombs[:number % 2]]

    for _ in range(context.whole(4, 1)):
        answers = sum(together(2, ask), [])
        context.note("answered " + ", ".join(f"{answer.status} after {answer.seconds:.2f} s" for answer in answers))
        for answer in answers:
            # The last of them is no bomb: it may be answered.
            context.expect(answer.status in (200, *REFUSED), f"a bomb is answered {answer.status}")
            context.expect(answer.seconds < context.within(6), f"a bomb is answered after {answer.seconds:.1f} s")


@case("patterns", "7: patterns that backtrack, by clients that hang up", quick=("sqlite",), tables=BIG, prepare=one_long_text)
def patterns(context):
    evil = [r"(((((((t+)+)+)+)+)+)+)+z$", "t{0,100}" * 9 + "z$", "(t|t|tt)*z", "(.*)*z", r"(t?){100}t{100}z"]

    def ask(number):
        client = context.client(version="3.0.0")
        return client.ask("GET", query("/tables/Big", filter=f"matchesPattern(text,'{evil[number % len(evil)]}')"))

    # Those that wait for their answers, then those that don't.
    for answer in together(context.whole(5, 2), ask):
        context.expect(answer.status in (200, *REFUSED), f"a pattern is answered {answer.status}")
        context.expect(answer.seconds < context.within(7), f"a pattern is answered after {answer.seconds:.1f} s")
    for round in range(context.whole(6, 1)):
        for number in range(8):
            target = query("/tables/Big", filter=f"matchesPattern(text,'{evil[number % len(evil)]}')")
            connection = connect(context.port, "127.0.0.3")
            connection.sendall(request("GET", target, V3))
            connection.close()
        time.sleep(context.whole(3, 2))


# Seconds of work over all of these rows, and none of it long at a time.
SLOW = " or ".join(f"length(replace(text,'t','x{number}')) eq {number}" for number in range(6))


@case("queue-of-the-dead", "8: 160 slow lists, sent and hung up", quick=("sqlite",), tables=BIG, prepare=long_texts)
def queue_of_the_dead(context):
    for _ in range(context.whole(3, 1)):
        connections = [connect(context.port, "127.0.0.3") for _ in range(160)]
        for connection in connections:
            connection.sendall(request("GET", query("/tables/Big", filter=SLOW)))
        for connection in connections:
            connection.close()
        time.sleep(context.whole(10, 4))


@case("slow-lists", "8: 32 clients of one address that ask for slow lists only", quick=("sqlite",), tables=BIG,
      prepare=long_texts)
def slow_lists(context):
    end = time.monotonic() + context.whole(25, 6)

    def ask(_):
        client = context.client()
        worst, statuses = 0, set()
        while time.monotonic() < end:
            answer = client.ask("GET", query("/tables/Big", filter=SLOW))
            worst = max(worst, answer.seconds)
            statuses.add(answer.status)
            if answer.status == 503:
                time.sleep(0.1)
        return worst, statuses

    results = together(32, ask)
    worst = max(result[0] for result in results)
    statuses = set().union(*(result[1] for result in results))
    context.note(f"the slow lists were answered {sorted(statuses)}, the last after {worst:.1f} s")
    context.expect(statuses <= {200, 503}, f"slow lists are answered {sorted(statuses)}")
    context.expect(worst < context.within(12), f"a slow list is answered after {worst:.1f} s")


@case("counted-pages", "9: a pull of all pages of a big table by v3, which counts only once", stores=("sqlite",),
      tables={"Wide": "columns: { rank: number }\npageSize: 50\n"})
def counted_pages(context):
    client = context.client(version="3.0.0")
    together(4, lambda writer: [
        context.client().ask("POST", "/tables/Wide", {"rank": number}) for number in range(1000)])
    first = client.ask("GET", "/tables/Wide?$count=true")
    pages, worst, link = 1, 0, first.json().get("nextLink")
    while link and pages < 100:
        answer = client.ask("GET", followed(link, "/tables/Wide"))
        pages, worst, link = pages + 1, max(worst, answer.seconds), answer.json().get("nextLink")
    context.note(f"{pages} pages, the slowest linked one after {worst * 1000:.0f} ms")
    context.expect(pages >= 80, f"only {pages} pages came")
