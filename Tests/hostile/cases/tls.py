"""Those who speak TLS to the server, or only begin to."""

import socket
import struct
import time

from cases.memory import BIG, insert
from registry import case
from server import memory
from wire import Crowd, addresses, connect, hello, query, request, status, together, trust


@case("tls-handshakes", "handshakes as fast as they can be, which the server alone has to reckon for", quick=("sqlite",),
      stores=("sqlite",), secured=True)
def tls_handshakes(context):
    first = hello()
    end = time.monotonic() + context.whole(20, 3)

    def flood(number):
        count = 0
        while time.monotonic() < end:
            try:
                with connect(context.port, f"127.18.0.{1 + number}", timeout=5) as connection:
                    connection.sendall(first)
                    count += connection.recv(1) != b""
                    # Reset, so that no port waits for its end.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except OSError:
                continue
        return count

    context.note(f"{sum(together(8, flood))} handshakes were answered")


@case("tls-half", "2,000 handshakes that never end", stores=("sqlite",), secured=True)
def tls_half(context):
    first = hello()
    end = time.monotonic() + context.whole(25, 4)
    while time.monotonic() < end:
        with Crowd() as crowd:
            crowd.add(
                context.whole(2_000, 500), context.port, addresses(19, 8),
                lambda number: first[:len(first) * (number % 4 + 1) // 4])
            time.sleep(context.whole(12, 2))


@case("tls-idle", "8,000 connections at rest that speak TLS", stores=("sqlite",), secured=True, seconds=240)
def tls_idle(context):
    ask = request("GET", "/healthz")
    before = memory(context.server.pid, "VmRSS")
    with Crowd() as crowd:
        opened = crowd.add(context.whole(8_000, 1_000), context.port, addresses(20, 16), ask, context=trust())
        answered = sum(status(connection) == 200 for connection in crowd.members)
        context.expect(answered == opened, f"{opened} were opened, and {answered} answered")
        time.sleep(context.whole(20, 2))
        each = (memory(context.server.pid, "VmRSS") - before) * 1024 / max(opened, 1)
        context.note(f"{opened} are at rest, at {each:.0f} KB each")


@case("tls-slow-readers", "10: clients that ask for 10 MB by TLS and take nothing", stores=("sqlite",), tables=BIG,
      prepare=lambda context: insert(context, 10), secured=True)
def tls_slow_readers(context):
    with Crowd() as crowd:
        ask = request("GET", query("/tables/Big", top=10), ["ZUMO-API-VERSION: 2.0.0"])
        opened = crowd.add(
            context.whole(500, 60), context.port, addresses(21, context.whole(20, 4)), ask, received=4096,
            context=trust())
        context.note(f"{opened} clients asked")
        time.sleep(context.whole(40, 3))
