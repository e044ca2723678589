"""Squid, where an app's network sends everything by it."""

import os
import re

from proxy import setup


def lines():
    """Debian's squid.conf as it comes, without what it logs."""
    with open("/etc/squid/squid.conf") as file:
        text = "\n".join(line for line in file.read().splitlines() if line.strip() and not line.startswith("#"))
    return re.sub(r"^(include|http_port|coredump_dir) .*\n", "", text, flags=re.M)


@setup("Squid", "squid", forward=True)
def default(place):
    os.makedirs(f"{place.folder}/logs", exist_ok=True)
    os.chmod(f"{place.folder}/logs", 0o777)
    file = place.write("squid.conf", lines() + f"""
http_port 127.0.0.1:{place.port}
pid_filename none
access_log none
cache_log {place.folder}/logs/cache.log
coredump_dir {place.folder}/logs
shutdown_lifetime 0 seconds
visible_hostname localhost
""")
    return [place.program, "-N", "-f", file, "-n", f"zumod{place.port}"]
