"""Counts the instructions of eight requests on both stores, and compares them with what is committed.

Instructions, unlike time, are the same on a busy machine. Cachegrind counts those of the zumod process in user mode.
A run with more requests of one kind, less one without, divided by their number, leaves out the start. What is off is
counted twice more and judged by the least: timers that go off meanwhile only add to it. The program's own clock goes
as much slower as Cachegrind makes the program (slow_clock.c), so that what is short stays short.

usage: [scripts/test-postgres] python3 -B Benchmarks/measure instructions --program PROGRAM [--update]
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import serving

FIGURES = pathlib.Path(__file__).with_name("instructions.json")
TOLERANCE = 0.03
ROWS, WARM, MORE = 200, 30, 600
# Those that add rows come last: a list of all that follows would be counted for them.
KINDS = ["point read", "point read with a token", "pull of 50", "list of 50", "page of 5 with a link", "update", "insert",
         "insert of an installation"]
# The settings of a server that has what is to be counted; requests without a token don't notice.
SETTINGS = "pageSize: 5\nauth: { signingKey: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff }\n"


def perform(client, kind, number, state, token):
    if kind == "point read":
        client.ask("GET", "/tables/Item/" + serving.row_id(5))
    elif kind == "point read with a token":
        client.ask("GET", "/tables/Item/" + serving.row_id(5), fields={"X-ZUMO-AUTH": token})
    elif kind == "pull of 50":
        client.ask("GET", serving.PULL)
    elif kind == "list of 50":
        client.ask("GET", serving.LIST)
    elif kind == "page of 5 with a link":
        client.ask("GET", "/tables/Item")
    elif kind == "insert":
        insert(client, f"new-{number:07d}", number)
    elif kind == "insert of an installation":
        insert(client, f"known-{number:07d}", number, {"X-ZUMO-INSTALLATION-ID": "7c1a5f0e-6d1b-4a57-9f0b-0d1c2b3a4e5f"})
    else:
        path = "/tables/Item/" + serving.row_id(1)
        if not state:
            state.append(client.ask("GET", path)[1])
        state[0] = client.ask("PATCH", path, {"text": f"Item {number:07d}"}, fields={"If-Match": state[0]})[1]


def insert(client, id, number, fields=()):
    client.ask("POST", "/tables/Item", {"id": id, "text": "Item", "number": number, "complete": False, "rank": number},
               fields=fields)


def slow_clock(folder):
    """What a program is to load first, for a clock that is as slow as the program."""
    library = pathlib.Path(folder) / "slow_clock.so"
    compiler = shutil.which("clang") or "cc"
    source = pathlib.Path(__file__).with_name("slow_clock.c")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def total(program, clock, postgres, kind):
    """The instructions of a whole life: every request some times, and one kind more often."""
    folder = pathlib.Path(tempfile.mkdtemp())
    database = postgres.database() if postgres else f"sqlite:{folder}/rows.sqlite3"
    try:
        configuration = serving.write_configuration(folder, 3)
        (configuration / "zumod.yaml").write_text(SETTINGS)
        (configuration / "tables" / "Item.jsonl").write_text(
            "".join(json.dumps(serving.row(index, ROWS, 3)) + "\n" for index in range(ROWS)))
        counted = folder / "counted"
        token = subprocess.run([program, "token", "--config", configuration, "--user", "sid:1"], check=True, text=True,
                               capture_output=True, env=serving.clean_environment()).stdout.strip()
        server = serving.Server(
            program, folder, database,
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={counted}"],
            # Else every run has other collisions in its hash tables.
            {"SWIFT_DETERMINISTIC_HASHING": "1", "LD_PRELOAD": clock})
        try:
            client, state = serving.Client(server.port), []
            for each in KINDS:
                for number in range(WARM + (MORE if each == kind else 0)):
                    perform(client, each, number, state, token)
        finally:
            server.stop()
        return int(re.search(r"summary: (\d+)", counted.read_text())[1])
    finally:
        if postgres:
            postgres.drop(database)
        shutil.rmtree(folder, ignore_errors=True)


def count(program, clock, postgres, kinds):
    """Instructions per request, by kind."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        base, *others = pool.map(lambda kind: total(program, clock, postgres, kind), [None, *kinds])
    return {kind: round((other - base) / MORE) for kind, other in zip(kinds, others)}


def dearer(figure, expected):
    return not expected or figure > expected * (1 + TOLERANCE)


def compiler():
    """What the figures depend on besides the code: the C library takes other ways on other processors."""
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", text)
    processor = pathlib.Path("/proc/cpuinfo")
    flags = set(processor.read_text().split()) if processor.exists() else set()
    features = [flag for flag in ["avx2", "avx512f", "erms", "fsrm"] if flag in flags]
    library = " ".join(os.confstr("CS_GNU_LIBC_VERSION").split()) if "CS_GNU_LIBC_VERSION" in os.confstr_names else "?"
    return f"Swift {found[1] if found else '?'}, {library}, {' '.join([os.uname().machine, *features])}"


def main(program, update):
    with tempfile.TemporaryDirectory() as folder:
        return compare(program, slow_clock(folder), update)


def compare(program, clock, update):
    serving.need("valgrind")
    if not pathlib.Path(program).exists():
        print(f"instructions: not counted, since there is no release build at {program}; "
              "make bench-instructions makes one")
        return 0
    committed = json.loads(FIGURES.read_text()) if FIGURES.exists() else {"compiler": "", "figures": {}}
    url = os.environ.get("ZUMOD_TEST_POSTGRES_URL")
    stores = {"SQLite": None, **({"PostgreSQL": serving.Postgres(url)} if url else {})}
    if committed["compiler"] != compiler() and not update:
        print(f"not counted, since the figures are those of {committed['compiler'] or 'no compiler'}, and this is {compiler()}; "
              "once you trust the new compiler, write its figures by: make bench-instructions UPDATE=1")
        return 0
    figures, failures = {}, 0
    for store, postgres in stores.items():
        runs = [count(program, clock, postgres, KINDS)]
        expected = committed["figures"].get(store, {})
        again = KINDS if update else [kind for kind in KINDS if dearer(runs[0][kind], expected.get(kind))]
        if again:
            runs += [count(program, clock, postgres, again) for _ in range(2)]
        figures[store] = {}
        for kind in KINDS:
            figure = (round(statistics.median(run[kind] for run in runs)) if update
                      else min(run[kind] for run in runs if kind in run))
            figures[store][kind] = figure
            bound = expected.get(kind, 0)
            bad = not update and dearer(figure, bound)
            failures += bad
            change = f"{(figure / bound - 1) * 100:+.1f} % of {bound:,}" if bound else "no figure is committed"
            change += f", bound +{TOLERANCE * 100:.0f} %" if bad else ""
            word = "FAILED  " if bad else "counted " if update else "ok      "
            print(f"{word}{kind} on {store}: {figure:,} instructions a request ({change})", flush=True)
    if update:
        committed = {"compiler": compiler(), "figures": {**committed["figures"], **figures}}
        FIGURES.write_text(json.dumps(committed, indent=2) + "\n")
        print(f"written: Benchmarks/measure/{FIGURES.name}, {compiler()}")
    elif failures:
        print(f"{failures} figures are beyond the bound: find out why. What is meant is written by: "
              "make bench-instructions UPDATE=1")
    return 1 if failures else 0
