"""The matrix: what apps do, which has to come out the same with a proxy between them and the server."""

import gzip
import json
import threading
import time
from urllib.parse import quote

from backend import token
from client import Wrong
from visit import case

BOMB = gzip.compress(b" " * (65 << 20), 1)  # is small, and its text more than a body may be
FORGED = ("203.0.113.", "example.net", "gopher:", ":4711", "/elsewhere")
LONG = "tea and some biscuits " * 100  # is packed by the server itself


@case("rows")
def rows(visit):
    """Insert, read, list, update, delete, over one connection; .NET's libraries ask before they send a body."""
    client, name = visit.client(), visit.name()
    made = visit.insert(client, name, Expect="100-continue")
    place = visit.site.followed(made.fields["Location"])
    check(client.ask("GET", place).must(200), text="tea")
    check(visit.update(client, name, "coffee").must(200), text="coffee")
    listed = client.ask("GET", "/tables/Todo?$filter=" + quote(f"id eq '{name}'")).must(200)
    expect([row["text"] for row in visit.rows(listed)] == ["coffee"], "another list", listed.body[:200])
    client.ask("DELETE", visit.row(name)).must(visit.deleted)
    client.ask("GET", visit.row(name)).must(visit.gone)


@case("conflict")
def conflict(visit):
    """A change over a stale version is 412, and one with the ETag that came with that, as it came, is done."""
    for text in ("tea " * 20, LONG):
        for packed in (False, True):
            ann, bob, name = visit.client(packed=packed), visit.client(packed=packed), visit.name()
            visit.insert(ann, name, text)
            old = tag(ann.ask("GET", visit.row(name)).must(200))
            visit.update(bob, name, text + "by bob", If_Match=tag(bob.ask("GET", visit.row(name)).must(200))).must(200)
            for wrapped in (False, True):
                # Libraries keep the field for the version, and quote it once more when they send it.
                def sent(text):
                    return '"' + text.replace('"', '\\"') + '"' if wrapped else text

                refused = visit.update(ann, name, text + "by ann", If_Match=sent(old)).must(412)
                theirs = refused.json()
                check(refused, text=text + ("by ann, at last" if wrapped else "by bob"))
                version = refused.fields["ETag"] or f'"{theirs.get("version") or theirs["__version"]}"'
                done = visit.update(ann, name, text + "by ann, at last", If_Match=sent(version)).must(200)
                check(done, text=text + "by ann, at last")


@case("pull")
def pull(visit):
    """All rows, page by page: v1 by $skip, the others by the link of the page before."""
    client, name = visit.client(packed=True), visit.name()
    for number in range(25):
        visit.insert(client, f"{name}-{number:02}", name)
    walk(visit, client, "/tables/Todo?$filter=" + quote(f"text eq '{name}'") + "&$orderby=id", 25)


def long_filter(visit, size):
    """The rows that an app names, some of which are there, in pages, by an address of so many bytes."""
    client, name = visit.client(), visit.name()
    names = [f"{name}-{number:02}" for number in range(25)]
    for each in names:
        visit.insert(client, each)
    target = f"{visit.site.prefix}/tables/Todo?$filter=" + "%20or%20".join(f"id%20eq%20'{each}'" for each in names)
    number = 0
    while len(target) < size:
        number += 1
        target += f"%20or%20id%20eq%20'nobody-{number:053}'"
    walk(visit, client, target[len(visit.site.prefix):], 25)


@case("pull of 7 KB", ("v2", "v3"))
def fitting_filter(visit):
    """The address fits what proxies take as they come, and the link to the next page has to."""
    long_filter(visit, 7000)


@case("pull of 12 KB", ("v2", "v3"))
def longer_filter(visit):
    """As comes of a filter of 8 KB."""
    long_filter(visit, 12_000)


@case("address of 64 KB")
def longest_address(visit):
    target = "/tables/Todo?$filter=" + quote("text eq 'x'") + "&app="
    room = 65536 - len("GET  HTTP/1.1\r\n") - len(target) - len(visit.site.prefix)
    visit.client().ask("GET", target + "x" * room).must(200)


