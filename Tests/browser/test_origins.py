"""Pages of other origins, and of files, that call the table API as an app in a browser does."""

import pathlib
import tempfile
import unittest

from case import on_one_store, the_browser
from server import Client, Server

APP = """
    const [origin] = arguments;
    const ask = async (method, path, body, fields = {}) => {
        const answer = await fetch(origin + path, {
            method, body: body && JSON.stringify(body),
            headers: { "ZUMO-API-VERSION": "3.0.0", "Content-Type": "application/json", ...fields } });
        return { code: answer.status, tag: answer.headers.get("ETag"), text: await answer.text() };
    };
"""


@on_one_store
class OriginTests(unittest.TestCase):
    def begin(self, settings):
        self.server = Server(settings, {"Open": "softDelete: true\ncolumns: { text: string }\n"})
        self.addCleanup(self.server.end)
        self.client = Client(self.server)
        self.driver = the_browser()
        self.driver.forget()
        self.addCleanup(self.driver.open, "about:blank")

    def open_file(self):
        folder = tempfile.TemporaryDirectory(prefix="zumod-page.")
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "app.html"
        path.write_text("<!doctype html><title>an app</title>")
        self.driver.open(path.as_uri())

    def run_app(self, script):
        return self.driver.run_async(APP + script, self.server.origin)

    def test_a_write_goes_through_after_the_row_was_read_and_changed(self):
        self.begin('cors: { origins: ["null", "file://"] }\n')
        self.open_file()
        codes = self.run_app("""
            const codes = [(await ask("POST", "/tables/Open", { id: "a", text: "one" })).code];
            for (const method of ["PUT", "PATCH", "PUT", "DELETE"]) {
                const read = await ask("GET", "/tables/Open/a");
                codes.push(read.code);
                const body = method === "DELETE" ? undefined : { id: "a", text: method };
                codes.push((await ask(method, "/tables/Open/a", body, { "If-Match": read.tag })).code);
            }
            codes.push((await ask("GET", "/tables/Open/a")).code);
            codes.push((await ask("PUT", "/tables/Open/a?__includedeleted=true", { id: "a", text: "back" })).code);
            codes.push((await ask("GET", "/tables/Open/a")).code);
            return codes;
        """)
        self.assertEqual(codes, [201, 200, 200, 200, 200, 200, 200, 200, 204, 410, 200, 200])

    def test_a_page_reads_that_its_address_is_too_long(self):
        self.begin('cors: { origins: ["null", "file://"] }\n')
        self.open_file()
        answer = self.run_app('return ask("GET", "/tables/Open?a=" + "x".repeat(70000));')
        self.assertEqual(answer["code"], 414)
        self.assertIn("longer than", answer["text"])

    def test_a_page_of_a_file_is_told_nothing_where_none_is_listed(self):
        self.begin("")
        self.open_file()
        said = self.run_app('return ask("GET", "/tables/Open").then(() => "read", () => "kept away");')
        self.assertEqual(said, "kept away")
