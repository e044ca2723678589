"""Connections: too many of one address, and those that never come to their point."""

import time

from registry import case
from wire import Crowd, addresses, is_open, request, status


@case("one-address", "12: one address opens 10,000 connections", quick=("sqlite",))
def one_address(context):
    with Crowd() as crowd:
        opened = crowd.add(context.whole(10_000, 2_500), context.port, ["127.0.0.3"])
        time.sleep(1)
        held = sum(is_open(connection) for connection in crowd.members)
        context.note(f"{opened} were opened, {held} are held")
        context.expect(held <= 1_100, f"one address holds {held} connections")


@case("slow-heads", "2,000 heads that come byte by byte", stores=("sqlite",))
def slow_heads(context):
    head = request("GET", "/tables/Probe/first", ["X-Filler: " + "x" * 50])
    trickle(context, lambda turn: head[turn:turn + 1], context.whole(25, 4))


@case("slow-bodies", "2,000 bodies that come byte by byte", stores=("sqlite",))
def slow_bodies(context):
    head = request("POST", "/tables/Probe", ["Content-Length: 1000", "Content-Type: application/json"])
    trickle(context, lambda turn: head if turn == 0 else b" ", context.whole(70, 4))


def trickle(context, part, seconds):
    end = time.monotonic() + seconds
    with Crowd() as crowd:
        crowd.add(context.whole(2_000, 500), context.port, addresses(15, 8), part(0))
        turn = 1
        while time.monotonic() < end:
            for connection in crowd.members:
                try:
                    connection.send(part(turn))
                except OSError:
                    continue
            turn += 1
            time.sleep(0.5)


@case("idle-connections", "8,000 connections at rest", stores=("sqlite",), seconds=200)
def idle_connections(context):
    ask = request("GET", "/healthz")
    with Crowd() as crowd:
        opened = crowd.add(context.whole(8_000, 2_000), context.port, addresses(16, 16), ask)
        answered = sum(status(connection) == 200 for connection in crowd.members)
        context.expect(answered == opened, f"{opened} were opened, and {answered} answered")
        time.sleep(context.whole(30, 3))


@case("coming-and-going", "connections that are opened and closed as fast as they can be", stores=("sqlite",))
def coming_and_going(context):
    end = time.monotonic() + context.whole(20, 4)
    while time.monotonic() < end:
        with Crowd() as crowd:
            crowd.add(100, context.port, addresses(17, 4), b"GET /tables/Probe?")
