"""The cases, in the order in which they run."""

from cases import queries, memory, connections, tls, outlets, schema, logins, guesses, database, outages, load, extremes  # noqa: F401
