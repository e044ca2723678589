"""Tables and rows, seen."""

import csv
import io
import json
import re

from case import PageCase

BIG = 9007199254740993


class ManyRowsTests(PageCase):
    seeds = {"TodoItem": [{"id": f"row{number:04}", "text": f"text {number:04}"} for number in range(350)]}

    def test_many_rows_are_scrolled_through_and_few_are_in_the_document(self):
        grid = self.open_rows(query="?order=id")
        self.grid_is_at("text 0000")
        self.assertLess(len(self.texts()), 120)
        self.assertGreaterEqual(int(grid.attribute("aria-rowcount")), -1)
        self.page.cell("row0000", "text").click()
        seen = set(self.texts())
        for _ in range(200):
            self.page.press("PageDown")
            seen.update(self.texts())
            if "text 0349" in seen:
                break
        self.grid_is_at("text 0349")
        self.assertLess(len(self.texts()), 120)
        self.assertNotIn("text 0000", self.texts())
        self.page.press("Home", held=["Control"])
        self.grid_is_at("text 0000")


class BrowseTests(PageCase):
    expected_statuses = (400,)

    def test_the_tables_are_listed_with_their_rows_and_found_by_name(self):
        self.client.insert("TodoItem", id="one", text="milk")
        self.client.insert("TodoItem", id="two", text="bread")
        self.client.delete("TodoItem", "two")
        self.sign_in()
        self.page.find("link", "TodoItem")
        self.page.find("link", "Plain")
        self.page.fill("searchbox", "Filter tables", "todo")
        self.page.gone("link", "Plain")
        self.page.find("link", "TodoItem").focus()
        self.page.press("Enter")
        self.grid_is_at("milk")
        self.assertEqual(self.page.path, "/_/tables/TodoItem")

    def test_a_filter_is_the_servers_own_and_in_the_address(self):
        for number in range(6):
            self.client.insert("TodoItem", id=str(number), text=f"text {number}", count=number)
        self.open_rows(query="?order=id")
        self.wait_for_texts([f"text {number}" for number in range(6)])
        self.page.press("Escape")
        self.page.grid.focus()
        self.page.press("/")
        self.page.type("count ge 4")
        self.page.press("Enter")
        self.wait_for_texts(["text 4", "text 5"])
        self.assertIn("filter=", self.page.path)
        shared = self.page.path
        self.driver.open("about:blank")
        self.page.open(shared)
        self.wait_for_texts(["text 4", "text 5"])
        self.driver.back()
        self.driver.back()

    def test_an_error_of_the_filter_is_marked_at_its_byte(self):
        self.client.insert("TodoItem", id="one", text="milk")
        self.open_rows()
        self.page.fill("textbox", "Filter rows", "text eqq 'ö'")
        self.page.press("Enter")
        alert = self.page.find("alert", matches=lambda label: True)
        self.wait(lambda: "byte 5" in alert.text, lambda: f"the server's sentence, not {alert.text!r}")
        mark = self.wait(lambda: next(iter(self.driver.all("mark")), None), "a mark")
        self.assertTrue(mark.text.startswith("e"), mark.text)
        self.page.fill("textbox", "Filter rows", "text eq 'ö' and count eqq 1")
        self.page.press("Enter")
        self.wait(lambda: "byte 23" in alert.text, lambda: f"another place, not {alert.text!r}")
        self.wait(lambda: [mark.text[:1] for mark in self.driver.all("mark")] == ["e"], "the mark at the letter")
        before = self.driver.run("""
            const mark = document.querySelector('mark');
            const range = document.createRange();
            range.selectNodeContents(mark.parentElement);
            range.setEndBefore(mark);
            return range.toString();""")
        self.assertTrue(before.endswith("text eq 'ö' and count "), before)

    def test_a_click_on_a_head_orders(self):
        for text in ("b", "c", "a"):
            self.client.insert("TodoItem", id=text, text=text)
        self.open_rows()
        self.page.find("columnheader", matches=lambda label: label.startswith("text"))
        head = lambda: self.driver.all("[role=columnheader][data-column=text]")[0]
        head().click()
        self.wait_for_texts(["a", "b", "c"])
        self.assertEqual(head().attribute("aria-sort"), "ascending")
        head().click()
        self.wait_for_texts(["c", "b", "a"])
        self.assertEqual(head().attribute("aria-sort"), "descending")
        self.assertIn("order=text", self.page.path)

    def test_tombstones_are_shown_on_demand(self):
        self.client.insert("TodoItem", id="one", text="alive")
        self.client.insert("TodoItem", id="two", text="dead")
        self.client.delete("TodoItem", "two")
        self.open_rows(query="?order=id")
        self.wait_for_texts(["alive"])
        self.page.click("checkbox", "Deleted rows")
        self.wait_for_texts(["alive", "dead"])
        self.assertIn("line-through", self.page.cell("two", "text").style("text-decoration"))
        self.assertIn("deleted=1", self.page.path)

    def test_stamps_are_told_in_words_and_exact_on_hover(self):
        row = self.client.insert("TodoItem", id="one", text="now")
        self.open_rows()
        cell = self.page.cell("one", "updatedAt")
        self.assertRegex(cell.text, r"ago|now")
        exact = self.driver.run("""
            return [arguments[0], ...arguments[0].querySelectorAll('*')].map((part) => part.title).join(' ');""", cell)
        self.assertIn(row["updatedAt"], exact)

    def test_no_number_is_rounded(self):
        self.client.send("POST", "/tables/TodoItem",
                         b'{"id":"one","count":9007199254740993,"price":"12345678901234567890.10"}')
        self.open_rows()
        self.wait_for_texts([str(BIG)], "count")
        self.wait_for_texts(["12345678901234567890.10"], "price")

    def test_a_row_that_another_client_pushes_arrives_marked(self):
        self.client.insert("TodoItem", id="one", text="here")
        self.open_rows()
        self.wait_for_texts(["here"])
        self.page.cell("one", "text").click()
        self.client.insert("TodoItem", id="two", text="pushed")
        self.grid_is_at("pushed")
        self.wait(lambda: "arrived" in (self.page.row_class("two") or ""), "the mark of what has arrived")
        self.assertEqual(self.driver.run(
            "return document.activeElement.closest('[role=row]')?.dataset.id"), "one", "the place was lost")
        self.client.update("TodoItem", "one", text="changed")
        self.grid_is_at("changed")

    def test_the_most_frequent_values_are_one_click_away(self):
        for number in range(5):
            self.client.insert("TodoItem", id=str(number), text="often" if number < 3 else f"once {number}")
        self.open_rows()
        self.grid_is_at("often")
        self.page.open_values("text")
        self.page.shows("3")
        choice = self.page.find("button", matches=lambda label: re.match(r"often ?3", label))
        choice.click()
        self.wait_for_texts(["often"] * 3)
        self.assertIn("filter=", self.page.path)

    def test_columns_are_hidden_and_the_address_says_so(self):
        self.client.insert("TodoItem", id="one", text="here", count=1)
        self.open_rows(query="?hide=count,price")
        self.grid_is_at("here")
        row = self.page.cells()[0]
        self.assertNotIn("count", row)
        self.assertIn("due", row)


    def test_columns_are_widened_by_keys_and_stay_so(self):
        self.client.insert("TodoItem", id="one", text="here")
        self.open_rows()
        width = lambda: self.driver.run(
            "return document.querySelector('[role=columnheader][data-column=count]').getBoundingClientRect().width")
        self.page.cell("one", "count").click()
        before = width()
        self.page.press("Right", "Right", "Right", held=["Alt"])
        # By 16 for each key: before the last has come, the width is not yet the one that stays.
        self.wait(lambda: width() >= before + 40, "a wider column")
        after = width()
        self.driver.refresh()
        self.page.cell("one", "count")
        self.wait(lambda: abs(width() - after) < 1, lambda: f"the width {after}, not {width()}")

    def test_columns_are_hidden_by_their_menu(self):
        self.client.insert("TodoItem", id="one", text="here", count=1)
        self.open_rows()
        self.grid_is_at("here")
        self.page.click("button", "Menu of count")
        self.page.click("button", "Hide count")
        self.wait(lambda: "count" not in self.page.cells()[0], "the column's end")
        self.assertIn("hide=count", self.page.path)
        self.page.click("button", "Columns (1 hidden)")
        self.page.click("checkbox", "Show count")
        self.wait(lambda: "count" in self.page.cells()[0], "the column's return")


