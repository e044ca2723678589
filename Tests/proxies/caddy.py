"""Caddy."""

from proxy import recipe, setup


def command(place, text):
    """Without what it does to the machine: its ports, its administration, its authority among the machine's own."""
    options = f"{{\n    admin off\n    skip_install_trust\n    http_port {place.plain}\n}}\n"
    file = place.write("Caddyfile", options + text)
    return [place.program, "run", "--config", file, "--adapter", "caddyfile"]


@setup("tls/Caddyfile", "caddy", secured=True, authority="caddy/pki/authorities/local/root.crt")
def secured(place):
    return ["env", f"ZUMOD_SITE=localhost:{place.port}", f"ZUMOD_SERVER={place.server}",
            *command(place, recipe("tls/Caddyfile"))]


def plain(place, lines=""):
    return command(place, f"http://localhost:{place.port} {{\n    reverse_proxy {place.server}\n    {lines}\n}}\n")


@setup("Caddy", "caddy")
def default(place):
    return plain(place)


@setup("Caddy, encode", "caddy")
def packing(place):
    return plain(place, "encode {\n gzip\n minimum_length 1\n match header Content-Type application/json*\n }")