@case("token of 16 KB")
def long_token(visit):
    client, name = visit.client(token=token("ann", 16_000)), visit.name()
    visit.insert(client, name, table="Mine")
    client.ask("GET", visit.row(name, "Mine")).must(200)


def large_row(visit, megabytes):
    text = "".join(f"{number:07} " for number in range(megabytes << 17))
    forms = [{}, {"chunked": True}, {"Content_Encoding": "gzip"}]
    for fields in forms if megabytes < 10 else forms[::2]:
        name = visit.name()
        body = json.dumps({"id": name, "text": text}).encode()
        if "Content_Encoding" in fields:
            body = gzip.compress(body, 1)
        client = visit.client(packed="Content_Encoding" in fields, timeout=120)
        client.ask("POST", "/tables/Todo", body, **fields).must(201)
        check(client.ask("GET", visit.row(name)).must(200), text=text)
        client.ask("DELETE", visit.row(name)).must(visit.deleted)


@case("body of 2 MB", ("v2", "v3"))
def large_body(visit):
    """A row of 2 MB there and back: with its length, in pieces, and as gzip."""
    large_row(visit, 2)


@case("body of 40 MB", ("v2",), quick=False)
def huge_body(visit):
    large_row(visit, 40)


@case("refusals")
def refusals(visit):
    """What one client is refused is told in the server's words, and nobody else is refused for it."""
    greedy, modest = visit.client(), visit.client()
    for _ in range(2):
        refused = greedy.ask("POST", "/tables/Todo", BOMB, Content_Encoding="gzip").must(413)
        expect("error" in refused.json(), "words of its own", refused.body[:200])
        modest.ask("GET", "/tables/Todo?$top=1").must(200)


@case("body of 700 KB in 80 s", ("v2",), quick=False)
def slow_body(visit):
    """As by a slow line, which goes on all the time."""
    body = json.dumps({"text": "x" * 700_000}).encode()

    def trickling():
        for start in range(0, len(body), 4000):
            time.sleep(80 * 4000 / len(body))
            yield body[start:start + 4000]

    visit.client(timeout=60).ask("POST", "/tables/Todo", trickling()).must(201)


@case("two bodies of 40 MB at a time", ("v2",), quick=False)
def crowded(visit):
    """One of them may be told to come later, and nobody else is."""
    body = b'{"text":"' + b"x" * (40 << 20) + b'"}'
    results = []

    def send():
        try:
            results.append(visit.client(timeout=120).ask("POST", "/tables/Todo", body).must(201, 503))
        except Wrong as wrong:
            results.append(wrong)

    senders = [threading.Thread(target=send) for _ in range(2)]
    for sender in senders:
        sender.start()
    modest = visit.client(timeout=60)
    try:
        while any(sender.is_alive() for sender in senders):
            modest.ask("GET", "/tables/Todo/nobody").must(404)
            time.sleep(0.1)
    finally:
        for sender in senders:
            sender.join()
    for result in results:
        if isinstance(result, Wrong):
            raise result
    modest.ask("GET", "/tables/Todo/nobody").must(404)


@case("changed row")
def changed(visit):
    """A row that was read before is read as it is, and so is a list with it."""
    ann, bob, name = visit.client(packed=True), visit.client(packed=True), visit.name()
    lists = "/tables/Todo?$filter=" + quote(f"id eq '{name}'")
    visit.insert(ann, name, LONG)
    for text in (LONG + "1", LONG + "2"):
        for _ in range(2):
            known = tag(bob.ask("GET", visit.row(name)).must(200))
            bob.ask("GET", lists).must(200)
        visit.update(ann, name, text).must(200)
        for fields in ({}, {"If_None_Match": known}):
            expect(bob.ask("GET", visit.row(name), **fields).must(200).json()["text"] == text, "the old row")
        expect(visit.rows(bob.ask("GET", lists).must(200))[0]["text"] == text, "the old list")
    ann.ask("DELETE", visit.row(name)).must(visit.deleted)
    expect(bob.ask("GET", visit.row(name)).status == visit.gone, "the old row")


