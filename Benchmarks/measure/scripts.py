"""What scripts of old backends cost: the CPU of a request, of zumod, its Node processes and the database.

Prints Markdown. Each cell is the median of the rounds, and the rounds go through all projects before they begin again.
Express alone answers the same rows from memory, without a database and without the SDK: the original took more.

usage: [scripts/test-postgres] python3 -B Benchmarks/measure scripts [--program PROGRAM] [--quick]
"""

import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import load
import serving

ROWS = 200
CONNECTIONS = [1, 64]
COLUMNS = "columns: { text: string, number: integer, complete: boolean, userId: string }\nindexes: [ userId ]\n"
FILTER = "$filter=(complete%20eq%20false)"
LIST = f"/tables/Item?$top=5&{FILTER}"
# The list that the script makes of it, as a client would ask for it.
SAME = LIST + "%20and%20(userId%20eq%20%27me%27)"
LONG = f"/tables/Item?$top=50&{FILTER}"
TABLE = "const table = require('azure-mobile-apps').table();\n%s\nmodule.exports = table;\n"
SETTING = TABLE % """table.insert((context) => { context.item.userId = 'me'; return context.execute(); });
table.read((context) => { context.query.where({ userId: 'me' }); return context.execute(); });"""
TOUCHING = TABLE % """table.read(async (context) => {
  const rows = await context.execute();
  rows.forEach((row) => { row.text = row.text.toUpperCase(); });
  return rows;
});"""
DEFINITION = TABLE % """table.columns = { text: 'string', number: 'number', complete: 'boolean', userId: 'string' };
table.indexes = ['userId'];
table.read((context) => { context.query.where({ userId: 'me' }); return context.execute(); });"""
APPLICATION = """const app = require('express')();
const mobile = require('azure-mobile-apps')();
for (let number = 0; number < 100; number++) app.use((req, res, next) => next());
mobile.tables.import('./tables');
app.use(mobile);
app.listen(process.env.PORT);
"""
EXPRESS = """const app = require('express')();
const rows = JSON.parse(process.argv[2]);
for (let number = 0; number < +process.argv[3]; number++) app.use((req, res, next) => next());
app.get('/tables/Item', (req, res) => res.json(rows.slice(0, +req.query.$top)));
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
"""
# What is sent, by which project: "no script" is what the others are compared with.
CASES = [
    ("list of 5", LIST, "GET",
     ["no script", "no script, same list", "a filter", "100 middlewares", "Express alone",
      "Express, 100 middlewares"]),
    ("insert", "/tables/Item", "POST", ["no script", "a user id"]),
    ("list of 50", LONG, "GET", ["no script", "rows touched", "Express alone"]),
]
POST = """wrk.method = "POST"
wrk.body = '{"text":"Buy milk","number":1,"complete":false}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["ZUMO-API-VERSION"] = "2.0.0"
"""
HEAD = """**{}**

| request | project | connections | a second | zumod, µs | Node, µs | database, µs | all, µs | times no script |
|---|---|---|---|---|---|---|---|---|"""
GET = 'wrk.headers["ZUMO-API-VERSION"] = "2.0.0"\n'


def rows():
    return [{"id": serving.row_id(index), "text": f"Item number {index} of many", "number": index, "complete": False,
             "userId": "me"} for index in range(ROWS)]


def children(process):
    """The processes that a process has begun, by whichever of its threads."""
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # It may have ended since.
            found += (task / "children").read_text().split()
    return [int(number) for number in found]


