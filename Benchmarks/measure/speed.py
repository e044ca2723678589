"""Measures operations under load on both stores, and writes Benchmarks/measure/speed.json.

Every figure is the median of the rounds, and the rounds go through all there is to compare before they begin again, so
that a busy minute of the machine falls on all. Load, server and database share the machine.

usage: [scripts/test-postgres] python3 -B Benchmarks/measure speed [--program PROGRAM] [--quick]
"""

import itertools
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import tempfile
import time

import load
import loops
import pocketbase
import serving

RESULTS = pathlib.Path(__file__).with_name("speed.json")
CONNECTIONS = [1, 16, 64, 256, 1024]
READS, WRITES = ["point read", "pull of 50", "ordered list of 50", "list of 50"], ["insert", "update"]


def plan(quick):
    """Rows, columns, and the numbers of connections; then the rounds and the seconds of each measurement."""
    if quick:
        return [(10_000, 3, CONNECTIONS), (100_000, 3, [16]), (10_000, 200, [16])], 1, 0.5
    # A million rows of 200 columns would be a test of the disk: what grows with either is measured apart.
    return [(10_000, 3, CONNECTIONS), (1_000_000, 3, CONNECTIONS), (10_000, 200, CONNECTIONS)], 2, 1


def medians(cells):
    """One cell of the rounds of the same one."""
    numbers = {name: statistics.median(cell[name] for cell in cells)
               for name, value in cells[0].items() if isinstance(value, (int, float))}
    # What many connections have left behind is in every later round.
    return {**cells[0], **numbers, "megabytes": min(cell["megabytes"] for cell in cells)}


class Target:
    """A table with its rows on one store, served."""

    def __init__(self, program, folder, store, postgres, rows, columns):
        self.store, self.rows, self.columns, self.postgres = store, rows, columns, postgres
        folder.mkdir()
        configuration = serving.write_configuration(folder, columns)
        self.database = postgres.database() if postgres else f"sqlite:{folder}/rows.sqlite3"
        with open(folder / "Item.jsonl", "w") as file:
            for index in range(rows):
                file.write(json.dumps(serving.row(index, rows, columns)) + "\n")
        began = time.monotonic()
        subprocess.run([program, "import", folder / "Item.jsonl", "--config", configuration, "--database", self.database],
                       check=True, stdout=subprocess.DEVNULL, env=serving.clean_environment())
        self.import_seconds = time.monotonic() - began
        (folder / "Item.jsonl").unlink()
        if postgres:
            postgres.ask("VACUUM ANALYZE", self.database)
        self.server = serving.Server(program, folder, self.database)
        self.idle_megabytes = serving.resident_megabytes(self.server.pid)

    def measure(self, operation, connections, seconds):
        processes = {"server": self.server.pid, **({"database": self.postgres.process} if self.postgres else {})}
        cell = load.measure(self.server.port, operation, connections, seconds, self.rows, processes)
        for process in processes.values():
            serving.rest(process, 10)
        self.server.forget_log()
        return {"store": self.store, "rows": self.rows, "columns": self.columns, **cell,
                "megabytes": serving.resident_megabytes(self.server.pid)}

    def close(self):
        self.server.stop()
        if self.postgres:
            self.postgres.drop(self.database)


def show(cell):
    database = f", {cell['database_us']:.0f} of the database" if "database_us" in cell else ""
    failed = f"  FAILED {cell['failed']:.0f}" if cell["failed"] else ""
    print(f"{cell['store']:<10} {cell['rows']:>9,} rows {cell['columns']:>3} columns  {cell['operation']:<18} "
          f"{cell['connections']:>4} connections {cell['per_second']:>8,.0f} requests/s  p50 {cell['p50_ms']:.1f} ms  "
          f"p99 {cell['p99_ms']:.1f} ms  {cell['server_us']:.0f} CPU µs a request{database}  {cell['megabytes']:.0f} MB{failed}",
          flush=True)


def measure_shape(program, folder, postgres, shape, rounds, seconds):
    rows, columns, numbers = shape
    stores = {"SQLite": None, **({"PostgreSQL": postgres} if postgres else {})}
    targets = [Target(program, folder / f"{store}-{rows}-{columns}", store, server, rows, columns)
               for store, server in stores.items()]
    found = {}
    try:
        # All that writes comes after all that reads, or every round would find another table.
        for operations in (READS, WRITES):
            for operation, connections in [pair for _ in range(rounds) for pair in itertools.product(operations, numbers)]:
                for target in targets:
                    cell = target.measure(operation, connections, seconds)
                    found.setdefault((target.store, operation, connections), []).append(cell)
    finally:
        for target in targets:
            target.close()
    cells = [medians(each) for each in found.values()]
    memory = [{"store": target.store, "rows": rows, "columns": columns, "idle_megabytes": target.idle_megabytes,
               "import_seconds": target.import_seconds} for target in targets]
    for target in targets:
        shutil.rmtree(folder / f"{target.store}-{rows}-{columns}", ignore_errors=True)
    for cell in cells:
        show(cell)
    return cells, memory


def main(program, quick):
    serving.need("wrk", "nginx")
    program = pathlib.Path(program)
    if not program.exists():
        raise SystemExit(f"error: there is no release build at {program}; make bench makes one")
    url = os.environ.get("ZUMOD_TEST_POSTGRES_URL")
    postgres = serving.Postgres(url) if url else None
    if postgres:
        postgres.write_durably()
    shapes, rounds, seconds = plan(quick)
    busy = os.getloadavg()[0]
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        cells, memory = [], []
        for shape in shapes:
            more_cells, more_memory = measure_shape(program, folder, postgres, shape, rounds, seconds)
            cells, memory = cells + more_cells, memory + more_memory
        others = load.beside_nginx(program, folder, rounds, seconds)
        raw = loops.measure(folder, postgres, rounds, seconds)
        neighbour = pocketbase.measure(folder, rounds, seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
    RESULTS.write_text(json.dumps({
        "form": "quick" if quick else "whole", "date": time.strftime("%Y-%m-%d", time.gmtime()), "rounds": rounds,
        "seconds": seconds, "machine": f"{os.cpu_count()} virtual cores, {platform.machine().replace('_', '-')}",
        "load_before": round(busy, 1), "zumod": version,
        "postgresql": postgres.ask("SHOW server_version").split()[0] if postgres else None,
        "cells": [tidy(cell) for cell in cells], "memory": [tidy(cell) for cell in memory],
        "nginx": [tidy(cell) for cell in others], "raw": [tidy(cell) for cell in raw],
        "pocketbase": neighbour and {**neighbour, "cells": [tidy(cell) for cell in neighbour["cells"]]},
    }, indent=1) + "\n")


def tidy(cell):
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in cell.items()}
