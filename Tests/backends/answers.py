"""What an answer says, apart from what no two servers have in common."""

import json
import re

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
# A version that the scripts of a project make up.
OWN_VERSION = "AAEC"
# Words that the engine of JavaScript, the store or the SDK chose.
NOT_OWN = re.compile(r"Cannot read prop|is not a function|Unexpected (token|end)|SQLITE|Too few arguments|Expression expected")


def without_chance(value, name=None):
    """Ids, stamps and versions that were made become words that say so."""
    if isinstance(value, dict):
        return {key: without_chance(member, key) for key, member in value.items() if key != "stack"}
    if isinstance(value, list):
        return [without_chance(member) for member in value]
    if isinstance(value, str):
        if name in ("createdAt", "updatedAt") and STAMP.fullmatch(value):
            return "<t>"
        if name == "version" and value != OWN_VERSION:
            return "<v>"
        if name == "id" and ID.fullmatch(value):
            return "<id>"
    return value


class Answer:
    """An answer of the server, as the recorded ones are written."""

    def __init__(self, received, port):
        self.status, fields, text = received
        self.fields = {}
        for name, value in fields:
            name, value = name.lower(), value.replace(f"127.0.0.1:{port}", "HOST")
            if name == "etag" and value.startswith("W/"):
                continue
            if name == "etag" and value != f'"{OWN_VERSION}"':
                value = '"<v>"'
            self.fields[name] = f"{self.fields[name]}, {value}" if name in self.fields else value
        try:
            self.body = without_chance(json.loads(text))
        except ValueError:
            self.body = text


def is_same(wanted, got):
    """Whether two values say the same: a member of null says what a missing one says, and so does `deleted` of false."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        def said(value):
            return {k: v for k, v in value.items() if v is not None and not (k == "deleted" and v is False)}
        wanted, got = said(wanted), said(got)
        return wanted.keys() == got.keys() and all(is_same(wanted[key], got[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(is_same(*pair) for pair in zip(wanted, got))
    if isinstance(wanted, bool) != isinstance(got, bool):
        return False
    return wanted == got


def own_words(wanted, scripts):
    """Of a refusal: the project's own words, or "" where others chose them. None for what is no refusal."""
    if wanted["status"] < 400:
        return None
    body = wanted["body"]
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<!DOCTYPE") or body.startswith(("You must be logged in", "Method ")) else None
    if isinstance(body, dict) and body.get("name") == "JsonWebTokenError":
        return ""
    if isinstance(body, dict) and list(body) == ["error"]:
        words = body["error"]
        is_own = isinstance(words, str) and f"'{words}'" in scripts and not NOT_OWN.search(words)
        return words if is_own else ""
    return None


def differences(wanted, got, scripts):
    """How an answer differs from the recorded one, in sentences."""
    words = own_words(wanted, scripts)
    off = [] if wanted["status"] == got.status else [f"status {got.status} instead of {wanted['status']}"]
    for name, value in wanted["headers"].items():
        mine = got.fields.get(name)
        # What the project sets on every answer is one group's to look at.
        if name == "x-shed" and not wanted["label"].startswith("around:") or name == "content-type" and words == "":
            continue
        if name == "content-type":
            mine, value = ((each or "").split(";")[0].strip().lower() for each in (mine, value))
        if name == "link":
            mine, value = mine is not None, True
        if mine != value:
            off.append(f"{name}: {mine} instead of {value}")
    if words == "":
        return off
    if words is not None:
        mine = got.body.get("error") if isinstance(got.body, dict) else got.body
        return off if mine == words else off + [f"error {mine!r} instead of {words!r}"]
    if not is_same(wanted["body"], got.body):
        off.append(f"body {json.dumps(got.body)[:300]}\n    instead of {json.dumps(wanted['body'])[:300]}")
    return off
