"""Parts of the page that only calculate, called in the browser they are for."""

import os
import subprocess
import tempfile

from case import PageCase, on_one_store
from hostile import STRINGS


@on_one_store
class PartsTests(PageCase):
    def setUp(self):
        super().setUp()
        self.page.open("/_/")
        self.page.find("textbox", "Master key")

    def call(self, module, script, *arguments):
        """What the script returns, with the module as `it`."""
        return self.driver.run_async(
            f"const it = await import('/_/assets/{module}.js'); const [a, b, c] = given; {script}", *arguments)

    def shell(self, command, folder):
        """What curl is called with by the command line, and what it reads."""
        program = os.path.join(folder, "curl")
        with open(program, "w") as file:
            file.write(f"#!/bin/sh\nprintf '%s\\0' \"$@\" > '{folder}/arguments'\n"
                       f"case \"$*\" in *@-*) cat > '{folder}/input';; esac\n")
        os.chmod(program, 0o755)
        # As where one pastes it: interactive, with a history that ! would call up.
        done = subprocess.run(
            ["bash", "--norc", "-c", "set -o history -o histexpand\n" + command], cwd=folder, capture_output=True,
            env={"PATH": folder + ":/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}, timeout=30)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), command)
        with open(os.path.join(folder, "arguments"), "rb") as file:
            return file.read().decode().split("\0")[:-1]

    def test_whatever_a_request_holds_the_shell_hands_curl_just_that(self):
        commands = self.call("curl", """
            return a.map((text) => it.curlCommand({
              method: 'POST', target: '/tables/T?$filter=' + encodeURIComponent(text),
              request: {fields: [['Host', 'h'], ['Content-Length', '1'], ['X-Text', text.replace(/[\\r\\n]/g, ' ')],
                ['X-Empty', '']], body: text}}, 'http://127.0.0.1:1'));""", STRINGS)
        with tempfile.TemporaryDirectory() as folder:
            for text, command in zip(STRINGS, commands):
                arguments = self.shell(command, folder)
                self.assertEqual(arguments[:4], ["--globoff", "--path-as-is", "--request", "POST"])
                self.assertEqual(arguments[4:8], [
                    "--header", "X-Text: " + text.replace("\r", " ").replace("\n", " "), "--header", "X-Empty;"])
                self.assertEqual(arguments[8:10], ["--data-raw", text])
                self.assertTrue(arguments[10].startswith("http://127.0.0.1:1/tables/T?$filter="))
                self.assertEqual(len(arguments), 11)
                self.assertNotRegex(command, r"[\x00-\x09\x0b-\x1f\x7f\u202e]", "nothing hidden is pasted")

    def test_a_body_that_is_no_text_goes_to_curl_by_base64(self):
        command = self.call("curl", """
            const request = {fields: [], body: null, bodyBase64: 'AAEC/w=='};
            return it.curlCommand({method: 'PUT', target: '/x', request}, 'http://127.0.0.1:1');""")
        with tempfile.TemporaryDirectory() as folder:
            arguments = self.shell(command, folder)
            self.assertIn("@-", arguments)
            with open(os.path.join(folder, "input"), "rb") as file:
                self.assertEqual(file.read(), b"\0\x01\x02\xff")

    def test_json_is_laid_out_and_nothing_in_it_changed(self):
        laid_out = self.call(
            "pretty", "return it.prettyText(a)",
            '{"big":9007199254740993,"price":1.10,"e":1E400,"list":[1,[],{}],"__proto__":"\\u00e9 {,}"}')
        self.assertEqual(laid_out, '{\n  "big": 9007199254740993,\n  "price": 1.10,\n  "e": 1E400,\n  "list": [\n'
                                   '    1,\n    [],\n    {}\n  ],\n  "__proto__": "\\u00e9 {,}"\n}')
        self.assertEqual(self.call("pretty", "return it.prettyText(a)", '{"cut": "of'), '{"cut": "of')

    def test_json_is_read_and_written_without_a_loss(self):
        for text in ('{"a":9007199254740993,"b":-0,"c":1e400,"d":0.10,"__proto__":{"x":1},"constructor":[]}',
                     '["\\u2028\\ud83d",true,false,null]', '"' + "x" * 100_000 + '"'):
            self.assertEqual(self.call("json", "return it.write(it.parse(it.write(it.parse(a))))", text),
                             self.call("json", "return it.write(it.parse(a))", text))
        self.assertIn('"__proto__":{"x":1}', self.call("json", "return it.write(it.parse(a))", '{"__proto__":{"x":1}}'))
        for text in ("", "{", "[1,]", '{"a":1,}', "01", "1.", "'a'", '"\n"', "nul", "[1] 2", "\ufeff[]"):
            self.assertEqual(self.call("json", "try { it.parse(a); return 'read' } catch { return 'refused' }", text),
                             "refused", text)

    def test_charts_show_the_work_between_two_snapshots(self):
        point = self.call("meter", """
            const meter = new it.Meter();
            const snapshot = (at, done, counts, uptime) => ({at: new Date(at).toISOString(), uptimeSeconds: uptime,
              requests: {'2xx': done, '5xx': 0}, commits: null, connections: 3, pool: null, driftSeconds: null,
              residentBytes: 1000, latency: [1, 10, null].map((le, index) => ({le, count: counts[index]}))});
            const first = meter.take(snapshot(1000, 100, [50, 90, 100], 10));
            const second = meter.take(snapshot(3000, 140, [70, 128, 140], 12));
            const third = meter.take(snapshot(5000, 3, [1, 2, 3], 1));
            return {first, second, third};""")
        self.assertIsNone(point["first"])
        self.assertIsNone(point["third"], "counters of a server that began anew")
        second = point["second"]
        self.assertEqual((second["classes"]["2xx"], second["errors"], second["commits"]), (20, 0, None))
        self.assertAlmostEqual(second["p50"], 1)
        self.assertAlmostEqual(second["p95"], 10)
        self.assertEqual(second["p99"], 10)
