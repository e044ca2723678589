"""What a page of an app at another origin gets to see, with the browser's own cache between it and the tables."""

import http.server
import pathlib
import threading
import urllib.parse

from case import PageCase

GENERATIONS = {
    "v1": {"X-ZUMO-APPLICATION": "key"},
    "v2": {"ZUMO-API-VERSION": "2.0.0"},
    "v3": {"ZUMO-API-VERSION": "3.0.0"},
}
# Asks in the page, as an app's script does, and tells what such a script can see.
ASK = """
async function ask(method, url, fields, body) {
    if (body !== undefined) fields = {...fields, "Content-Type": "application/json"};
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(url, {method, headers: fields, body: sent});
    const text = await answer.text();
    return {status: answer.status, tag: answer.headers.get("ETag"), value: text ? JSON.parse(text) : null};
}
"""


class Site(http.server.ThreadingHTTPServer):
    """An app's own web server, at another origin than the tables."""

    daemon_threads = True

    def __init__(self):
        self.pages = {"/": "<!doctype html><title>an app</title>"}
        super().__init__(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = self.server.pages.get(self.path, "").encode()
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class CacheTests(PageCase):
    settings = 'cors:\n  origins: [ localhost, "null" ]\n'
    expected_statuses = (404, 410, 412)

    def setUp(self):
        super().setUp()
        self.site = Site()
        self.addCleanup(self.site.end)

    def check_quiet(self):
        told = [entry["message"] for entry in self.driver.console()
                if not self.is_expected(entry) and "favicon" not in entry["message"]]
        self.assertEqual(told, [], "the console has something to say")

    def begin(self, name, page=None):
        """As a generation's app, at a page of it."""
        self.generation, self.fields = name, GENERATIONS[name]
        self.driver.open(page or self.site.origin + "/")
        return self.subTest(name)

    def ask(self, method, path, body=None, **fields):
        given = [method, self.server.origin + path, {**self.fields, **fields}]
        return self.driver.run_async(ASK + "return ask(...arguments)", *given, *([] if body is None else [body]))

    def row(self, name):
        return f"/tables/TodoItem/{name}" + ("?__systemProperties=version" if self.generation == "v1" else "")

    def change(self, name, text, **fields):
        method = "PUT" if self.generation == "v3" else "PATCH"
        return self.ask(method, self.row(name), {"id": name, "text": text}, **fields)

    def check_row(self, name, text):
        seen = self.ask("GET", self.row(name))
        self.assertEqual((seen["status"], seen["value"].get("text")), (200, text))
        return seen["tag"]

    def test_row_that_others_change_is_read_as_it_is(self):
        for name in GENERATIONS:
            with self.begin(name):
                self.client.insert("TodoItem", id=name, text="tea")
                listing = "/tables/TodoItem?$filter=" + urllib.parse.quote(f"id eq '{name}'")
                for text in ("tea", "coffee", "milk"):
                    self.client.update("TodoItem", name, text=text)
                    for _ in range(2):
                        self.check_row(name, text)
                        value = self.ask("GET", listing)["value"]
                        rows = value["items"] if name == "v3" else value
                        self.assertEqual([row["text"] for row in rows], [text])

    def test_write_after_a_read_and_conflict(self):
        for name in GENERATIONS:
            with self.begin(name):
                self.client.insert("TodoItem", id=name, text="tea")
                tag = self.check_row(name, "tea")
                self.assertTrue(tag, "the page sees no ETag")
                self.assertEqual(self.change(name, "coffee")["status"], 200)
                refused = self.change(name, "milk", **{"If-Match": tag})
                self.assertEqual((refused["status"], refused["value"]["text"]), (412, "coffee"))
                self.assertEqual(self.change(name, "milk", **{"If-Match": refused["tag"]})["status"], 200)
                self.check_row(name, "milk")
                self.assertIn(self.ask("DELETE", self.row(name))["status"], (200, 204))

    def test_missing_row_that_is_inserted(self):
        for name in GENERATIONS:
            with self.begin(name):
                for _ in range(2):
                    self.assertEqual(self.ask("GET", self.row(name))["status"], 404)
                self.assertEqual(self.ask("POST", "/tables/TodoItem", {"id": name, "text": "tea"})["status"], 201)
                self.check_row(name, "tea")

    def test_deleted_row_that_is_undeleted(self):
        for name in GENERATIONS:
            with self.begin(name):
                self.client.insert("TodoItem", id=name, text="tea")
                self.check_row(name, "tea")
                self.ask("DELETE", self.row(name))
                for _ in range(2):
                    self.assertEqual(self.ask("GET", self.row(name))["status"], 410 if name == "v3" else 404)
                if name == "v3":
                    back = self.ask("PUT", self.row(name) + "?__includedeleted=true", {"id": name, "text": "tea"})
                else:
                    back = self.ask("POST", self.row(name))
                self.assertIn(back["status"], (200, 201))
                self.check_row(name, "tea")

    def test_page_from_a_file(self):
        page = pathlib.Path(self.server.folder) / "app.html"
        page.write_text("<!doctype html><title>an app</title>")
        for name in GENERATIONS:
            with self.begin(name, page.as_uri()):
                self.assertEqual(self.ask("GET", self.row(name))["status"], 404)
                self.assertEqual(self.ask("POST", "/tables/TodoItem", {"id": name, "text": "tea"})["status"], 201)
                tag = self.check_row(name, "tea")
                self.assertEqual(self.change(name, "coffee", **{"If-Match": tag})["status"], 200)
                self.check_row(name, "coffee")
                self.assertIn(self.ask("DELETE", self.row(name))["status"], (200, 204))
