"""The cases, in the order in which they run."""

from cases import queries, memory, connections, outlets, schema, logins, database, outages, load  # noqa: F401
