"""Records which sources requests enter in a running server, and compares them with docs/architecture.md.

A request is sent many times first, so that what is made once is there. Then breakpoints at all code of the sources tell
what it enters, in order. What only some of a few such requests enter, or what is entered while there is none, is something
else that the server does at that moment.

usage: [scripts/test-postgres] python3 -B Benchmarks/measure ways --program .build/debug/OwnedItems [--show]
The program is a debug build of the example with hooks; the command zumod is beside it.
"""

import bisect
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

import instructions
import lines
import serving
import tracing

HOME = pathlib.Path(__file__).resolve().parents[2]
PAGE = HOME / "docs/architecture.md"
WARM, ROUNDS = 40, 3
# By the page's headings: what is done, whether on PostgreSQL, and how many files and lines the list may have.
WAYS = {
    "A PATCH with If-Match, on SQLite": ("patch", False, 18, 2400),
    "A page of a pull and the link to the next, on PostgreSQL": ("pull", True, 20, 3000),
    "A JSON patch of v3, with a script, a hook and a webhook": ("json_patch", False, 30, 4600),
    "A script's `context.tables().read()`, on SQLite": ("read", False, 18, 2400),
}
ITEM, TODO = "/tables/Item/" + serving.row_id(1), "/tables/TodoItem"
# Without a number of rows, so that the server's own page ends before the rows do.
PULL = serving.PULL.replace("&$top=50&$skip=0", "")
SCRIPT = """const table = require('azure-mobile-apps').table();
table.update((context) => { context.item.complete = true; return context.execute(); });
module.exports = table;
"""
# Begins to read when a file is there, says by another that it has read, and answers when the first one is gone.
READER = """const fs = require('fs');
const until = async (there) => {
  while (fs.existsSync('%(folder)s/begin') !== there) await new Promise((done) => setTimeout(done, 5));
};
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };
table.read(async (context) => {
  await until(true);
  const rows = await context.tables('Item').read();
  fs.writeFileSync('%(folder)s/end', `${rows.length} rows`);
  await until(false);
  return [];
});
module.exports = table;
"""


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes the notices of a webhook, and leaves a file where one came."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.server.notice.touch()

    def log_message(self, *_):
        pass


class Scene:
    """A server with what a way needs. What `act_…` does is recorded, in a process of its own."""

    def __init__(self, program, folder, database, clock, kind):
        self.folder, self.notice, self.number = folder, folder / "notice", 0
        receiver = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
        receiver.notice = self.notice
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        configuration = serving.write_configuration(folder, 3)
        (configuration / "zumod.yaml").write_text(instructions.SETTINGS + "scripts: { timeSeconds: 60 }\n")
        files = {
            "Item.jsonl": "".join(json.dumps(serving.row(index, 200, 3)) + "\n" for index in range(200)),
            "TodoItem.yaml": "columns: { text: string, complete: boolean, owner: string }\nsoftDelete: true\n",
            "Activity.yaml": "columns: { what: string, item: string }\n",
        }
        if kind == "json_patch":
            address = f"http://127.0.0.1:{receiver.server_port}/"
            files["TodoItem.yaml"] += f"webhook: {{ url: '{address}', secret: Jefe, events: [update] }}\n"
            files["TodoItem.js"] = SCRIPT
        if kind == "read":
            files["Reader.js"] = READER % {"folder": folder}
        for name, text in files.items():
            (configuration / "tables" / name).write_text(text)
        zumod = pathlib.Path(program).with_name("zumod")
        token = subprocess.run([zumod, "token", "--config", configuration, "--user", "sid:1"], check=True, text=True,
                               capture_output=True, env=serving.clean_environment()).stdout.strip()
        self.user = {"X-ZUMO-AUTH": token}
        self.server = serving.Server(
            program, folder, database, environment={
                "ZUMOD_CONFIG": str(configuration), "ZUMOD_DATABASE_URL": database, "ZUMOD_PORT": "0",
                "LD_PRELOAD": str(clock)})
        self.client = serving.Client(self.server.port)
        self.client.ask("POST", TODO, {"id": "one", "text": "Buy milk"}, self.user)

    def await_file(self, path):
        while not path.exists():
            time.sleep(0.01)
        path.unlink()

    def prepare_patch(self):
        self.number += 1
        self.version = self.client.ask("GET", ITEM)[1]

    def act_patch(self):
        self.client.ask("PATCH", ITEM, {"text": f"Item {self.number}"}, {"If-Match": self.version})

    def prepare_pull(self):
        pass

    def act_pull(self):
        rows, _ = self.client.ask("GET", PULL)
        if len(json.loads(rows)) != 5 or b"\r\nlink:" not in self.client.head.lower():
            raise SystemExit("error: a pull had no link")

    def prepare_json_patch(self):
        self.number += 1

    def act_json_patch(self):
        fields = {**self.user, "ZUMO-API-VERSION": "3.0.0", "Content-Type": "application/json-patch+json"}
        patch = [{"op": "replace", "path": "/text", "value": f"Buy milk {self.number}"}]
        self.client.ask("PATCH", TODO + "/one", patch, fields)
        self.await_file(self.notice)

    def prepare_read(self):
        (self.folder / "begin").unlink(missing_ok=True)
        if self.number:
            self.client.take()
        self.number += 1
        self.client.send("GET", "/tables/Reader")

    def act_read(self):
        (self.folder / "begin").touch()
        self.await_file(self.folder / "end")


