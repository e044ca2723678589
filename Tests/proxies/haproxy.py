"""HAProxy."""

from proxy import adapted, recipe, setup

# Debian's, without what it logs and its user.
DEFAULTS = """
defaults
    mode http
    option dontlognull
    timeout connect 5000
    timeout client  50000
    timeout server  50000
"""


def command(place, text):
    return [place.program, "-db", "-f", place.write("haproxy.cfg", text)]


@setup("tls/haproxy.cfg", "haproxy", secured=True)
def secured(place):
    return command(place, adapted(
        recipe("tls/haproxy.cfg"), ("bind :443", f"bind 127.0.0.1:{place.port}"),
        ("bind :80", f"bind 127.0.0.1:{place.plain}"),
        ("/etc/haproxy/zumod.pem", place.with_certificate()), ("127.0.0.1:8080", place.server)))


def plain(place, lines="", before=""):
    return command(place, before + DEFAULTS + f"""
frontend apps
    bind 127.0.0.1:{place.port}
    default_backend zumod
backend zumod
    {lines}
    server zumod {place.server}
""")


@setup("HAProxy", "haproxy")
def default(place):
    return plain(place)


@setup("HAProxy, gzip", "haproxy")
def packing(place):
    return plain(place, "compression algo gzip\n    compression type application/json")


@setup("HAProxy, cache", "haproxy")
def caching(place):
    keeps = "cache all\n    total-max-size 16\n    max-age 60\n"
    return plain(place, "http-request cache-use all\n    http-response cache-store all", keeps)
