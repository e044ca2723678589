"""Schema, devices, requests and health."""

import http.client
import json
import re
import urllib.parse

from case import PageCase
from server import Client, Refused


class SchemaTests(PageCase):
    expected_statuses = (400, 409)

    def test_columns_indexes_and_the_table_file(self):
        self.sign_in("/_/tables/TodoItem/schema")
        self.page.find("heading", "TodoItem")
        self.page.shows("decimal")
        self.page.shows("the server's own")
        self.page.find("button", "Copy as table file")
        text = self.driver.run("return document.querySelector('pre').textContent")
        self.assertRegex(text, r"(?m)^softDelete: true$")
        self.assertRegex(text, r"price: \"?decimal")

    def test_a_column_is_added(self):
        self.sign_in("/_/tables/TodoItem/schema")
        self.page.fill("textbox", "New column", "place")
        self.page.press("Enter")
        self.wait(lambda: any(cell.text == "place" for cell in self.driver.all("tbody th")), "the column")
        self.client.insert("TodoItem", id="one", place="here")
        self.assertEqual(self.client.row("TodoItem", "one")["place"], "here")

    def test_a_column_that_can_not_be_is_refused_in_words(self):
        self.sign_in("/_/tables/TodoItem/schema")
        self.page.fill("textbox", "New column", "<b>no</b>")
        self.page.press("Enter")
        self.page.shows("<b>no</b>")
        self.assertEqual(self.driver.all("[role=alert] b"), [])

    def test_an_index_is_added(self):
        self.sign_in("/_/tables/TodoItem/schema")
        select = self.page.find("combobox", "Column 1 of the index")
        select.focus()
        self.page.type("text")
        second = self.page.find("combobox", "Column 2 of the index")
        second.focus()
        self.page.type("count")
        self.page.click("button", "Add index")
        self.wait(lambda: any("text then count" in item.text for item in self.driver.all(".indexes li")), "the index")


class DevicesTests(PageCase):
    settings = "devices:\n  record: true\n"

    def test_each_installation_with_what_it_pulled_and_pushed(self):
        phone = Client(self.server, "phone-1", "ZUMO/4.2.0 (lang=Managed; os=iOS)")
        tablet = Client(self.server, "tablet-2")
        phone.insert("TodoItem", id="one", text="from the phone")
        phone.rows("TodoItem", "?$filter=" + urllib.parse.quote(
            "updatedAt ge datetimeoffset'1970-01-01T00:00:00.000Z'") + "&$orderby=updatedAt&__includeDeleted=true")
        tablet.rows("TodoItem", "?$orderby=updatedAt&__includeDeleted=true")
        self.sign_in("/_/devices")
        self.page.find("heading", "phone-1")
        self.page.find("heading", "tablet-2")
        self.page.shows("TodoItem")
        self.page.fill("searchbox", "Filter devices", "tablet")
        self.page.gone("heading", "phone-1")
        self.page.find("heading", "tablet-2")


