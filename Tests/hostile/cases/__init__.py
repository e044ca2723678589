"""The cases, in the order in which they run."""

from cases import (  # noqa: F401
    queries, memory, connections, tls, outlets, scripts, schema, logins, guesses, database, outages, load, extremes)