class Zumod:
    def __init__(self, program, folder, postgres, name):
        folder.mkdir()
        config, self.postgres = folder / "config", postgres
        (config / "tables").mkdir(parents=True)
        (config / "zumod.yaml").write_text("")
        more = []
        if name == "100 middlewares":
            project = folder / "project"
            (project / "tables").mkdir(parents=True)
            (project / "app.js").write_text(APPLICATION)
            (project / "tables" / "Item.js").write_text(DEFINITION)
            more = ["--app", project]
        else:
            (config / "tables" / "Item.yaml").write_text(COLUMNS)
            script = {"a filter": SETTING, "a user id": SETTING, "rows touched": TOUCHING}.get(name)
            if script:
                (config / "tables" / "Item.js").write_text(script)
        self.database = postgres.database() if postgres else f"sqlite:{folder}/rows.sqlite3"
        self.server = serving.Server(program, folder, self.database, more=more)
        self.port = self.server.port
        client = serving.Client(self.port)
        for row in rows():
            client.ask("POST", "/tables/Item", row)

    def processes(self):
        groups = {"server": [self.server.pid], "node": children(self.server.pid)}
        if self.postgres:
            groups["database"] = [self.postgres.process]
        return {name: group for name, group in groups.items() if group}

    def stop(self):
        self.server.stop()
        if self.postgres:
            self.postgres.drop(self.database)


class Express:
    def __init__(self, folder, name):
        folder.mkdir()
        (folder / "alone.js").write_text(EXPRESS)
        self.process = subprocess.Popen(
            ["node", folder / "alone.js", json.dumps(rows()[:50]), "100" if "100" in name else "0"],
            stdout=subprocess.PIPE, env={**os.environ, "NODE_ENV": "production", "NODE_PATH": "/usr/share/nodejs"})
        self.port = int(self.process.stdout.readline())

    def processes(self):
        return {"node": [self.process.pid]}

    def stop(self):
        self.process.terminate()
        self.process.wait()


def measure(target, path, method, connections, seconds, folder):
    (folder / "load.lua").write_text(POST if method == "POST" else GET)
    groups = target.processes()
    processes = {number: number for group in groups.values() for number in group}
    cell = load.wrk(
        f"http://127.0.0.1:{target.port}{path}", connections, seconds, processes, "-s", str(folder / "load.lua"))
    return {"per_second": cell["per_second"], "failed": cell["failed"],
            **{name: sum(cell[f"{number}_us"] for number in group) for name, group in groups.items()}}


def main(program, quick):
    serving.need("wrk", "node")
    rounds, seconds = (1, 1) if quick else (3, 3)
    url = os.environ.get("ZUMOD_TEST_POSTGRES_URL")
    stores = {"SQLite": None, **({"PostgreSQL": serving.Postgres(url)} if url else {})}
    for store, postgres in stores.items():
        if postgres:
            postgres.write_durably()
        folder = pathlib.Path(tempfile.mkdtemp())
        print(HEAD.format(store))
        try:
            for number, (request, path, method, projects) in enumerate(CASES):
                show(request, compare(program, folder / str(number), postgres, path, method, projects, rounds, seconds))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(flush=True)


def compare(program, folder, postgres, path, method, projects, rounds, seconds):
    folder.mkdir()
    targets = {}
    found = {}
    try:
        for name in projects:
            at = folder / name.replace(" ", "-")
            targets[name] = Express(at, name) if "Express" in name else Zumod(program, at, postgres, name)
            measure(targets[name], asked(name, path), method, 16, 1, folder)
        for _ in range(rounds):
            for connections in CONNECTIONS:
                for name, target in targets.items():
                    found.setdefault((name, connections), []).append(
                        measure(target, asked(name, path), method, connections, seconds, folder))
    finally:
        for target in targets.values():
            target.stop()
    return {place: {key: statistics.median(cell[key] for cell in cells) for key in cells[0]}
            for place, cells in found.items()}


def asked(name, path):
    return SAME if name == "no script, same list" else path


def show(request, found):
    def total(cell):
        return sum(cell.get(name, 0) for name in ("server", "node", "database"))
    for (name, connections), cell in found.items():
        parts = [f"{cell[part]:.0f}" if part in cell else "–" for part in ("server", "node", "database")]
        times = total(cell) / max(1, total(found["no script", connections]))
        failed = f" ({cell['failed']:.0f} failed)" if cell["failed"] else ""
        print(f"| {request} | {name} | {connections} | {cell['per_second']:,.0f}{failed} | {' | '.join(parts)} | "
              f"{total(cell):.0f} | {times:.1f} |", flush=True)