def places(program):
    """Each address of the sources' code with its function and its file."""
    table = lines.LineTable(program)
    functions = table.functions()
    starts, found = [address for address, _ in functions], {}
    for address, file in table.rows().items():
        file = (file or "").removeprefix(f"{HOME}/")
        if file.startswith("Sources/") and address >= starts[0]:
            found[address] = (functions[bisect.bisect_right(starts, address) - 1][1], file)
    return found


def record(program, known, kind, clock, postgres):
    """What is entered each time, in the order of each of them, and what is entered while nothing is asked."""
    folder = pathlib.Path(tempfile.mkdtemp())
    database = postgres.database() if postgres else f"sqlite:{folder}/rows.sqlite3"
    try:
        scene = Scene(program, folder, database, clock, kind)
        try:
            prepare, act = getattr(scene, "prepare_" + kind), getattr(scene, "act_" + kind)
            for _ in range(WARM):
                prepare()
                act()
            trace, rounds = tracing.Tracing(scene.server.pid, program, known), []
            idle = trace.record(lambda: time.sleep(2))
            for _ in range(ROUNDS):
                prepare()
                time.sleep(0.3)
                # The log and the metrics are told when the answer is sent.
                rounds.append(trace.record(lambda: (act(), time.sleep(0.1))))
        finally:
            scene.server.process.kill()
            scene.server.process.wait()
    finally:
        if postgres:
            postgres.drop(database)
        shutil.rmtree(folder, ignore_errors=True)
    every = set(rounds[0]).intersection(*rounds)
    return [[place for place in each if place in every] for each in rounds], set(idle)


def is_below(file, path):
    return file == path or file.startswith(path + "/")


def misplaced(listed, entered):
    """Which of the files are not entered behind the ones before them."""
    at, files = 0, []
    for path in listed:
        later = next((place for place in range(at, len(entered)) if entered[place][1] == path), None)
        if later is None:
            files.append(path)
        else:
            at = later
    return files


def compare(way, shared, rounds, idle, most_files, most_lines):
    """What is wrong with what the page says of a way."""
    listed = re.findall(r"(?m)^\d+\. `(Sources/[^`]+)`", way)
    besides = [path for path in re.findall(r"`(Sources/[^`]+)`", way) if path not in listed]
    files = {file for _, file in rounds[0]}
    # What is entered for something else in between isn't noted again where it belongs.
    for path in min((misplaced(listed, entered) for entered in rounds), key=len):
        yield f"{path} is listed, and not entered" + (" in this order" if path in files else "")
    for path in besides:
        if not any(is_below(file, path) for file in files):
            yield f"{path} is named, and not entered"
    unnamed = {file: function for function, file in reversed(rounds[0]) if (function, file) not in idle
               and not any(is_below(file, path) for path in [*listed, *besides, *shared])}
    for file, function in zip(unnamed, demangled(unnamed.values())):
        yield f"{file} is entered and not named: {function}"
    length = sum(len((HOME / path).read_text().splitlines()) for path in listed if (HOME / path).exists())
    if len(listed) > most_files or length > most_lines:
        yield f"{len(listed)} files and {length} lines are listed; {most_files} and {most_lines} are the most"
    # Not exactly, as now and then something else goes on each time.
    said = int(re.search(r"about (\d+) files", way)[1])
    if abs(len(files) - said) > said / 4:
        yield f"{len(files)} files are entered, and the page says {said}"


def demangled(functions):
    command = ["swift", "demangle", "--simplified", "--compact"]
    return subprocess.run(command, input="\n".join(functions), capture_output=True, text=True).stdout.splitlines()


def main(program, shows):
    program = pathlib.Path(program).resolve()
    url = os.environ.get("ZUMOD_TEST_POSTGRES_URL")
    postgres = serving.Postgres(url) if url else None
    section = next(part for part in PAGE.read_text().split("\n## ") if part.startswith("The way of a request"))
    ways = dict(part.split("\n", 1) for part in section.split("\n### ")[1:])
    shared = re.findall(r"`(Sources/[^`]+)`", ways.pop("What every way asks"))
    if list(ways) != list(WAYS):
        raise SystemExit(f"error: {PAGE} has other ways: {', '.join(ways)}")
    known, failures, unseen = places(program), 0, set(shared)
    with tempfile.TemporaryDirectory() as folder:
        clock = instructions.slow_clock(folder)
        for name, (kind, needs_postgres, *most) in WAYS.items():
            if needs_postgres and not postgres:
                print(f"left out: {name}, without scripts/test-postgres")
                unseen = set()
                continue
            rounds, idle = record(program, known, kind, clock, postgres if needs_postgres else None)
            entered = rounds[0]
            unseen -= {path for path in shared if any(is_below(file, path) for _, file in entered)}
            if shows:
                names = demangled(function for function, _ in entered)
                print(*(f"  {file} {name}" for (_, file), name in zip(entered, names)), sep="\n")
            faults = list(compare(ways[name], shared, rounds, idle, *most))
            failures += len(faults)
            word = "FAILED" if faults else "ok    "
            print(f"{word} {name}: {len({file for _, file in entered})} files", *faults, sep="\n       ", flush=True)
    for path in unseen:
        print(f"FAILED {path} is named among what every way asks, and no way enters it")
    return 1 if failures or unseen else 0
