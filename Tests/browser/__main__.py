"""Tests of the data page in a real browser: python3 -B Tests/browser [NAME...]

On SQLite, and where ZUMOD_TEST_POSTGRES_URL is set (scripts/test-postgres does), at the same time on PostgreSQL in
schemas of their own. A NAME is a part of a test's name. ZUMOD_BINARY is the program, .build/debug/zumod by default;
ZUMOD_BROWSER_PICTURES a folder for pictures of what was there when a test failed.
"""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from server import program

HERE = pathlib.Path(__file__).resolve().parent
POSTGRES = "ZUMOD_TEST_POSTGRES_URL"
STORE = "ZUMOD_BROWSER_POSTGRES_URL"
# So many browsers for each store.
PARTS = 2


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


def run_here(names, is_verbose, part=0, parts=1):
    """All tests on the store that the environment names, or every so many of them beginning with one."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    suite = loader.discover(str(HERE), pattern="test_*.py")
    if suite.countTestCases() == 0:
        sys.exit("no test has such a name")
    chosen = unittest.TestSuite(list(tests_of(suite))[part::parts])
    result = unittest.TextTestRunner(verbosity=2 if is_verbose else 1).run(chosen)
    return 0 if result.wasSuccessful() else 1


def run_stores(arguments):
    """A few processes for each store, side by side: most of the time each waits for its browser."""
    stores = {"SQLite": None, "PostgreSQL": os.environ[POSTGRES]}
    running = {}
    began = time.monotonic()
    for (name, url), part in itertools.product(stores.items(), range(PARTS)):
        output = tempfile.TemporaryFile()
        environment = {key: value for key, value in os.environ.items() if key != POSTGRES}
        if url:
            environment[STORE] = url
        running[f"{name}, part {part + 1} of {PARTS}"] = output, subprocess.Popen(
            [sys.executable, "-B", str(HERE), "--part", str(part), *arguments], stdout=output,
            stderr=subprocess.STDOUT, env=environment)
    failed = 0
    for name, (output, process) in running.items():
        code = process.wait()
        failed += code != 0
        output.seek(0)
        print(f"The data page on {name} ({time.monotonic() - began:.0f} s):", flush=True)
        print(output.read().decode(errors="replace"), flush=True)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(prog="Tests/browser", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--verbose", action="store_true", help="names each test")
    parser.add_argument("--screenshots", action="store_true", help="writes docs/images/*.png and tests nothing")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    program()
    if chosen.screenshots:
        import screenshots
        return screenshots.take(HERE.parent.parent / "docs" / "images")
    if os.environ.get(POSTGRES):
        return run_stores(sys.argv[1:])
    if chosen.part is not None:
        return run_here(chosen.names, chosen.verbose, chosen.part, PARTS)
    return run_here(chosen.names, chosen.verbose)


if __name__ == "__main__":
    sys.exit(main())
