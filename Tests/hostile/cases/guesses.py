"""Keys that are guessed, by as many connections as one likes."""

import time

from registry import case
from wire import together

MASTER = "a-master-key-that-nobody-guesses"
SETTINGS = f"""  masterKey: {MASTER}
  applicationKey: an-application-key-of-an-app
page:
  enabled: true
"""
# How often a kind of guess may be looked at: so many at once, and so many a second.
AT_ONCE = 100
WAYS = {"master": 2, "application": 10, "page": 2}


def ask(context, client, way, key):
    if way == "page":
        return client.ask("POST", "/_/api/session", {"key": key})
    client.fields["X-ZUMO-MASTER" if way == "master" else "X-ZUMO-APPLICATION"] = key
    return client.ask("GET", "/tables/Probe/first")


@case("guesses", "60 connections guess keys, at tables and at the data page's sign-in", settings=SETTINGS, quick=("sqlite",))
def guesses(context):
    """Each way from an address of its own; and somebody who has the right key, from theirs and from another."""
    seconds = context.whole(20, 5)
    end = time.monotonic() + seconds
    ways = list(WAYS)

    def guess(number):
        way, answers = ways[number % 3], []
        client = context.client(f"127.0.19.{1 + number % 3}", timeout=60)
        while time.monotonic() < end:
            answers.append(ask(context, client, way, f"guess {number} {len(answers)}").status)
        return answers

    def show_right(_):
        """Beside the guessers and elsewhere: what came of it, and how long it took."""
        time.sleep(2)
        beside, elsewhere = [], []
        while time.monotonic() < end:
            beside.append(ask(context, context.client("127.0.19.1", timeout=60), "master", MASTER))
            elsewhere.append(ask(context, context.client("127.0.20.1", timeout=60), "master", MASTER))
            time.sleep(0.2)
        return beside, elsewhere

    results = together(61, lambda number: show_right(number) if number == 60 else guess(number))
    for place, way in enumerate(ways):
        statuses = {}
        for answers in results[place:60:3]:
            for status in answers:
                statuses[status] = statuses.get(status, 0) + 1
        context.note(f"{way}: {statuses}")
        told = sum(count for status, count in statuses.items() if status not in (429, 503))
        most = AT_ONCE + WAYS[way] * (seconds + 15)
        context.expect(told <= most, f"{told} guesses at the {way} key were told in {seconds} s, more than {most}")
        context.expect(set(statuses) <= {200, 401, 429, 503}, f"guesses at the {way} key are answered {statuses}")
    beside, elsewhere = results[60]
    quick = [answer for answer in beside if answer.status == 200 and answer.seconds < 0.1]
    context.expect(not quick, f"beside guessers the right key was let in at once {len(quick)} times of {len(beside)}")
    context.expect(all(answer.status == 200 for answer in elsewhere), "the right key is refused elsewhere")
    worst = max(answer.seconds for answer in elsewhere)
    context.expect(worst < context.within(1), f"the right key took {worst:.1f} s elsewhere")
