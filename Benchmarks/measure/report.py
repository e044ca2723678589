"""Writes the tables of docs/performance.md, between its markers, and the charts, from speed.json."""

import json
import pathlib
import re

import charts

HOME = pathlib.Path(__file__).resolve().parents[2]
PAGE = HOME / "docs" / "performance.md"
RESULTS = pathlib.Path(__file__).with_name("speed.json")


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
                      *("| " + " | ".join(str(word) for word in row) + " |" for row in rows)])


def number(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def row(cell, seconds):
    # Of a few requests in a second nothing can be said but that they were few.
    if cell["per_second"] * seconds < 20:
        return [number(cell["per_second"]), "–", "–", "–", number(cell["megabytes"]), "–"]
    return [number(cell["per_second"]), f"{number(cell['p50_ms'])} / {number(cell['p99_ms'])}", number(cell["server_us"]),
            number(cell["database_us"]) if "database_us" in cell else "–", number(cell["megabytes"]),
            number(cell["failed"]) if cell["failed"] else "–"]


MEASURED = ["requests a second", "p50 / p99, ms", "CPU of zumod, µs a request", "of PostgreSQL, µs", "memory of zumod, MB",
            "failed"]


def about(results):
    form = {"quick": "the quick form, `make bench QUICK=1`: figures of one short measurement each, good for orders of magnitude",
            "whole": "the whole form, `make bench`"}[results["form"]]
    seconds = max(1, round(results["seconds"]))
    rounds = "one round" if results["rounds"] == 1 else f"the median of {results['rounds']} rounds"
    return (f"Measured on {results['date']} by {form}; each for {seconds} s, {rounds}. {results['machine']}, which server, "
            f"database and load share; {results['zumod']}"
            + (f", PostgreSQL {results['postgresql']}" if results["postgresql"] else "")
            + (f". Other work kept the machine busy as it began (load {results['load_before']:g}), so that requests a second and "
               "times are worse than a quiet machine's" if results["load_before"] > 1 else "") + ".")


def connections(results):
    first = results["cells"][0]
    cells = [cell for cell in results["cells"] if (cell["rows"], cell["columns"]) == (first["rows"], first["columns"])]
    return "\n\n".join(
        f"**{store}**\n\n" + table(["request", "connections", *MEASURED],
                                   [[cell["operation"], f"{cell['connections']:,}", *row(cell, results["seconds"])]
                                    for cell in cells if cell["store"] == store])
        for store in dict.fromkeys(cell["store"] for cell in cells))


def shapes(results):
    cells = [cell for cell in results["cells"] if cell["connections"] == 16]
    cells.sort(key=lambda cell: (cell["store"] != "SQLite", cell["operation"]))
    return table(["request", "store", "rows", "columns", *MEASURED],
                 [[cell["operation"], cell["store"], f"{cell['rows']:,}", cell["columns"], *row(cell, results["seconds"])]
                  for cell in cells])


def memory(results):
    return table(["store", "rows", "columns", "memory of zumod when started, MB", "import, s"],
                 [[cell["store"], f"{cell['rows']:,}", cell["columns"], number(cell["idle_megabytes"]),
                   number(cell["import_seconds"])] for cell in results["memory"]])


def others(results):
    nginx = table(["64 connections", "requests a second", "p50 / p99, ms", "CPU, µs a request"],
                  [[{"zumod": "zumod, point read", "nginx": "nginx, a file as large"}[cell["server"]],
                    number(cell["per_second"]), f"{number(cell['p50_ms'])} / {number(cell['p99_ms'])}",
                    number(cell["server_us"])] for cell in results["nginx"]])
    raw = table(["one connection, no HTTP", "store", "a second", "CPU of the loop, µs", "of PostgreSQL, µs"],
                [[cell["operation"], cell["store"], number(cell["per_second"]), number(cell["cpu_us"]),
                  number(cell["database_us"]) if "database_us" in cell else "–"] for cell in results["raw"]])
    neighbour = results["pocketbase"]
    if not neighbour:
        return "\n\n".join([nginx, raw, "PocketBase: not available where this was measured."])
    ours = {(cell["operation"], cell["connections"]): cell for cell in results["cells"]
            if (cell["store"], cell["rows"], cell["columns"]) == ("SQLite", 10_000, 3)}
    rows = []
    for cell in neighbour["cells"]:
        mine = ours.get((cell["operation"], cell["connections"]))
        if mine:
            rows.append([cell["operation"], cell["connections"], f"{number(mine['per_second'])} / {number(cell['per_second'])}",
                         f"{number(mine['server_us'])} / {number(cell['server_us'])}",
                         f"{number(mine['megabytes'])} / {number(cell['megabytes'])}"])
    return "\n\n".join([nginx, raw, table(["10,000 rows on SQLite", "connections", "requests a second, zumod / PocketBase "
                                           + neighbour["version"], "CPU, µs a request", "memory, MB"], rows)])


def draw(results):
    first = results["cells"][0]
    cells = [cell for cell in results["cells"] if (cell["rows"], cell["columns"]) == (first["rows"], first["columns"])]
    for name, title, unit, key, connections in [
            ("requests", "Requests a second at 64 connections", f"{first['rows']:,} rows", "per_second", 64),
            ("cpu", "CPU of zumod for a request at 64 connections", "µs", "server_us", 64)]:
        groups = {}
        for cell in cells:
            if cell["connections"] == connections:
                groups.setdefault(cell["operation"], {})[cell["store"]] = cell[key]
        (HOME / "docs" / "images" / f"performance-{name}.svg").write_text(charts.bars(title, unit, list(groups.items())))


def write():
    results = json.loads(RESULTS.read_text())
    page = PAGE.read_text()
    for name, make in {"about": about, "connections": connections, "shapes": shapes, "memory": memory,
                       "others": others}.items():
        marker = re.compile(rf"(<!-- measured: {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        page, found = marker.subn(lambda match: f"{match[1]}\n{make(results)}\n{match[2]}", page)
        if found != 1:
            raise SystemExit(f"error: docs/performance.md has {found} places for '{name}' in the place of one")
    PAGE.write_text(page)
    draw(results)
    print("written: docs/performance.md, docs/images/performance-*.svg")
