"""Puts real proxies between apps and the server, by our recipes as printed and as they come, and tries what apps do.

    [scripts/test-postgres] python3 -B Tests/proxies [--quick] [--proxy NAME]... [--case NAME]... [--program FILE]

Prints a line for each case and a column for each proxy: "ok", a letter for an outcome that docs/proxies.md tells of
proxies as they come, or BAD. Ends with 1 where one is bad, which an outcome on that page that didn't come out is too.
"""

import argparse
import concurrent.futures
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback

import apache, caddy, haproxy, nginx, squid, varnish  # noqa: E401, F401, which register themselves
import matrix  # noqa: F401, which registers the cases
from backend import Broken, Database, Server, token
from client import Wrong
from proxy import SETUPS, Running, documented
from visit import CASES, Visit


def arguments():
    parser = argparse.ArgumentParser(prog="proxies", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--proxy", action="append", help="only this one; may be repeated, and be a part of a name")
    parser.add_argument("--case", action="append", help="only this one; may be repeated")
    parser.add_argument("--quick", action="store_true", help="without what takes more than some seconds")
    parser.add_argument("--program", default=".build/release/zumod")
    parser.add_argument("--keep", action="store_true", help="leaves configurations, logs and databases there")
    parser.add_argument("--list", action="store_true", help="names proxies and cases")
    return parser.parse_args()


def attempt(case, visit):
    """What came out, and what else is known of it."""
    try:
        case.run(visit)
        return "ok", ""
    except Wrong as wrong:
        return wrong.outcome, wrong.detail
    except Broken as error:
        return "broken", str(error)
    except Exception:
        return "broken", traceback.format_exc().strip().replace("\n", " | ")
    finally:
        visit.end()


def outcome(case, site, servers, tokens):
    """In a word where all generations agree."""
    found = {generation: attempt(case, Visit(site, generation, servers, tokens)) for generation in case.generations}
    by_word = {}
    for generation, (word, _) in found.items():
        by_word.setdefault(word, []).append(generation)
    if len(by_word) > 1:
        by_word.pop("ok", None)
        told = ", ".join(f"{word} in {' and '.join(generations)}" for word, generations in by_word.items())
    else:
        told = next(iter(by_word))
    return told, "; ".join(f"{name}: {detail}" for name, (_, detail) in found.items() if detail)


def perform(setup, cases, options):
    """Outcomes by case."""
    folder = tempfile.mkdtemp(prefix="zumod-proxies-")
    os.chmod(folder, 0o755)
    servers, proxy, database, results = [], None, None, {}
    began = time.monotonic()
    try:
        database = Database(folder, setup.servers)
        for number in range(database.servers):
            servers.append(Server(
                os.path.abspath(options.program), f"{folder}/server", database.url, f"server{number}",
                megabytes=8 if options.quick else 64))
        proxy = Running(setup, f"{folder}/proxy", [server.port for server in servers])
        tokens = {user: token(user) for user in ("ann", "bob")}
        for case in cases:
            results[case.name] = outcome(case, proxy.site, servers, tokens)
        for server in servers:
            server.stop()
    except Exception as error:
        told = str(error) if isinstance(error, Broken) else traceback.format_exc().strip().replace("\n", " | ")
        for case in cases:
            results.setdefault(case.name, ("broken", told))
    finally:
        if proxy:
            proxy.kill()
        for server in servers:
            server.kill()
        if database:
            database.drop()
        if options.keep:
            print(f"{setup.name} is kept in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return results, time.monotonic() - began


def report(setups, cases, found, told):
    """The table, then what is behind its letters. Returns how many failed."""
    width = max(len(case.name) for case in cases)
    letters, failures = {}, []
    for number, (setup, _) in enumerate(zip(setups, found)):
        print(f"{'':<{width}}  {'|   ' * number}{setup.name}")
    for case in cases:
        cells = []
        for setup, (results, _) in zip(setups, found):
            result, detail = results[case.name]
            wanted = told.get((setup.plain_name, case.name), "ok")
            if result != wanted:
                failures.append(f"{case.name} by {setup.name}: {result} instead of {wanted}\n    {detail[:500]}")
                cells.append("BAD")
            else:
                cells.append("ok" if result == "ok" else letters.setdefault(result, chr(ord("a") + len(letters))))
        print(f"{case.name:<{width}}  " + " ".join(f"{cell:<3}" for cell in cells))
    print(f"{'seconds':<{width}}  " + " ".join(f"{seconds:<3.0f}" for _, seconds in found))
    for word, letter in letters.items():
        print(f"{letter}: {word}, as docs/proxies.md says")
    for line in failures:
        print(f"FAILED: {line}")
    print(f"{len(failures)} failed" if failures else "all came out as they have to")
    return len(failures)


def main():
    options = arguments()
    setups = [each for each in SETUPS if not options.proxy or any(name in each.name for name in options.proxy)]
    cases = [each for each in CASES if (each.name in options.case if options.case else each.quick or not options.quick)]
    if options.list:
        print("\n".join(f"{each.name:<24} {each.program}" for each in SETUPS) + "\n")
        print("\n".join(f"{each.name:<32} {'quick' if each.quick else ''}" for each in CASES))
        return 0
    if not setups or not cases:
        print("there is no such proxy or case; --list names them", file=sys.stderr)
        return 2
    missing = sorted({each.program for each in setups if not each.executable})
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    told = documented()
    known = {each.plain_name for each in SETUPS}, {each.name for each in CASES}
    unknown = [pair for pair in told if pair[0] not in known[0] or pair[1] not in known[1]]
    if unknown:
        print(f"docs/proxies.md tells of what isn't tried: {unknown}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with concurrent.futures.ThreadPoolExecutor(max_workers=3 if options.quick else 6) as pool:
        found = list(pool.map(lambda each: perform(each, cases, options), setups))
    return 1 if report(setups, cases, found, told) else 0


if __name__ == "__main__":
    sys.exit(main())
