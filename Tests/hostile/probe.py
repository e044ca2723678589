"""Somebody who just uses the server: reads, lists, writes and asks for its health, one request of each at a time.

A process of its own, from an address and as a user of its own: what it measures is the server and not the attack.
Runs until its input ends, then prints what it saw as JSON.
"""

import json
import sys
import threading
import time

from wire import Client

PAUSE = 0.02
SOURCE = "127.0.0.2"


def main(port, token, secured):
    over = threading.Event()
    seen = {"read": [], "list": [], "write": [], "health": []}
    acknowledged = []

    def watch(kind, expected, ask):
        client = Client(port, SOURCE, token, timeout=20, secured=secured)
        number = 0
        while not over.is_set():
            start = time.monotonic()
            answer = ask(client, number)
            number += 1
            seen[kind].append((start, answer.seconds, answer.status, answer.status == expected))
            over.wait(PAUSE)
        client.close()

    def write(client, number):
        text = f"probe {number}"
        answer = client.ask("POST", "/tables/Probe", {"text": text})
        if answer.status == 201:
            acknowledged.append(text)
        return answer

    def health(client, number):
        client.close()  # Each time by a new connection, so that it is also seen whether the server accepts any.
        return client.ask("GET", "/healthz")

    threads = [
        threading.Thread(target=watch, args=arguments)
        for arguments in [
            ("read", 200, lambda client, _: client.ask("GET", "/tables/Probe/first")),
            ("list", 200, lambda client, _: client.ask("GET", "/tables/Probe?$top=10")),
            ("write", 201, write),
            ("health", 200, health),
        ]
    ]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
    json.dump({"seen": seen, "acknowledged": acknowledged}, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], "secured" in sys.argv[3:])
