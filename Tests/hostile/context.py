"""One case's servers, probe and figures."""

import os
import shutil
import statistics
import time

from server import SECURED, SETTINGS, Broken, Postgres, Probe, Scales, Server, memory, run
from wire import CERTIFICATES, Client

IDLE = 0.004  # seconds: what an answer takes, built for debugging, before anybody attacks, where little else runs
SLOWEST = 5  # times slower at most, as more than that is not the machine

PROBE_TABLE = "columns: { text: string }\nsoftDelete: true\n"


class Context:
    def __init__(self, case, store, folder, program, quick, slack):
        self.case, self.store, self.folder, self.program = case, store, folder, program
        self.quick, self.slack = quick, slack
        self.pace = 1.0
        self.notes, self.faults, self.servers, self.closing = [], [], [], []
        self.result = self.probe = self.postgres = self.scales = None
        self.written = []  # texts that others than the probe had acknowledged
        self.peak = self.after = self.backends = 0

    # What cases say.

    def note(self, text):
        self.notes.append(text)

    def fail(self, text):
        self.faults.append(text)

    def expect(self, condition, text):
        if not condition:
            self.fail(text)

    def whole(self, number, quick):
        """The first number before a release, the second in every test run."""
        return quick if self.quick else number

    def within(self, seconds):
        """A bound, with what is added to it on a slow machine."""
        return (seconds + self.slack) * self.pace

    # Servers.

    def start(self):
        os.makedirs(f"{self.folder}/config/tables")
        with open(f"{self.folder}/config/zumod.yaml", "w") as file:
            file.write(SETTINGS + self.case.settings + (SECURED if self.case.secured else ""))
        if self.case.secured:
            for name in ("server.pem", "server.key"):
                shutil.copy(f"{CERTIFICATES}/{name}", f"{self.folder}/config/{name}")
        for name, text in {"Probe": PROBE_TABLE, **self.case.tables}.items():
            with open(f"{self.folder}/config/tables/{name}.yaml", "w") as file:
                file.write(text)
        for name, text in self.case.files.items():
            os.makedirs(os.path.dirname(f"{self.folder}/config/{name}"), exist_ok=True)
            with open(f"{self.folder}/config/{name}", "w") as file:
                file.write(text)
        self.database = self.new_database()
        self.server = self.new_server("server", self.case.reads_log)
        self.port = self.server.port
        self.token = run(self.program, self.folder, "token", "--user", "sid:probe")
        self.stranger = run(self.program, self.folder, "token", "--user", "sid:stranger")
        first = self.client().ask("POST", "/tables/Probe", {"id": "first", "text": "first"})
        if first.status != 201:
            raise Broken(f"the first insert is answered {first.status}")
        if self.case.prepare:
            self.case.prepare(self)
        self.scales = Scales(self.postgres.postmaster() if self.postgres else None)
        self.scales.start()
        self.probe = Probe(self.port, self.token, self.case.secured)
        if self.quick:
            self.measure_pace()
        else:
            time.sleep(1)
        self.began = time.monotonic()

    def measure_pace(self):
        """How many times slower than usual this machine answers beside the probe, while nobody attacks."""
        client, times = self.client(), []
        end = time.monotonic() + 1
        while time.monotonic() < end:
            times += [client.ask("GET", "/tables/Probe/first").seconds, client.ask("GET", "/tables/Probe?$top=10").seconds]
            time.sleep(0.01)
        self.pace = min(max(statistics.mean(times) / IDLE, 1), SLOWEST)

    def new_database(self):
        if self.store == "sqlite":
            return f"sqlite:{self.folder}/rows.sqlite3"
        variable = "ZUMOD_TEST_POSTGRES_VICTIM_URL" if self.case.victim else "ZUMOD_TEST_POSTGRES_URL"
        self.postgres = Postgres.named(variable)
        name = f"hostile_{os.getpid()}_{self.case.name.replace('-', '_')}"
        self.postgres.psql(f'CREATE DATABASE "{name}"')
        self.closing.append(lambda: self.postgres.psql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))
        self.administered = self.postgres.at(name)
        limit = self.case.connections
        if not limit:
            return self.administered
        self.postgres.psql(f'CREATE ROLE "{name}" LOGIN CONNECTION LIMIT {limit}')
        self.closing.insert(0, lambda: self.postgres.psql(f'DROP ROLE IF EXISTS "{name}"'))
        self.postgres.psql(f'ALTER DATABASE "{name}" OWNER TO "{name}"')
        return self.postgres.at(name, user=name)

    def new_server(self, name, reads_log=True):
        server = Server(self.program, self.folder, self.database, name, reads_log)
        self.servers.append(server)
        return server

    def client(self, source="127.0.0.3", token=None, version="2.0.0", port=None, timeout=30):
        return Client(port or self.port, source, token, version, timeout, self.case.secured)

    def psql(self, sql):
        return self.postgres.psql(sql, self.administered)

    # The end.

    def finish(self):
        """Waits until the server has let go of memory, then looks at what the probe saw and the table holds."""
        end = time.monotonic() + self.whole(30, 15 * self.pace)
        time.sleep(1)
        self.after = memory(self.server.pid, "VmRSS")
        while self.after > 150 and time.monotonic() < end:
            time.sleep(0.25)
            self.after = memory(self.server.pid, "VmRSS")
        self.over = time.monotonic()
        self.result = self.probe.result()
        self.peak = memory(self.server.pid, "VmHWM")
        self.scales.over.set()
        self.backends = self.scales.peak
        self.count_writes()
        for server in self.servers:
            fault = server.stop()
            if fault:
                self.fail(f"the server {fault}")

    def count_writes(self):
        """Whatever was acknowledged is there, and nothing is there twice."""
        client = self.client()
        seen = {}
        after = ""
        while True:
            answer = client.ask(
                "GET", f"/tables/Probe?$orderby=id&$top=1000&$select=id,text&$filter=id%20gt%20'{after}'")
            if answer.status != 200:
                self.fail(f"the rows can't be counted: {answer.status} {answer.text[:200]!r}")
                return
            rows = answer.json()
            for row in rows:
                seen[row["text"]] = seen.get(row["text"], 0) + 1
            if len(rows) < 1000:
                break
            after = rows[-1]["id"]
        acknowledged = self.result["acknowledged"] + self.written
        lost = [text for text in acknowledged if text not in seen]
        doubled = [text for text, count in seen.items() if count > 1]
        self.expect(not lost, f"{len(lost)} acknowledged writes are lost, such as {lost[:3]}")
        self.expect(not doubled, f"{len(doubled)} writes are there twice, such as {doubled[:3]}")

    def close(self):
        """Ends all that was started, on every path."""
        if self.probe:
            self.probe.kill()
        if self.scales:
            self.scales.over.set()
        for server in self.servers:
            server.kill()
        for step in reversed(self.closing):
            try:
                step()
            except Exception as error:  # The next has to be closed too.
                print(f"    while tidying up: {error}")

    # Figures.

    def probed(self):
        """The probe's requests that ended after the attack began, by kind."""
        return {
            kind: [entry for entry in entries if entry[0] + entry[1] >= self.began and entry[0] <= self.over]
            for kind, entries in self.result["seen"].items()
        }

    def gap(self, entries):
        """The longest time without a success."""
        last, longest = self.began, 0
        for start, seconds, _, is_good in entries:
            if is_good:
                longest = max(longest, start + seconds - last)
                last = start + seconds
        return max(longest, self.over - last)
