"""Those that the server writes to: whoever reads its log, and receivers of webhooks."""

import socket
import threading
import time

from registry import case
from wire import together


@case("stuck-log", "11: nobody reads the log", quick=("sqlite",), reads_log=False)
def stuck_log(context):
    def ask(_):
        client = context.client()
        for number in range(context.whole(5_000, 1_000)):
            answer = client.ask("GET", f"/tables/Probe/{number}" + "x" * 100)
            if answer.status != 404:
                return f"request {number} is answered {answer.status}"
        return None

    for fault in together(4, ask):
        context.expect(fault is None, fault)
    # finish() sees that it also ends by one SIGTERM.


class Trickle(threading.Thread):
    """A receiver that sends a byte of its answer from time to time, for ever."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.held = []  # how long each connection lasted
        self.over = threading.Event()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.trickle, args=(connection,), daemon=True).start()

    def trickle(self, connection):
        start = time.monotonic()
        with connection:
            connection.settimeout(1)
            try:
                while not self.over.is_set():
                    try:
                        if not connection.recv(65536):
                            break
                    except TimeoutError:
                        connection.send(b"H")
            except OSError:
                pass
        self.held.append(time.monotonic() - start)

    def close(self):
        self.over.set()
        self.listener.close()


@case("trickling-webhook", "13: a webhook's receiver that sends its answer byte by byte", stores=("sqlite",))
def trickling_webhook(context):
    receiver = Trickle()
    receiver.start()
    try:
        # A server of its own, since its table names the receiver's port.
        with open(f"{context.folder}/config/tables/Told.yaml", "w") as file:
            file.write(
                f'columns: {{ text: string }}\nwebhook: {{ url: "http://127.0.0.1:{receiver.port}/" }}\n')
        context.database = f"sqlite:{context.folder}/told.sqlite3"
        server = context.new_server("told")
        client = context.client(port=server.port)
        context.expect(client.ask("POST", "/tables/Told", {"text": "x"}).status == 201, "the insert failed")
        end = time.monotonic() + context.within(25)
        while not receiver.held and time.monotonic() < end:
            time.sleep(0.2)
        context.expect(receiver.held, "the attempt was not given up")
        if receiver.held:
            context.note(f"the attempt was given up after {receiver.held[0]:.1f} s")
            context.expect(receiver.held[0] < context.within(12), f"an attempt took {receiver.held[0]:.1f} s")
    finally:
        receiver.close()
