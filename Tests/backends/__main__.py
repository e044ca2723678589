"""Serves whole projects of old backends, and compares what they answer with what the original answered.

    [scripts/test-postgres] python3 Tests/backends [--program FILE] [--store sqlite|postgres] [--only GROUP]

Each folder has a `project`, `requests.json`, what the original answered in `answers-N.jsonl`, by the version of its SDK, and in
`decided.json` what is otherwise by decision: of all versions and of each, label by label with the reason. A label that differs
and isn't decided is a failure, and so is one that is decided and doesn't differ.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import uuid

from answers import Answer, differences
from wire import ask

HERE = pathlib.Path(__file__).resolve().parent
KEY = "5a17" * 16


def start(program, project, database, folder):
    """A server, and the port on which it listens."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ZUMOD_")}
    # The original was one process, in whose variables a project may keep things.
    environment |= {"ZUMOD_AUTH_SIGNING_KEY": KEY, "ZUMOD_SCRIPTS_TIME_SECONDS": "60", "ZUMOD_SCRIPTS_WORKERS": "1"}
    log = open(folder / "log", "w")
    server = subprocess.Popen(
        [program, "serve", "--app", project, "--database", database, "--port", "0"],
        env=environment, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder)
    line = server.stdout.readline()
    found = re.match(r"zumod listening on http://[^:]+:(\d+)", line)
    if not found:
        server.kill()
        sys.exit(f"error: {project} does not start:\n{(folder / 'log').read_text()}")
    return server, int(found.group(1))


def databases(store, folder):
    """What each store is called by the server."""
    if store != "postgres":
        yield "SQLite", f"sqlite:{folder}/rows.db"
    url = os.environ.get("ZUMOD_TEST_POSTGRES_URL")
    if url and store != "sqlite":
        schema = f"backends_{uuid.uuid4().hex}"
        subprocess.run(["psql", "-q", url, "-c", f"CREATE SCHEMA {schema}"], check=True)
        yield "PostgreSQL", f"{url}?options={urllib.parse.quote('-csearch_path=' + schema)}"
        subprocess.run(["psql", "-q", url, "-c", f"SET client_min_messages = error; DROP SCHEMA {schema} CASCADE"], check=True)


def play(folder, port, only):
    """Sends all requests in their order; gives what was answered, by label."""
    requests = json.loads((folder / "requests.json").read_text())
    return {request["label"]: Answer(ask(port, request, KEY), port)
            for request in requests if request["label"].startswith(only)}


def compare(folder, file, got):
    """The labels whose answers differ from those in a file, with how, and how many were compared."""
    scripts = "\n".join(each.read_text() for each in sorted((folder / "project").rglob("*.js")))
    wanted = [answer for answer in map(json.loads, file.read_text().splitlines())
              if answer["label"] in got and not answer.get("artefact")]
    found = {answer["label"]: differences(answer, got[answer["label"]], scripts) for answer in wanted}
    return {label: off for label, off in found.items() if off}, len(wanted)


def main():
    parser = argparse.ArgumentParser(prog="backends", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default=".build/debug/zumod")
    parser.add_argument("--store", choices=["sqlite", "postgres"])
    parser.add_argument("--only", default="", help="the labels that begin so")
    given = parser.parse_args()
    program, failed = str(pathlib.Path(given.program).resolve()), False
    for folder in sorted(path.parent for path in HERE.glob("*/requests.json")):
        decided = json.loads((folder / "decided.json").read_text())
        with tempfile.TemporaryDirectory() as work:
            for store, database in databases(given.store, pathlib.Path(work)):
                server, port = start(program, folder / "project", database, pathlib.Path(work))
                try:
                    got = play(folder, port, given.only)
                finally:
                    server.send_signal(signal.SIGTERM)
                    code = server.wait()
                for file in sorted(folder.glob("answers-*.jsonl")):
                    version = file.stem.removeprefix("answers-")
                    name = f"{folder.name} of SDK {version} on {store}"
                    reasons = decided["all"] | decided[version]
                    found, count = compare(folder, file, got)
                    for label, off in found.items():
                        if label not in reasons:
                            failed = True
                            print(f"{name}: {label}\n    " + "\n    ".join(off))
                    for label in reasons:
                        if label not in found and label.startswith(given.only):
                            failed = True
                            print(f"{name}: {label} is decided otherwise, and is as the original")
                    print(f"{name}: {count - len(found)} of {count} as the original")
                if code != 0:
                    failed = True
                    print(f"{folder.name} on {store}: the server ended with {code}")
    sys.exit(1 if failed else 0)


main()
