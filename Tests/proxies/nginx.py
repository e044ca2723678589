"""nginx."""

from proxy import CERTIFICATES, adapted, recipe, setup


def command(place, site):
    """The http block of Debian's nginx.conf around a site, without its paths."""
    temporary = "".join(
        f"{name}_temp_path {place.folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file = place.write("nginx.conf", f"""
        daemon off; master_process off; pid {place.folder}/pid; error_log {place.folder}/error.log;
        events {{ worker_connections 768; }}
        http {{
            access_log off; sendfile on; tcp_nopush on; gzip on; {temporary}
            include /etc/nginx/mime.types; default_type application/octet-stream;
            {site}
        }}
        """)
    return [place.program, "-p", place.folder, "-c", file, "-e", f"{place.folder}/error.log"]


@setup("balancer.conf", "nginx", servers=2)
def balancer(place):
    return command(place, adapted(
        recipe("balancer.conf"), ("listen 8080", f"listen 127.0.0.1:{place.port}"),
        ("zumod-1:8080", f"127.0.0.1:{place.servers[0]}"), ("zumod-2:8080", f"127.0.0.1:{place.servers[-1]}")))


@setup("tls/nginx.conf", "nginx", secured=True)
def secured(place, *changes):
    return command(place, adapted(
        recipe("tls/nginx.conf"), *changes, ("listen 443 ssl", f"listen 127.0.0.1:{place.port} ssl"),
        ("    listen [::]:443 ssl;\n", ""), ("listen 80;", f"listen 127.0.0.1:{place.plain};"),
        ("    listen [::]:80;\n", ""), ("127.0.0.1:8080", place.server),
        ("/etc/nginx/zumod/certificate.pem", f"{CERTIFICATES}/server.pem"),
        ("/etc/nginx/zumod/key.pem", f"{CERTIFICATES}/server.key")))


@setup("tls/nginx.conf below /app", "nginx", secured=True, path="/app")
def below_a_path(place):
    return secured(
        place, ("location / {", "location /app/ {\n        proxy_set_header X-Forwarded-Prefix /app;"),
        ("proxy_pass http://127.0.0.1:8080;", "proxy_pass http://127.0.0.1:8080/;"))


def site(place, lines="", cache=""):
    return (f"server {{ listen 127.0.0.1:{place.port}; {lines} "
            f"location / {{ proxy_pass http://{place.server}; {cache} }} }}")


@setup("nginx", "nginx")
def default(place):
    return command(place, site(place))


@setup("nginx, gzip", "nginx")
def packing(place):
    return command(place, site(place, "gzip_types application/json; gzip_min_length 1; gzip_proxied any;"))


@setup("nginx, cache", "nginx")
def caching(place):
    keeps = f"proxy_cache_path {place.folder}/cache keys_zone=all:1m; "
    return command(place, keeps + site(place, cache="proxy_cache all; proxy_cache_valid any 1m;"))
