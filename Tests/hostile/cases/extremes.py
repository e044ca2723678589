"""Numbers and dates at their ends, in every column, by clients, by SQL and in files."""

import json
import os
import sqlite3
import subprocess

from registry import case
from server import Broken, Server, environment
from wire import Client, followed, query

FIRST, LAST = "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
MOST = 2**63 - 1

COLUMNS = {
    "words": "string", "ratio": "number", "whole": "integer", "flag": "boolean", "moment": "date", "day": "dateOnly",
    "hour": "timeOnly", "price": "decimal",
}
TABLES = {
    "Ends": "softDelete: true\ncolumns:\n" + "".join(f"  {name}: {kind}\n" for name, kind in COLUMNS.items()),
    "Numbered": "autoIncrement: true\ncolumns: { words: string }\n",
}
# Texts of JSON, since no Python number is some of them.
SENT = {
    "words": ['""', '"\\u0000"', '"\\uffff"', '"9223372036854775808"'],
    "ratio": ["1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "-0.0", "1e999", "-1e999", str(MOST)],
    "whole": [str(MOST), str(-MOST - 1), str(MOST + 1), "1e30", "-1", "0.5"],
    "flag": ["true", "false", "2"],
    "moment": [f'"{FIRST}"', f'"{LAST}"', '"0000-12-31T23:59:59Z"', '"10000-01-01T00:00:00Z"', '"9999-12-31T23:59:59-14:00"'],
    "day": ['"0001-01-01"', '"9999-12-31"', '"9999-12-32"'],
    "hour": ['"00:00:00"', '"23:59:59.999"', '"24:00:00"'],
    "price": ["9" * 28, "-" + "9" * 28, "0." + "0" * 27 + "1", "9" * 200, "1e400", "-1e-400"],
}
CONSTANTS = {
    "words": ["''", "'9223372036854775808'"],
    "ratio": ["1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "INF", "-INF", "NaN", str(MOST)],
    "whole": [str(MOST), str(-MOST - 1), str(MOST + 1), "1e308", "0.5"],
    "flag": ["true", "false"],
    "moment": [f"datetimeoffset'{FIRST}'", f"datetimeoffset'{LAST}'"],
    "day": ["'0001-01-01'", "'9999-12-31'"],
    "hour": ["'00:00:00'", "'23:59:59.999'"],
    "price": ["9" * 28 + "M", "9" * 200, "1e308", "NaN"],
}
CALCULATIONS = {
    "words": ["length({}) ge 0", "concat({},{}) eq 'x'", f"substring({{}},{MOST}) eq ''", f"substring({{}},1,{MOST}) eq ''"],
    "ratio": ["round({}) gt 0", "floor({}) gt 0", "{} mul 1e308 gt 0", "{} add {} gt 0", "{} mod 3 eq 0", "-{} lt 0"],
    "whole": ["{} add 1 gt 0", "{} sub 1 lt 0", f"{{}} mul {MOST} gt 0", "{} mod -1 eq 0", "{} div -1 gt 0", "-{} gt 0"],
    "moment": [f"{part}({{}}) ge 0" for part in ("year", "month", "day", "hour", "minute", "second")],
    "price": ["{} mul {} gt 0", "round({}) gt 0", "{} div 3 gt 0", "{} mod 7 eq 0"],
}

# PostgreSQL's own types, as another program has them, with their ends.
ADOPTED = {
    "a2": ("int2", ["-32768", "32767"]), "a4": ("int4", ["-2147483648", "2147483647"]),
    "a8": ("int8", [str(-MOST - 1), str(MOST)]), "f4": ("float4", ["'-Infinity'", "'Infinity'", "'NaN'", "3.4e38", "1e-45"]),
    "f8": ("float8", ["'-Infinity'", "'Infinity'", "'NaN'", "1.7976931348623157e308", "5e-324"]),
    "n": ("numeric", ["'-Infinity'", "'Infinity'", "'NaN'", "10::numeric^1000", "10::numeric^(-1000)"]),
    "t": ("text", ["''"]), "c": ("varchar(3)", ["'abc'"]), "b": ("bool", ["true", "false"]),
    "d": ("date", ["'-infinity'", "'infinity'", "'4713-01-01 BC'", "'5874897-12-31'", "'0001-01-01'", "'9999-12-31'"]),
    "l": ("timestamp", ["'-infinity'", "'infinity'", "'4713-01-01 BC'", "'294276-12-31 23:59:59.999999'"]),
    "z": ("timestamptz", ["'-infinity'", "'infinity'", "'4713-01-01 00:00:00+00 BC'", "'294276-12-31 23:59:59.999999+00'"]),
}
ADOPTED_CONSTANTS = {
    **{name: CONSTANTS["whole"] for name in ("a2", "a4", "a8")}, **{name: CONSTANTS["ratio"] for name in ("f4", "f8")},
    "n": CONSTANTS["price"], "t": CONSTANTS["words"], "c": CONSTANTS["words"], "b": CONSTANTS["flag"],
    **{name: CONSTANTS["moment"] for name in ("d", "l", "z")},
}
ADOPTED_CALCULATIONS = {
    **{name: CALCULATIONS["whole"] for name in ("a2", "a4", "a8")},
    **{name: CALCULATIONS["ratio"] for name in ("f4", "f8")}, "n": CALCULATIONS["price"],
    "t": CALCULATIONS["words"], "c": CALCULATIONS["words"],
    **{name: CALCULATIONS["moment"] + [f"{name} eq d", f"{name} le z"] for name in ("d", "l", "z")},
}


class Fuzz:
    """A server with a database of its own, whose numbers are set to their ends."""

    def __init__(self, context):
        self.context = context
        self.database = self.new_database("ends")
        self.server = None
        self.start()

    def new_database(self, name):
        context = self.context
        if context.store == "sqlite":
            return f"sqlite:{context.folder}/{name}.sqlite3"
        name = f"hostile_{os.getpid()}_{name}"
        context.postgres.psql(f'CREATE DATABASE "{name}"')
        context.closing.append(lambda: context.postgres.psql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))
        return context.postgres.at(name)

    def start(self):
        context = self.context
        self.server = Server(context.program, context.folder, self.database, "ends")
        context.servers.append(self.server)
        token = context.token
        self.v2 = Client(self.server.port, token=token)
        self.v3 = Client(self.server.port, token=token, version="3.0.0")

    def stop(self):
        fault = self.server.stop()
        self.context.expect(fault is None, f"the server {fault}")
        self.context.servers.remove(self.server)

    def sql(self, *statements):
        """Runs SQL beside the server; raises `Broken` where it is refused."""
        if self.context.store == "postgres":
            for statement in statements:
                self.context.postgres.psql(statement, self.database)
            return
        connection = sqlite3.connect(self.database.removeprefix("sqlite:"), timeout=10, isolation_level=None)
        try:
            for statement in statements:
                connection.executescript(statement)
        except sqlite3.Error as error:
            raise Broken(str(error)) from error
        finally:
            connection.close()

    def refuses(self, statement):
        try:
            self.sql(statement)
        except Broken:
            return
        self.context.fail(f"SQL may say {statement}")

    def command(self, *arguments, expected=(0,)):
        """A command beside the server, and what it says. It may refuse; it may not end by a signal."""
        done = subprocess.run(
            [self.context.program, *arguments, "--config", f"{self.context.folder}/config"], capture_output=True, text=True,
            env=environment(), timeout=120)
        words = (done.stdout + done.stderr).strip()
        self.context.expect(
            done.returncode in expected, f"zumod {' '.join(arguments[:2])} ends with {done.returncode}: {words[-300:]}")
        return words

    def ask(self, client, method, target, value=None, expected=(200, 400)):
        answer = client.ask(method, target, value)
        self.context.expect(answer.status in expected, f"{method} {target} is answered {answer.status}: {answer.text[:200]!r}")
        return answer

    # What is done to a table.

    def look(self, table, columns, constants, calculations):
        """Reads it in every way that touches a column."""
        ids = {row["id"] for row in self.ask(self.v2, "GET", f"/tables/{table}?$top=1000").json()}
        for id in sorted(ids)[:50]:
            self.ask(self.v2, "GET", f"/tables/{table}/{id}")
        for column in columns:
            conditions = [f"{column} {sign} {value}" for value in constants[column] for sign in ("eq", "ne", "lt", "le", "gt", "ge")]
            conditions += [text.replace("{}", column) for text in calculations.get(column, [])] + [f"{column} eq null"]
            for condition in conditions:
                for client, text in ((self.v2, condition), (self.v3, condition.replace("datetimeoffset'", "").rstrip("'")
                                                           if "datetimeoffset" in condition else condition)):
                    self.ask(client, "GET", query(f"/tables/{table}", filter=text))
            for order in (column, f"{column} desc"):
                self.walk(self.v3, table, order, ids)
                self.walk(self.v2, table, order, ids)

    def walk(self, client, table, order, ids):
        """Every row once, page by page."""
        found, target = [], query(f"/tables/{table}", orderby=order)
        while target and len(found) <= len(ids):
            answer = client.ask("GET", target)
            if answer.status != 200:
                return self.context.fail(f"GET {target} is answered {answer.status}: {answer.text[:200]!r}")
            page = answer.json()
            rows = page["items"] if isinstance(page, dict) else page
            found += [row["id"] for row in rows]
            if client is self.v2:
                # v2's link is in a field that this client doesn't read; it skips instead.
                target = query(f"/tables/{table}", orderby=order, skip=len(found)) if rows and len(found) < len(ids) else None
            else:
                link = page.get("nextLink")
                target = followed(link, target) if link else None
        self.context.expect(
            sorted(found) == sorted(ids), f"{table} by {order}: {len(found)} rows of {len(ids)}, {len(set(found))} different")

    def bring_back(self, table):
        """Whole rows as they were read, as old clients write them."""
        for row in self.ask(self.v2, "GET", f"/tables/{table}?$top=1000").json():
            changes = {name: value for name, value in row.items() if name not in ("createdAt", "updatedAt", "version", "deleted")}
            self.ask(self.v2, "PATCH", f"/tables/{table}/{row['id']}", changes)


@case("extremes", "numbers and dates at their ends, in every column, by clients, SQL and files", quick=True,
      tables=TABLES, seconds=400)
def extremes(context):
    fuzz = Fuzz(context)
    for column, texts in SENT.items():
        for number, text in enumerate(texts):
            target = "/tables/Ends"
            answer = fuzz.v2.ask("POST", target, f'{{"id":"{column}-{number}","{column}":{text}}}'.encode())
            context.expect(answer.status in (201, 400), f"{column} = {text} is answered {answer.status}")
    if context.store == "sqlite":
        fuzz.sql("INSERT INTO Ends (id, ratio) VALUES ('inf', 9e999), ('-inf', -9e999)",
                 f"INSERT INTO Ends (id, whole) VALUES ('most', {MOST}), ('least', {-MOST - 1})",
                 "INSERT INTO Ends (id, moment) VALUES ('far', '294276-12-31T00:00:00.000Z'), ('odd', 1e300)")
    else:
        fuzz.sql("INSERT INTO \"Ends\" (id, ratio) VALUES ('inf', 'Infinity'), ('-inf', '-Infinity'), ('nan', 'NaN')",
                 "INSERT INTO \"Ends\" (id, price) VALUES ('pinf', 'Infinity'), ('pnan', 'NaN')",
                 "INSERT INTO \"Ends\" (id, moment) VALUES ('minf', 'infinity'), ('m-inf', '-infinity'), "
                 "('mfar', '294276-12-31 00:00:00+00')")
    fuzz.look("Ends", COLUMNS, CONSTANTS, CALCULATIONS)
    fuzz.bring_back("Ends")
    if context.store == "sqlite":
        # What a shell left that is no date is answered as it is, and no import takes it for one.
        fuzz.sql("DELETE FROM Ends WHERE id IN ('far', 'odd')",
                 "UPDATE Ends SET moment = NULL WHERE id IN ('far', 'odd')")
    links(fuzz)
    ids(fuzz)
    files(fuzz, ["Ends", "Numbered"])
    counters(fuzz)
    if context.store == "postgres":
        adopted(fuzz)
    restored(fuzz)
    fuzz.stop()


def links(fuzz):
    """`$skip` at its end, alone and beside the token of a link."""
    for number in range(120):
        fuzz.ask(fuzz.v2, "POST", "/tables/Numbered", {"words": str(number)}, expected=(201,))
    link = fuzz.ask(fuzz.v3, "GET", "/tables/Numbered", expected=(200,)).json().get("nextLink")
    fuzz.context.expect(link, "a list of 120 rows has no link")
    for client in (fuzz.v2, fuzz.v3):
        fuzz.ask(client, "GET", f"/tables/Numbered?$skip={MOST}")
        fuzz.ask(client, "GET", f"/tables/Numbered?$top={MOST}")
        fuzz.ask(client, "GET", f"/tables/Numbered?$top={MOST}&$skip={MOST}")
        if link:
            target = followed(link, "/tables/Numbered")
            parts = [part for part in target.split("?")[1].split("&") if "skip=" not in part]
            fuzz.ask(client, "GET", "/tables/Numbered?" + "&".join([*parts, f"$skip={MOST}"]))


def ids(fuzz):
    """Ids that leave no room are refused, and harm nobody where they are there all the same."""
    context = fuzz.context
    fuzz.refuses(f'INSERT INTO "Numbered" ("id") VALUES ({MOST})')
    fuzz.refuses(f'UPDATE zumod_tables SET last_stamp = {MOST}')
    file = f"{context.folder}/ids.jsonl"
    for number in (MOST, MOST - 2**32 + 1):
        with open(file, "w") as lines:
            lines.write(json.dumps({"id": number, "words": "x"}) + "\n")
        words = fuzz.command("import", file, "--table", "Numbered", "--database", fuzz.database, expected=(65,))
        context.expect("no numbers would be left" in words, f"an import of the id {number} says {words}")


def counters(fuzz):
    """Versions and stamps at their ends: writes are refused, and nothing else."""
    context = fuzz.context
    is_sqlite = context.store == "sqlite"
    set_version = "UPDATE zumod_counters SET value = {} WHERE name = 'version'" if is_sqlite else (
        "SELECT setval('zumod_version', {})")
    for end, back in [
        (set_version.format(MOST), None),
        (f"UPDATE zumod_tables SET last_stamp = 253402300799999 WHERE name = 'Numbered'", None),
    ]:
        before = fuzz.ask(fuzz.v2, "GET", "/tables/Numbered?$top=5").json()
        fuzz.sql(end)
        for _ in range(2):
            fuzz.ask(fuzz.v2, "POST", "/tables/Numbered", {"words": "x"}, expected=(500, 503))
            fuzz.ask(fuzz.v2, "PATCH", f"/tables/Numbered/{before[0]['id']}", {"words": "x"}, expected=(500, 503))
        context.expect(fuzz.ask(fuzz.v2, "GET", "/tables/Numbered?$top=5").json() == before, "other rows are read")
        words = fuzz.command("verify", "--database", fuzz.database, expected=(65,))
        context.expect("near their end" in words, f"verify says {words}")
        # As an operator mends it: the server is stopped meanwhile.
        fuzz.stop()
        fuzz.sql(set_version.format(1_000_000) if "version" in end else
                 "UPDATE zumod_tables SET last_stamp = 1800000000000 WHERE name = 'Numbered'")
        fuzz.start()
        fuzz.ask(fuzz.v2, "POST", "/tables/Numbered", {"words": "x"}, expected=(201,))


def files(fuzz, tables):
    """Export and import of all of it."""
    context = fuzz.context
    for table in tables:
        file = f"{context.folder}/{table}.jsonl"
        if os.path.exists(file):
            os.remove(file)
        # With 65 it says what isn't in the file as the database has it: dates that no text has.
        fuzz.command("export", "--table", table, "--output", file, "--database", fuzz.database, expected=(0, 65))
        fuzz.command("import", file, "--replace", "--database", fuzz.database)
        fuzz.ask(fuzz.v2, "GET", f"/tables/{table}?$top=1000", expected=(200,))


def adopted(fuzz):
    """A table of another program, with every type at its ends."""
    context = fuzz.context
    columns = ", ".join(f'"{name}" {kind}' for name, (kind, _) in ADOPTED.items())
    fuzz.sql(f'CREATE TABLE "Adopted" (id text PRIMARY KEY, {columns})')
    for name, (_, values) in ADOPTED.items():
        for number, value in enumerate(values):
            fuzz.sql(f"INSERT INTO \"Adopted\" (id, \"{name}\") VALUES ('{name}-{number}', {value})")
    fuzz.command("table", "create", "Adopted", "--adopt", "--yes", "--database", fuzz.database)
    with open(f"{context.folder}/config/tables/Adopted.yaml", "w") as file:
        file.write("pageSize: 5\n")
    fuzz.stop()
    fuzz.start()
    fuzz.look("Adopted", ADOPTED, ADOPTED_CONSTANTS, ADOPTED_CALCULATIONS)
    dates = 'SELECT id, d, l, z FROM "Adopted" WHERE d IS NOT NULL OR l IS NOT NULL OR z IS NOT NULL ORDER BY id'
    before = context.postgres.psql(dates, fuzz.database)
    fuzz.bring_back("Adopted")
    after = context.postgres.psql(dates, fuzz.database)
    context.expect(before == after, f"dates that were brought back as they were shown are others:\n{before}\n{after}")
    # No import takes more digits than a client may send.
    fuzz.sql("DELETE FROM \"Adopted\" WHERE id IN ('n-3', 'n-4')")
    files(fuzz, ["Adopted"])
    os.remove(f"{context.folder}/config/tables/Adopted.yaml")


def restored(fuzz):
    """A database whose ids are near their end comes back from its backup."""
    context = fuzz.context
    if context.store == "sqlite":
        fuzz.sql('DROP TRIGGER "zumod_Numbered.inserted"',
                 'INSERT INTO "Numbered" (id, "createdAt", "updatedAt", version) '
                 f"VALUES ({MOST}, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 5)")
        copy = f"{context.folder}/copy.sqlite3"
        fuzz.command("backup", copy, "--database", fuzz.database)
        fuzz.stop()
        fuzz.database = f"sqlite:{context.folder}/restored.sqlite3"
        words = fuzz.command("restore", copy, "--database", fuzz.database)
    else:
        fuzz.sql('ALTER SEQUENCE "Numbered_id_seq" MAXVALUE 9223372036854775807',
                 f'INSERT INTO "Numbered" (id) VALUES ({MOST - 5})')
        fuzz.stop()
        words = fuzz.command("restore", "--database", fuzz.database)
    context.expect("ids of the table Numbered" in words, f"restore says {words}")
    fuzz.start()
    fuzz.ask(fuzz.v2, "GET", "/tables/Numbered?$top=5", expected=(200,))
    for _ in range(3):
        fuzz.ask(fuzz.v2, "POST", "/tables/Numbered", {"words": "x"}, expected=(201, 500, 503, 507))
    fuzz.ask(fuzz.v2, "POST", "/tables/Ends", {"words": "x"}, expected=(201,))
    context.expect("near their end" in fuzz.command("verify", "--database", fuzz.database, expected=(65,)), "verify is silent")