class RequestsTests(PageCase):
    expected_statuses = (404,)

    def record(self):
        self.sign_in("/_/requests")
        switch = self.page.find("switch", "Record requests")
        self.wait(lambda: self.page.find("switch", "Record requests").attribute("aria-checked") == "false", "it is off")
        switch.focus()
        self.page.press("Space")
        self.wait(lambda: switch.attribute("aria-checked") == "true", "it is on")

    def option(self, part):
        return self.page.find("option", matches=lambda label: part in label)

    def test_requests_are_recorded_when_asked_for_and_shown_whole(self):
        self.client.insert("TodoItem", id="zero", text="not recorded")
        self.record()
        secret = {"X-ZUMO-AUTH": "a secret token", "X-Custom": "it's <b>"}
        try:
            self.client.send("POST", "/tables/TodoItem", {"id": "one", "text": "é <b>"}, **secret)
        except Refused:
            self.client.send("POST", "/tables/TodoItem", {"id": "one", "text": "é <b>"}, **{"X-Custom": "it's <b>"})
        self.option("/tables/TodoItem").click()
        self.page.shows("it's <b>")
        self.page.shows('"text": "é <b>"')
        self.assertNotIn("a secret token", self.page.text)
        self.assertNotIn("not recorded", self.page.text)
        self.page.find("button", "Copy as curl")

    def test_requests_are_filtered_by_text_method_status_and_table(self):
        self.record()
        self.client.insert("TodoItem", id="one", text="milk")
        self.client.insert("Plain", id="two", text="bread")
        try:
            self.client.row("TodoItem", "nowhere")
        except Refused:
            pass
        lines = lambda: sorted(self.driver.run(
            "return [...document.querySelectorAll('[role=option] .choice-target')].map((line) => line.textContent)"))
        self.wait(lambda: len(lines()) >= 3, "three requests")
        self.page.fill("searchbox", "Filter requests", "bread")
        self.wait(lambda: lines() == ["/tables/Plain"], lines)
        self.page.fill("searchbox", "Filter requests", "")
        for name, choice, wanted in (
                ("Status", "4xx", ["/tables/TodoItem/nowhere"]), ("Table", "Plain", ["/tables/Plain"]),
                ("Method", "GET", ["/tables/TodoItem/nowhere"])):
            self.page.find("combobox", name).focus()
            self.page.type(choice)
            self.wait(lambda: lines() == wanted, lambda: f"{wanted}, not {lines()}")
            self.page.find("combobox", name).focus()
            self.page.press("Home")
            self.wait(lambda: len(lines()) >= 3, "all again")

    def test_what_is_recorded_is_a_har_file_too(self):
        self.record()
        self.client.insert("TodoItem", id="one", text="milk")
        self.option("/tables/TodoItem")
        text = self.driver.run_async("return await (await fetch(given[0].href)).text()", self.page.find("link", "HAR"))
        log = json.loads(text)["log"]
        self.assertEqual(log["version"], "1.2")
        entry = next(entry for entry in log["entries"] if entry["request"]["method"] == "POST")
        self.assertTrue(entry["request"]["url"].endswith("/tables/TodoItem"))
        self.assertIn("milk", entry["request"]["postData"]["text"])
        self.assertEqual(entry["response"]["status"], 201)

    def test_the_list_is_walked_by_the_arrows(self):
        self.record()
        for name in ("one", "two", "three"):
            self.client.insert("TodoItem", id=name, text=f"text of {name}")
        self.wait(lambda: len(self.page.find_all("option")) >= 3, "three requests")
        self.page.tab_to("listbox", "Recorded requests")
        self.page.press("Home")
        self.page.shows("text of three")
        self.page.press("Down")
        self.page.shows("text of two")

    def test_conflicts_are_kept_with_both_versions(self):
        row = self.client.insert("TodoItem", id="one", text="base")
        self.client.update("TodoItem", "one", text="theirs")
        try:
            self.client.update("TodoItem", "one", version=row["version"], text="<b>mine</b>")
            self.fail("no conflict")
        except Refused as refused:
            self.assertEqual(refused.status, 412)
        self.sign_in("/_/requests")
        self.page.click("tab", "Conflicts (1)")
        self.option("one").click()
        self.page.shows('"<b>mine</b>"')
        self.page.shows('"theirs"')
        self.page.click("link", "Open the row")
        self.wait_for_texts(["theirs"])


class HealthTests(PageCase):
    def test_charts_say_their_newest_value_and_the_log_follows(self):
        self.sign_in("/_/health")
        figures = lambda: {label.split(":")[0]: label for label in (
            figure.label for figure in self.page.find_all("image"))}
        self.wait(lambda: re.search(r"2xx \d", figures().get("Requests a second", "")), lambda: f"figures: {figures()}")
        for name in ("Errors a second", "Latency", "Commits a second", "Connections", "Memory"):
            self.assertIn(name, figures())
        self.assertRegex(figures()["Memory"], r": \d+ MB")
        log = self.page.find("log")
        self.client.insert("TodoItem", id="one", text="milk")
        parts = urllib.parse.urlsplit(self.server.origin)
        connection = http.client.HTTPConnection(parts.hostname, parts.port)
        connection.request("GET", "/tables/TodoItem?$filter=%3Cscript%3Ealert(1)%3C/script%3E")
        connection.getresponse().read()
        connection.close()
        self.wait(lambda: "/tables/TodoItem" in log.text, "the request in the log")
        at_end = lambda: self.driver.run(
            "const log = arguments[0]; return log.scrollTop + log.clientHeight >= log.scrollHeight - 8", log)
        self.wait(at_end, "the newest line")
        self.assertEqual(self.driver.all("[role=log] script"), [])
