"""What the stores do by themselves: the same rows and statements in a loop of C on one connection, without HTTP or JSON."""

import pathlib
import sqlite3
import statistics
import subprocess

import serving

ROWS = 10_000
COLUMNS = ("id text primary key, created_at text, updated_at text, version bigint, deleted boolean, text text, "
           "number bigint, complete boolean, rank bigint")
STATEMENTS = {
    "point read": "SELECT * FROM item WHERE id = 'row-' || substr('000000' || ($1 % 10000), -7)",
    "pull of 50": "SELECT * FROM item WHERE updated_at >= '2020' ORDER BY updated_at, id LIMIT 51",
    "ordered list of 50": "SELECT * FROM item WHERE NOT deleted ORDER BY rank, id LIMIT 51",
    "list of 50": "SELECT * FROM item WHERE NOT deleted AND NOT complete AND number >= 100 ORDER BY number DESC, id LIMIT 51",
    "insert": "INSERT INTO item SELECT 'new-' || $1 || '-' || {random}, '2026', '2026', $1, false, 'Item', $1, true, $1",
}
INDEXES = ["CREATE INDEX item_updated ON item (updated_at, id)", "CREATE INDEX item_rank ON item (rank)"]


def rows():
    for index in range(ROWS):
        row, stamp = serving.row(index, ROWS, 3), f"2026-01-01T00:00:{index // 1000:02}.{index % 1000:03}Z"
        yield row["id"], stamp, stamp, index, False, row["text"], row["number"], row["complete"], row["rank"]


def statement(store, operation):
    text = STATEMENTS[operation]
    if store == "SQLite":
        return text.replace("{random}", "hex(randomblob(6))")
    return (text.replace("substr('000000' || ($1 % 10000), -7)", "lpad(($1::bigint % 10000)::text, 7, '0')")
            .replace("{random}", "gen_random_uuid()").replace("SELECT 'new-' || $1 ", "SELECT 'new-' || $1::bigint "))


def measure(folder, postgres, rounds, seconds):
    folder = folder / "loops"
    folder.mkdir()
    loop, source = folder / "loop", pathlib.Path(__file__).with_name("loops.c")
    include = subprocess.run(["pg_config", "--includedir"], capture_output=True, text=True).stdout.strip()
    subprocess.run(["cc", "-O2", "-I", include or "/usr/include/postgresql", "-o", loop, source, "-lsqlite3", "-lpq"], check=True)
    databases = {"SQLite": str(folder / "rows.sqlite3")}
    with sqlite3.connect(databases["SQLite"]) as database:
        database.execute(f"CREATE TABLE item ({COLUMNS})")
        database.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows())
        for index in INDEXES:
            database.execute(index)
    database.close()
    if postgres:
        url = databases["PostgreSQL"] = postgres.database()
        postgres.ask(f"CREATE TABLE item ({COLUMNS})", url)
        lines = "".join("\t".join(str(value) for value in row) + "\n" for row in rows())
        subprocess.run(["psql", "-Xq", url, "-c", "COPY item FROM STDIN"], input=lines, text=True, check=True)
        for index in [*INDEXES, "VACUUM ANALYZE item"]:
            postgres.ask(index, url)
    found = {}
    for _ in range(rounds):
        for operation in STATEMENTS:
            for store, database in databases.items():
                before = serving.cpu_seconds(postgres.process) if postgres else 0
                output = subprocess.run(
                    [loop, "sqlite" if store == "SQLite" else "postgres", database, str(seconds), statement(store, operation)],
                    check=True, capture_output=True, text=True).stdout
                rate, cpu = map(float, output.split())
                cell = {"per_second": rate, "cpu_us": cpu}
                if store == "PostgreSQL":
                    cell["database_us"] = (serving.cpu_seconds(postgres.process) - before) * 1e6 / (rate * seconds)
                found.setdefault((store, operation), []).append(cell)
    if postgres:
        postgres.drop(databases["PostgreSQL"])
    result = []
    for (store, operation), cells in found.items():
        result.append({"store": store, "operation": operation,
                       **{key: statistics.median(cell[key] for cell in cells) for key in cells[0]}})
        print(f"{store} by itself: {operation:<18} {result[-1]['per_second']:>10,.0f} a second on one connection, "
              f"{result[-1]['cpu_us']:.1f} CPU µs each", flush=True)
    return result
