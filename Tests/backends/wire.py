"""Requests as a client sends them."""

import base64
import hashlib
import hmac
import http.client
import json
import time

PATIENCE = 120  # seconds, on a machine that has no time


def token(user, key):
    """What the old platform handed a user who had signed in."""
    def packed(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    now = int(time.time())
    service = "urn:microsoft:windows-azure:zumo"
    claims = {"sub": f"sid:{user}", "idp": "facebook", "ver": "3", "own": "shed", "iss": service, "aud": service,
              "iat": now - 5, "exp": now + 86_400}
    text = packed(b'{"alg":"HS256","typ":"JWT"}') + b"." + packed(json.dumps(claims).encode())
    signature = hmac.new(bytes.fromhex(key), text, hashlib.sha256).digest()
    return (text + b"." + packed(signature)).decode()


def ask(port, request, key):
    """Sends a request; gives status, fields and text of the answer."""
    fields = {"ZUMO-API-VERSION": "2.0.0", "Accept": "application/json"}
    if request["user"]:
        fields["X-ZUMO-AUTH"] = token(request["user"], key)
    # One without a value is left out.
    fields = {name: value for name, value in (fields | request["headers"]).items() if value}
    body = request["raw"].encode() if "raw" in request else json.dumps(request["body"]).encode() if "body" in request else None
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(request["method"], request["path"], body, fields)
        response = connection.getresponse()
        return response.status, response.getheaders(), response.read().decode(errors="replace")
    finally:
        connection.close()