class ExportTests(PageCase):
    def setUp(self):
        super().setUp()
        self.client.insert("TodoItem", id="one", text="a, \"b\"\r\nc", complete=True)
        self.client.send("POST", "/tables/TodoItem", b'{"id":"two","text":"second","count":9007199254740993}')
        self.client.insert("TodoItem", id="three", text="left out")
        self.open_rows(query="?filter=text%20ne%20'left%20out'&order=id")

    def downloaded(self, name):
        """What the link of this name brings, as the browser asks for it."""
        link = self.page.find("link", name)
        answer = self.driver.run_async("""
            const answer = await fetch(given[0].href);
            return [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition'),
              await answer.text()];""", link)
        self.assertEqual(answer[0], 200)
        self.assertIn("attachment", answer[2] or "attachment")
        return answer[1], answer[3]

    def test_the_view_as_json(self):
        kind, text = self.downloaded("JSON")
        self.assertIn("application/json", kind)
        rows = json.loads(text)
        self.assertEqual([row["id"] for row in rows], ["one", "two"])
        self.assertEqual(rows[0]["text"], "a, \"b\"\r\nc")
        self.assertRegex(text, r'"count":\s*9007199254740993\b')

    def test_the_view_as_csv(self):
        kind, text = self.downloaded("CSV")
        self.assertIn("text/csv", kind)
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
        self.assertEqual([row["id"] for row in rows], ["one", "two"])
        self.assertEqual(re.sub(r"\r?\n", "\n", rows[0]["text"]), "a, \"b\"\nc")
        self.assertEqual(rows[1]["count"], str(BIG))
