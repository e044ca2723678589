"""Varnish."""

from proxy import adapted, printed, setup

DEFAULT = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "8080"; }\n'


def command(place, vcl, *parameters):
    file = place.write("site.vcl", adapted(vcl, ('.port = "8080"', f'.port = "{place.servers[0]}"')))
    return [place.program, "-F", "-j", "none", "-n", f"{place.folder}/work", "-a", f"127.0.0.1:{place.port}",
            "-s", "malloc,64m", "-f", file, *parameters]


@setup("recipe of Varnish", "varnishd")
def by_the_page(place):
    vcl = printed("Varnish")
    # The first line says how the program is started.
    words = vcl.splitlines()[0].removeprefix("# varnishd ").split()
    return command(place, vcl, *words[words.index("zumod.vcl") + 1:])


@setup("Varnish", "varnishd")
def default(place):
    return command(place, DEFAULT)
