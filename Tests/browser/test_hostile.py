"""Texts that would break a page that took them for anything but text."""

import re

from case import PageCase
from hostile import STRINGS
from server import Client, Refused


def as_id(text):
    """Without what the server takes in no id."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f/\"+?\\%#&`]", "_", text)[:200]


class HostileTests(PageCase):
    expected_statuses = (400, 409, 412)

    def check_harmless(self):
        """The page's own elements are all there are, and no script but its own has run."""
        found = self.driver.run("""
            return {
              hostile: window.hostile ?? null,
              elements: [...document.querySelectorAll(
                'script:not([src^="/_/assets/"]), iframe, object, embed, base, video, math, template, style,'
                + 'form[action], meta[http-equiv], link:not([href^="/_/assets/"]), img:not([src^="data:"])')]
                .map((element) => element.outerHTML.slice(0, 100)),
              handlers: [...document.querySelectorAll('*')].filter((element) =>
                [...element.attributes].some(({name}) => name.startsWith('on'))).map(({outerHTML}) => outerHTML),
              links: [...document.links].map(({href}) => href)
                .filter((href) => !href.startsWith(location.origin + '/')),
              title: document.title, host: location.host,
            };""")
        for name in ("elements", "handlers", "links"):
            self.assertEqual(found[name], [], name)
        self.assertIsNone(found["hostile"])
        self.assertFalse(self.driver.has_dialog_of_script())

    def shown(self, texts, read):
        """Waits until all the texts are read, which may be in parts as one scrolls."""
        missing = set(texts)
        def look():
            missing.difference_update(read())
            return not missing
        self.wait(look, lambda: f"{len(missing)} texts: {sorted(missing)[:5]}")

    def test_as_values_and_ids(self):
        rows = [{"id": as_id(text), "text": text} for text in STRINGS]
        self.client.insert_all("TodoItem", rows)
        kept = {row["id"]: row["text"] for row in self.client.rows("TodoItem", "?$top=100")}
        self.assertEqual(len(kept), len({row["id"] for row in rows}))
        self.driver.resize(1280, 2600)
        self.open_rows(query="?order=id")
        def values():
            return self.driver.run("""
                const texts = [...document.querySelectorAll('[role=gridcell]')];
                return texts.flatMap((cell) => [cell.textContent, ...cell.title ? [cell.title] : []]);""")
        # Of a long text a part is enough, and what turns or hides text may be shown by its name.
        plain = [text for text in kept.values() if re.fullmatch(r"[\x20-\x7e]{1,60}", text)]
        self.assertGreater(len(plain), 35)
        self.shown(plain, lambda: {value for value in values()})
        self.shown([key for key in kept if re.fullmatch(r"[\x20-\x7e]{1,30}", key)], lambda: set(values()))
        self.check_harmless()
        for key, text in list(kept.items())[::12]:
            self.page.cell(key, "text").click()
            self.page.press("Enter")
            typed = self.wait(lambda: self.driver.run("""
                return document.activeElement.matches('input, textarea') ? [document.activeElement.value] : null"""),
                "the editor")
            if re.fullmatch(r"[\x20-\x7e]*", text):
                self.assertEqual(typed[0], text)
            self.page.press("Escape")
        self.check_harmless()

    def test_as_facets_and_in_the_form(self):
        for text in STRINGS[:12]:
            self.client.insert("TodoItem", text=text)
        self.open_rows()
        self.page.find("gridcell", matches=lambda label: STRINGS[0] in label)
        self.page.open_values("text")
        self.page.shows(STRINGS[1])
        self.check_harmless()
        self.page.press("Escape")
        self.page.find_all("gridcell")[0].click()
        self.page.click("button", "Edit row")
        self.page.find("dialog")
        self.check_harmless()

    def test_as_names_of_columns(self):
        names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype", "length", "name"]
        self.client.send("POST", "/tables/TodoItem", (
            "{" + '"id":"one",' + ",".join(f'"{name}":"value of {name}"' for name in names) + "}").encode())
        self.driver.resize(3600, 900)
        self.open_rows()
        self.shown([f"value of {name}" for name in names], lambda: set(self.driver.run(
            "return [...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)")))
        self.page.open("/_/tables/TodoItem/schema")
        self.shown(names, lambda: {cell.text for cell in self.driver.all("tbody th")})
        self.check_harmless()

    def test_as_error_texts(self):
        self.client.insert("TodoItem", id="one", text="here")
        self.open_rows()
        for text in STRINGS[:8] + STRINGS[40:46]:
            self.driver.run("""
                const box = arguments[0];
                box.value = arguments[1];
                box.dispatchEvent(new Event('input', {bubbles: true}));""",
                self.page.find("textbox", "Filter rows"), "text eq " + text.replace("'", ""))
            self.page.find("textbox", "Filter rows").focus()
            self.page.press("Enter")
        self.wait(lambda: any(alert.text for alert in self.page.find_all("alert")), "the last error")
        self.check_harmless()
        self.page.open("/_/tables/TodoItem/schema")
        for text in STRINGS[:3]:
            self.page.fill("textbox", "New column", text)
            self.page.press("Enter")
            self.page.shows(text)
        self.check_harmless()

    def test_as_names_of_devices_and_in_conflicts_requests_and_log(self):
        self.sign_in("/_/requests")
        self.page.click("switch", "Record requests")
        self.wait(lambda: self.page.find("switch", "Record requests").attribute("aria-checked") == "true", "it is on")
        for number, text in enumerate(STRINGS):
            name = re.sub(r"[^\x20-\x7e]", "_", text)[:100].strip()
            device = Client(self.server, name, name)
            row = device.insert("TodoItem", text=text)
            if number % 10 == 0:
                device.update("TodoItem", row["id"], text="theirs")
                try:
                    device.update("TodoItem", row["id"], version=row["version"], text=text)
                except Refused as refused:
                    self.assertEqual(refused.status, 412)
                try:
                    device.rows("TodoItem", "?$filter=" + "".join(f"%{byte:02x}" for byte in text.encode()))
                except Refused:
                    pass
        self.wait(lambda: len(self.driver.all("[role=option]")) >= 60, "the requests")
        for _ in range(12):
            self.driver.run("document.querySelector('[role=listbox]').focus()")
            self.page.press(*["Down"] * 6)
            self.check_harmless()
        self.page.click("tab", "Conflicts (6)")
        self.driver.all("[role=listbox]:not([hidden]) [role=option]")[0].click()
        self.page.shows("theirs")
        self.check_harmless()
        self.page.open("/_/devices")
        self.page.click("button", "Show more (10 left)")
        self.page.shows(STRINGS[0])
        self.check_harmless()
        for text in STRINGS:
            try:
                self.client.insert("TodoItem", **{text: "a column?"})
            except Refused as refused:
                self.assertEqual(refused.status, 400)
        self.page.open("/_/health")
        log = self.page.find("log")
        self.wait(lambda: "alert(1)" in log.text, "the log")
        self.check_harmless()

    def test_as_addresses(self):
        self.sign_in()
        for text in STRINGS[:6]:
            escaped = "".join(f"%{byte:02x}" for byte in text.encode())
            name = escaped.replace("%2f", "%252f")
            self.page.open(f"/_/tables/{name}?filter={escaped}&order={escaped}&hide={escaped}")
            self.wait(lambda: len(self.page.text) > 40, "some words")
            self.check_harmless()

    def is_expected(self, entry):
        return super().is_expected(entry) or "status of 404 " in entry["message"]