@case("404, then inserted")
def inserted(visit):
    client, name = visit.client(), visit.name()
    for _ in range(2):
        client.ask("GET", visit.row(name)).must(404)
    visit.insert(client, name)
    expect(client.ask("GET", visit.row(name)).status == 200, "the old 404")


@case("deleted, then undeleted")
def undeleted(visit):
    client, name = visit.client(), visit.name()
    visit.insert(client, name)
    client.ask("DELETE", visit.row(name)).must(visit.deleted)
    for _ in range(2):
        client.ask("GET", visit.row(name)).must(visit.gone)
    visit.undelete(client, name, "back")
    expect(client.ask("GET", visit.row(name)).status == 200, f"the old {visit.gone}")


@case("another user's 404")
def another(visit):
    ann, bob, name = visit.client(token=visit.tokens["ann"]), visit.client(token=visit.tokens["bob"]), visit.name()
    nobody = visit.client()
    visit.insert(ann, name, table="Mine")
    nobody.ask("GET", visit.row(name, "Mine")).must(401)
    for client, wanted in ((bob, 404), (ann, 200), (bob, 404), (nobody, 401)):
        answer = client.ask("GET", visit.row(name, "Mine"))
        expect(answer.status == wanted, "another user's answer", f"{answer.status} instead of {wanted}")


@case("a cache's validators", ("v3",))
def validators(visit):
    """A platform's cache that knows a row sends its entity tag with later writes, of which the app knows nothing."""
    client, name = visit.client(), visit.name()
    visit.insert(client, name)
    for text in ("coffee", "milk"):
        known = tag(client.ask("GET", visit.row(name)).must(200))
        fields = {"If_Match": known} if text == "coffee" else {}
        check(visit.update(client, name, text, If_None_Match=known, **fields).must(200), text=text)
    known = tag(client.ask("GET", visit.row(name)).must(200))
    client.ask("DELETE", visit.row(name), If_None_Match=known).must(204)


@case("packed and plain")
def coded(visit):
    """Who takes no gzip gets none, whoever asked before; and a cache is told what the answer depends on."""
    name = visit.name()
    packing, plain = visit.client(packed=True), visit.client()
    visit.insert(plain, name, LONG)
    for client in (packing, plain, packing):
        answer = client.ask("GET", visit.row(name)).must(200)
        coding = answer.fields["Content-Encoding"]
        expect(client is packing or coding is None, "gzip for who takes none", coding)
        check(answer, text=LONG)
        if coding:
            check_vary(answer)


@case("Vary on small answers", ("v2",))
def vary(visit):
    client, name = visit.client(packed=True), visit.name()
    visit.insert(client, name)
    answer = client.ask("GET", visit.row(name)).must(200)
    check_vary(answer)


@case("pages of other origins", ("v2",))
def origins(visit):
    """The preflight of a page, and that it may read what comes, failures too."""
    client, origin = visit.client(), "https://app.example.com"
    asked = client.ask("OPTIONS", "/tables/Todo", Origin=origin, Access_Control_Request_Method="PATCH",
                       Access_Control_Request_Headers="if-match,x-zumo-auth,zumo-api-version").must(200, 204)
    expect(asked.fields["Access-Control-Allow-Origin"] == origin, "a preflight without an answer", asked.fields.items())
    for target, wanted in (("/tables/Todo?$top=1", 200), ("/tables/Todo/nobody", 404), ("/tables/Mine", 401)):
        answer = client.ask("GET", target, Origin=origin).must(wanted)
        expect(answer.fields["Access-Control-Allow-Origin"] == origin, "an answer that no page can read", target)


@case("forged origins", ("v2",))
def forged(visit):
    """What a client says of its own address, and of the server's, behind a proxy of the server."""
    if not visit.site.is_servers_proxy:
        return
    client, believed = visit.client(), []
    for field, text in (("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-Host", "example.net"),
                        ("X-Forwarded-Proto", "gopher"), ("X-Forwarded-Port", "4711"),
                        ("X-Forwarded-Prefix", "/elsewhere"), ("Forwarded", 'for=203.0.113.8;host=example.net;proto=https')):
        answer = visit.insert(client, visit.name(), **{field: text})
        identity = answer.fields["X-Request-Id"]
        told = visit.logged(f"id={identity} ")
        if any(word in answer.fields["Location"] + told for word in FORGED):
            believed.append(field)
    expect(not believed, f"believes {' and '.join(believed)}")


