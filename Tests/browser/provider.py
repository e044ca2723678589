"""A login provider that does what real ones do, and an app's page that opens a login as the JavaScript library does."""

import base64
import html
import http.server
import json
import pathlib
import subprocess
import tempfile
import threading
import time
import urllib.parse

APP = """<!DOCTYPE html><title>App</title><button id="go">Log in</button><p id="outcome"></p><script>
const server = SERVER, said = text => { document.getElementById("outcome").textContent = text; };
document.getElementById("go").onclick = () => {
  const query = "?completion_type=postMessage&completion_origin=" + encodeURIComponent(location.origin);
  const popup = window.open(server + "/.auth/login/google" + query, "_blank", "location=no,resizable=yes");
  const end = text => { clearInterval(timer); removeEventListener("message", hear); said(text); };
  const hear = event => {
    if (event.source !== popup) return;
    const envelope = typeof event.data === "string" ? JSON.parse(event.data) : event.data;
    if (envelope.type !== "LoginCompleted") return;
    end(envelope.error ? "error: " + envelope.error : "user: " + envelope.oauth.user.userId);
  };
  addEventListener("message", hear);
  const timer = setInterval(() => { if (popup.closed) end("error: canceled"); }, 100);
};
</script>"""


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    """At `origin`; `server` is the origin of the server that is told of users, once it is known."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="zumod-provider.")
        folder = pathlib.Path(self.folder.name)
        self.key = folder / "key.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True, capture_output=True)
        public = subprocess.run(
            ["openssl", "pkey", "-in", self.key, "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
        self.key_set = folder / "keys.json"
        self.key_set.write_text(json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": text(public[-32:])}]}))
        self.server = None
        # Whether its page cuts itself off from the page that opened it, as banks' and large providers' do.
        self.is_apart = False
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.answer(self)

            def log_message(self, *words):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def end(self):
        self.http.shutdown()
        self.http.server_close()
        self.folder.cleanup()

    def settings(self, signing_key):
        return f"""
auth:
  signingKey: {signing_key}
  providers:
    local:
    google:
      keySet: {self.key_set}
      issuer: "{self.origin}"
      audience: app-1
      authorizeUrl: "{self.origin}/authorize"
cors: {{ origins: [ "{self.origin}" ] }}
"""

    def answer(self, request):
        path, _, query = request.path.partition("?")
        if path == "/app":
            return self.send(request, APP.replace("SERVER", json.dumps(self.server)))
        if path == "/authorize":
            return self.send(request, self.page(dict(urllib.parse.parse_qsl(query))), self.is_apart)
        request.send_error(404)

    def page(self, asked):
        """Where a user agrees or gives up: by a form, as the server has asked, or by an address, as some do all the same."""
        back = html.escape(asked["redirect_uri"])
        refusal = urllib.parse.urlencode({"error": "access_denied", "state": asked["state"]})
        state = html.escape(asked["state"])
        return f"""<!DOCTYPE html><title>Provider</title>
<form method="post" action="{back}"><input type="hidden" name="state" value="{state}">
<input type="hidden" name="id_token" value="{self.token(asked)}"><button id="agree">Agree</button></form>
<form method="post" action="{back}"><input type="hidden" name="state" value="{state}">
<input type="hidden" name="error" value="access_denied"><button id="cancel">Cancel</button></form>
<a id="leave" href="{back}?{html.escape(refusal)}">Leave</a>"""

    def token(self, asked):
        claims = {"iss": self.origin, "aud": asked["client_id"], "sub": "77", "nonce": asked["nonce"],
                  "iat": int(time.time()), "exp": int(time.time()) + 600}
        message = text(b'{"alg":"EdDSA"}') + "." + text(json.dumps(claims).encode())
        with tempfile.NamedTemporaryFile(dir=self.folder.name) as file:
            file.write(message.encode())
            file.flush()
            signed = subprocess.run(
                ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.key, "-in", file.name], check=True,
                capture_output=True).stdout
        return message + "." + text(signed)

    @staticmethod
    def send(request, page, is_apart=False):
        body = page.encode()
        request.send_response(200)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        if is_apart:
            request.send_header("Cross-Origin-Opener-Policy", "same-origin")
        request.end_headers()
        request.wfile.write(body)
