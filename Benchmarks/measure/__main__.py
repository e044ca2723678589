"""What zumod costs: `instructions` guards the instructions of eight requests, `ways` the sources that four requests enter,
`speed` measures the whole under load, `scripts` what scripts of old backends add."""

import argparse
import pathlib
import sys

import instructions

HOME = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(prog="python3 -B Benchmarks/measure", description=__doc__)
    parser.add_argument("what", choices=["instructions", "ways", "speed", "scripts", "report"])
    parser.add_argument("--program", default=HOME / ".build/static/release/zumod",
                        help="a release build of zumod; for ways a debug build with a hook")
    parser.add_argument("--update", action="store_true", help="instructions: write what is counted as the new figures")
    parser.add_argument("--show", action="store_true", help="ways: show each function that is entered")
    parser.add_argument("--quick", action="store_true", help="speed, scripts: in a fifth of the time")
    arguments = parser.parse_args()
    if arguments.what == "instructions":
        return instructions.main(arguments.program, arguments.update)
    if arguments.what == "ways":
        import ways
        return ways.main(arguments.program, arguments.show)
    if arguments.what == "scripts":
        import scripts
        scripts.main(arguments.program, arguments.quick)
        return 0
    import report
    import speed
    if arguments.what == "speed":
        speed.main(arguments.program, arguments.quick)
    report.write()
    return 0


sys.exit(main())
