"""Lets hostile clients and broken neighbours at the server, one kind at a time, while somebody else just uses it.

    [scripts/test-postgres] python3 Tests/hostile [--quick] [--case NAME]... [--store sqlite|postgres] [--program FILE]

Prints a line for each case and ends with 1 where one failed. A probe reads, lists, writes and asks for health meanwhile:
each answer within a second, except what a case attacks; every acknowledged write is there afterwards, once; the server's
memory stays under 1 GiB, comes back under 150 MB, and it ends in good order.
"""

import argparse
import collections
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback

import cases  # noqa: F401, which registers all of them
from context import Context
from registry import CASES
from server import Broken, Postgres

MEMORY = 1024  # MB at most
MEMORY_AFTER = 150  # MB at most, some seconds later
ONE_REQUEST = 1.0  # seconds, for whatever a case does not attack


def arguments():
    parser = argparse.ArgumentParser(prog="hostile", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--case", action="append", help="only this one; may be repeated")
    parser.add_argument("--store", choices=["sqlite", "postgres"], help="only on this one")
    parser.add_argument("--quick", action="store_true", help="some cases, each for some seconds; every bound of time is multiplied by how many\n"
                        "times slower than usual the server answers before the case begins, at most 5")
    parser.add_argument("--program", default=".build/release/zumod")
    parser.add_argument("--slack", type=float, default=None,
                        help="seconds added to every bound: 0, and 2 with --quick, for a program built for debugging")
    parser.add_argument("--keep", action="store_true", help="leaves logs and databases there")
    parser.add_argument("--list", action="store_true", help="names the cases")
    return parser.parse_args()


def late(*_):
    raise Broken("the case takes too long")


def ended(number, _):
    raise SystemExit(128 + number)


def judge(case, context):
    """What went wrong."""
    faults = list(context.faults)
    for kind, entries in context.probed().items():
        allowed = case.attacks.get(kind)
        bound = context.within(allowed.seconds if allowed else ONE_REQUEST)
        worst = max((seconds for _, seconds, _, _ in entries), default=0)
        if worst > bound:
            faults.append(f"a {kind} took {worst:.1f} s, more than {bound:.1f} s")
        wrong = collections.Counter(status for _, _, status, is_good in entries if not is_good)
        if wrong and not (allowed and allowed.gap):
            faults.append(f"{kind}s failed: " + ", ".join(f"{count} × {status}" for status, count in wrong.items()))
        gap = context.gap(entries)
        if allowed and allowed.gap and gap > context.within(allowed.gap):
            faults.append(f"no {kind} succeeded for {gap:.1f} s, more than {context.within(allowed.gap):.1f} s")
        if not entries:
            faults.append(f"the probe made no {kind}")
    if context.peak > MEMORY:
        faults.append(f"zumod took {context.peak:.0f} MB")
    if context.backends > MEMORY:
        faults.append(f"PostgreSQL's backends took {context.backends:.0f} MB")
    if context.after > MEMORY_AFTER:
        faults.append(f"zumod kept {context.after:.0f} MB")
    return faults


def perform(case, store, options, slack):
    folder = tempfile.mkdtemp(prefix="zumod-hostile-")
    os.chmod(folder, 0o755)
    context = None
    faults = []
    start = time.monotonic()
    signal.alarm(case.seconds + 120)
    try:
        context = Context(case, store, folder, os.path.abspath(options.program), options.quick, slack)
        context.start()
        case.run(context)
        context.finish()
    except Broken as error:
        faults.append(str(error))
    except Exception:
        faults.append("the case itself failed: " + traceback.format_exc().strip().replace("\n", " | "))
    finally:
        signal.alarm(0)
        if context is not None:
            context.close()
    if context is not None and context.result:
        faults += judge(case, context)
    elif context is not None:
        faults += context.faults
    report(case, store, context, faults, time.monotonic() - start)
    if options.keep:
        print(f"    kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return not faults


COLUMNS = "{:<20} {:<9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>5}  {}"


def report(case, store, context, faults, took):
    worst = {"read": "-", "list": "-", "write": "-", "health": "-"}
    figures = ["-", "-", "-"]
    if context is not None and context.result:
        for kind, entries in context.probed().items():
            worst[kind] = f"{max((seconds for _, seconds, _, _ in entries), default=0):.2f}"
        if context.pace > 1:
            context.note(f"the machine is {context.pace:.1f} times slower than usual")
        figures = [f"{context.peak:.0f}", f"{context.after:.0f}", f"{context.backends:.0f}" if store != "sqlite" else "-"]
    print(COLUMNS.format(case.name, store, *worst.values(), *figures, f"{took:.0f}", "FAILED" if faults else "ok"))
    for line in (context.notes if context else []):
        print(f"    {line}")
    for fault in faults:
        print(f"    FAILED: {fault}")
    sys.stdout.flush()


def main():
    options = arguments()
    if options.list:
        for case in CASES:
            print(f"{case.name:<20} {'quick' if case.quick else '':<6} {', '.join(case.stores):<17} {case.point}")
        return 0
    unknown = set(options.case or []) - {case.name for case in CASES}
    if unknown:
        print(f"there is no case {', '.join(sorted(unknown))}; --list names them", file=sys.stderr)
        return 2
    slack = options.slack if options.slack is not None else 2 if options.quick else 0
    signal.signal(signal.SIGALRM, late)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    print("worst answers in seconds; memory of zumod at its peak and after, and of PostgreSQL's backends, in MB")
    print(COLUMNS.format("case", "store", "read", "list", "write", "health", "peak", "after", "pg", "s", ""))
    failed = []
    for case in CASES:
        for store in case.stores:
            if options.case and case.name not in options.case or options.store not in (None, store):
                continue
            if options.quick and not options.case and case.quick is not True and store not in (case.quick or ()):
                continue
            if store == "postgres" and not Postgres.named("ZUMOD_TEST_POSTGRES_URL"):
                continue
            if not perform(case, store, options, slack):
                failed.append(f"{case.name} on {store}")
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "all held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
