"""Passwords, whose check is meant to be work: built for debugging it takes a second, so this is no quick case."""

import time

from registry import case
from server import run
from wire import addresses, together

PASSWORD = "correct horse"


def add_user(context):
    run(context.program, context.folder, "user", "add", "ann", "--database", context.database, text=PASSWORD + "\n")


@case("login-storm", "14: 70 logins at once, and somebody who wants in", prepare=add_user)
def login_storm(context):
    sources = addresses(18, 5)

    def guess(number):
        client = context.client(sources[number % 5], timeout=90)
        answers = []
        for attempt in range(context.whole(3, 1)):
            body = {"username": f"somebody{number}x{attempt}", "password": "wrong horse"}
            answers.append(client.ask("POST", "/.auth/login/local", body))
        return answers

    def log_in(_):
        time.sleep(0.5)
        worst = 0
        for _ in range(context.whole(5, 2)):
            answer = context.client("127.0.0.4", timeout=90).ask(
                "POST", "/.auth/login/local", {"username": "ann", "password": PASSWORD})
            worst = max(worst, answer.seconds)
            context.expect(answer.status == 200, f"the right password is answered {answer.status}")
        return worst

    results = together(71, lambda number: log_in(number) if number == 70 else guess(number))
    statuses = {}
    for answers in results[:70]:
        for answer in answers:
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
    context.note(f"guesses were answered {statuses}, the right password after {results[70]:.1f} s at most")
    context.expect(set(statuses) <= {401, 429, 503}, f"guesses are answered {statuses}")
    context.expect(results[70] < context.within(5), f"the right password took {results[70]:.1f} s")