@case("connections", ("v2",))
def connections(visit):
    """An app's connection is kept over many requests, failures among them."""
    client = visit.client()
    for number in range(60):
        if number % 3 == 0:
            visit.insert(client, visit.name())
        else:
            client.ask("GET", "/tables/Todo/nobody" if number % 3 == 1 else "/tables/Todo?$top=1").must(200, 404)
    expect(client.connections == 1, f"{client.connections} connections", "for 60 requests")


@case("restart", ("v2",))
def restart(visit):
    """The server is started again under an app that goes on sending: nothing is done twice, nothing that was
    acknowledged is lost, and soon all is well."""
    client, name = visit.client(timeout=20), visit.name()
    stop, acknowledged, failures = threading.Event(), [], []

    def write():
        number = 0
        while not stop.is_set() or number == 0:
            number += 1
            try:
                answer = client.ask("POST", "/tables/Todo", {"text": f"{name}/{number}"})
                (acknowledged if answer.status == 201 else failures).append((number, answer.status))
            except Wrong as wrong:
                failures.append((number, wrong.outcome))
            time.sleep(0.02)

    def wait_for(more, answers):
        """Until so many more have come, as far as they do: a busy machine takes its time."""
        count, end = len(answers()) + more, time.monotonic() + 20
        while len(answers()) < count and time.monotonic() < end:
            time.sleep(0.02)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for server in visit.servers:
            wait_for(3, lambda: acknowledged)
            server.stop()
            # Not so long that a proxy which tries again would find nobody still.
            time.sleep(0.3)
            if len(visit.servers) > 1:
                wait_for(10, lambda: acknowledged + failures)
            server.start()
        time.sleep(0.2)
    finally:
        stop.set()
        writer.join()
    if len(visit.servers) > 1:
        expect(not failures, "failures with another server there", failures[:5])
    reader = visit.client(timeout=20)
    listing = "/tables/Todo?$top=1000&$filter=" + quote(f"startswith(text,'{name}/')")
    end = time.monotonic() + 20
    while (answer := reader.ask("GET", listing)).status != 200:
        if time.monotonic() > end:
            raise Wrong(f"{answer.status} for long", f"after the server was back: {answer.body[:200]!r}")
        time.sleep(0.1)
    counted = {}
    for row in visit.rows(answer):
        counted[row["text"]] = counted.get(row["text"], 0) + 1
    expect(all(count == 1 for count in counted.values()), "writes that were done twice", counted)
    lost = [number for number, _ in acknowledged if f"{name}/{number}" not in counted]
    expect(acknowledged and not lost, "acknowledged writes that are lost", lost)


@case("rest", ("v2",), quick=False)
def rest(visit):
    """An app that has rested longer than the server's connections do, and then writes."""
    client = visit.client()
    visit.insert(client, visit.name())
    client.close()
    time.sleep(78)
    for _ in range(4):
        visit.insert(client, visit.name())


def tag(answer):
    if not answer.fields["ETag"]:
        raise Wrong("no ETag", answer.request)
    return answer.fields["ETag"]


def expect(condition, outcome, detail=""):
    if not condition:
        raise Wrong(outcome, str(detail))


def check_vary(answer):
    named = ",".join(answer.fields.get_all("Vary") or [])
    expect("accept-encoding" in named.lower(), "no Vary: Accept-Encoding", named)


def check(answer, text):
    found = answer.json().get("text")
    expect(found == text, "another row", f"{answer.request}: {str(found)[:100]!r}")


def walk(visit, client, target, count):
    found = [row["id"] for row in visit.walked(client, target)]
    expect(len(found) == len(set(found)) == count, "other rows", f"{len(found)} rows, {len(set(found))} different")
