"""Columns and tables that clients make."""

import json
import time

from registry import case
from wire import together

# One transaction of another client makes it: not longer than a second for those who write meanwhile.


@case("column-flood", "12: inserts with 1,000 new properties", quick=("sqlite",),
      tables={"Open": "dynamicSchema: true\n"})
def column_flood(context):
    client = context.client()
    for round in range(context.whole(4, 2)):
        row = {f"property{round}x{number}": number for number in range(1_000)}
        answer = client.ask("POST", "/tables/Open", row)
        context.note(f"1,000 new properties: {answer.status} after {answer.seconds:.2f} s")
        context.expect(answer.status in (201, 400), f"an insert with many properties is {answer.status}")
        context.expect(answer.seconds < context.within(1), f"it took {answer.seconds:.1f} s")
    for part in range(context.whole(20, 4)):
        row = {f"part{part}x{number}": "x" for number in range(45)}
        answer = client.ask("POST", "/tables/Open", row)
        context.expect(answer.status in (201, 400), f"an insert with some new properties is {answer.status}")
        context.expect(answer.seconds < context.within(1), f"45 new properties took {answer.seconds:.1f} s")


@case("table-flood", "12: inserts into 500 new tables", settings="autoCreateTables: true\n")
def table_flood(context):
    def insert(writer):
        client = context.client()
        made, refused, worst = 0, 0, 0
        for number in range(writer, context.whole(500, 250), 4):
            answer = client.ask("POST", f"/tables/New{number}", {"text": "x"})
            made += answer.status == 201
            refused += answer.status in (400, 403, 404, 429)
            worst = max(worst, answer.seconds)
            context.expect(answer.status in (201, 400, 403, 404, 429), f"a new table is answered {answer.status}")
        return made, refused, worst

    results = together(4, insert)
    context.note("{} tables were made, {} refused, the slowest after {:.2f} s".format(
        sum(made for made, _, _ in results), sum(refused for _, refused, _ in results),
        max(worst for _, _, worst in results)))
    context.expect(max(worst for _, _, worst in results) < context.within(2), "making a table took too long")
