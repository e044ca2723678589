"""Apache."""

import os

from proxy import adapted, printed, setup

MODULES = "/usr/lib/apache2/modules"
# What Debian enables by itself, as far as it has to do with proxies, and what these need.
LOADED = ["mpm_event", "authz_core", "filter", "deflate", "reqtimeout", "env", "proxy", "proxy_http", "headers",
          "cache", "cache_disk"]
# Debian's apache2.conf and its files for these modules.
DEFAULTS = """
Timeout 300
KeepAlive On
MaxKeepAliveRequests 100
KeepAliveTimeout 5
RequestReadTimeout header=20-40,minrate=500
RequestReadTimeout body=10,minrate=500
AddOutputFilterByType DEFLATE text/html text/plain text/xml text/css text/javascript
AddOutputFilterByType DEFLATE application/javascript application/wasm application/xml
"""


def command(place, text):
    loads = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in LOADED)
    user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
    file = place.write("apache.conf", f"""
ServerRoot {place.folder}
ServerName localhost
PidFile {place.folder}/pid
DefaultRuntimeDir {place.folder}
ErrorLog {place.folder}/error.log
{loads}{user}{DEFAULTS}{text}""")
    return [place.program, "-f", file, "-DFOREGROUND"]


@setup("recipe of Apache", "apache2")
def by_the_page(place):
    site = adapted(printed("Apache"), ("*:80>", f"127.0.0.1:{place.port}>"), ("127.0.0.1:8080", place.server))
    return command(place, f"Listen 127.0.0.1:{place.port}\n{site}")


def plain(place, lines=""):
    return command(place, f"""
Listen 127.0.0.1:{place.port}
<VirtualHost 127.0.0.1:{place.port}>
    ProxyPass / http://{place.server}/
    ProxyPassReverse / http://{place.server}/
    {lines}
</VirtualHost>
""")


@setup("Apache", "apache2")
def default(place):
    return plain(place)


@setup("Apache, mod_deflate", "apache2")
def packing(place):
    return plain(place, "AddOutputFilterByType DEFLATE application/json")


@setup("Apache, mod_cache", "apache2")
def caching(place):
    return plain(place, f"CacheRoot {place.folder}/cache\n    CacheEnable disk /\n    CacheIgnoreNoLastMod On")
