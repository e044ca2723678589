"""What a case is, and what it may do to those who just use the server."""

import dataclasses
import typing

BOTH = ("sqlite", "postgres")


@dataclasses.dataclass(frozen=True)
class Allow:
    """What a case attacks may be slower, or be refused for a while, by a documented limit."""

    seconds: float = 1.0
    """The longest answer."""
    gap: float | None = None
    """Where it is said, requests may fail, and this is the longest time from one success to the next."""


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    point: str
    run: typing.Callable
    stores: tuple
    quick: bool
    attacks: dict
    tables: dict
    files: dict
    settings: str
    prepare: typing.Callable | None
    victim: bool
    reads_log: bool
    connections: int | None
    secured: bool
    seconds: int


CASES: list[Case] = []


def case(name, point, stores=BOTH, quick=False, attacks=None, tables=None, files=None, settings="", prepare=None, victim=False,
         reads_log=True, connections=None, secured=False, seconds=150):
    """Registers a function as a case.

    point: what it shows. quick: whether it is among the few of every test run, on the stores named or all of its own.
    attacks: by kind of the probe's requests, what is allowed. victim: on the PostgreSQL that may be stopped.
    files: others of the configuration, such as scripts, by their names. connections: how many the database grants. secured: whether the server speaks TLS. seconds: what it takes at most.
    """

    def register(run):
        CASES.append(Case(
            name, point, run, stores, quick, attacks or {}, tables or {}, files or {}, settings, prepare, victim, reads_log,
            connections, secured, seconds))
        return run

    return register
