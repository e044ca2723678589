"""Rows written: staged, shown, sent with their version, and never over what others wrote."""

import re

from case import PageCase
from server import Refused


class EditCase(PageCase):
    # A conflict is an answer with a status that the browser notes.
    expected_statuses = (409, 412)

    def edit(self, identity, column, text):
        """Types a text over a cell, by the keyboard."""
        self.page.cell(identity, column).click()
        self.page.press("Enter")
        box = self.wait(lambda: self.driver.run("""
            const one = document.activeElement;
            return one.matches('input, textarea, select') && one;"""), "the cell's editor")
        self.page.press("a", held=["Control"])
        self.page.press("Backspace")
        self.page.type(text)
        self.page.press("Enter")
        return box

    def review(self, count):
        button = self.page.find("button", matches=lambda label: re.fullmatch(rf"Review {count} changes?", label))
        button.focus()
        self.page.press("Enter")
        return self.page.find("dialog")

    def send(self, count):
        self.review(count)
        self.page.click("button", "Send")

    def kept(self, identity):
        return self.client.row("TodoItem", identity)

    def kept_is(self, identity, **wanted):
        def look():
            try:
                row = self.kept(identity)
            except Refused:
                return False
            return all(row[name] == value for name, value in wanted.items())
        self.wait(look, lambda: f"{wanted} on the server")


class WriteTests(EditCase):
    def test_an_edit_is_staged_shown_and_sent(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "after")
        self.wait_for_texts(["after"])
        self.assertEqual(self.kept("one")["text"], "before", "nothing is sent yet")
        dialog = self.review(1)
        self.wait(lambda: "before" in dialog.text and "after" in dialog.text, "old and new in the diff")
        self.page.click("button", "Send")
        self.kept_is("one", text="after", count=1)
        self.page.gone("dialog")

    def test_what_is_discarded_is_not_sent(self):
        row = self.client.insert("TodoItem", id="one", text="before")
        self.open_rows()
        self.edit("one", "text", "after")
        self.review(1)
        self.page.click("button", "Discard")
        self.wait_for_texts(["before"])
        self.assertEqual(self.kept("one")["version"], row["version"])

    def test_numbers_and_dates_are_sent_as_they_were_typed(self):
        self.client.insert("TodoItem", id="one", text="exact")
        self.open_rows()
        self.edit("one", "count", "9007199254740993")
        self.edit("one", "price", "12345678901234567890.10")
        self.edit("one", "due", "2026-01-02T03:04:05.678Z")
        self.send(1)
        self.kept_is("one", count=9007199254740993, due="2026-01-02T03:04:05.678Z")
        self.assertEqual(str(self.kept("one")["price"]), "12345678901234567890.10")

    def test_what_no_column_of_the_kind_takes_is_said_at_once(self):
        self.client.insert("TodoItem", id="one", text="here", count=1)
        self.open_rows()
        self.edit("one", "count", "many")
        self.wait(lambda: self.driver.run("""
            return [...document.querySelectorAll('[aria-invalid=true], [role=alert]')]
              .some((one) => one.getAttribute('aria-invalid') === 'true' || one.textContent !== '')"""), "a word on it")
        self.assertEqual(self.kept("one")["count"], 1)

    def test_a_new_row_is_inserted(self):
        self.open_rows()
        self.page.click("button", "New row")
        self.page.find("dialog")
        self.page.fill("textbox", "text", "made here")
        self.page.press("Enter", held=["Control"])
        self.page.gone("dialog")
        self.send(1)
        self.wait(lambda: [row["text"] for row in self.client.rows("TodoItem")] == ["made here"], "the row")
        self.wait_for_texts(["made here"])

    def test_a_row_is_deleted_and_undeleted(self):
        self.client.insert("TodoItem", id="one", text="here")
        self.client.insert("TodoItem", id="two", text="stays")
        self.open_rows(query="?order=id&deleted=1")
        self.page.cell("one", "text").click()
        self.page.press("Delete")
        self.send(1)
        self.wait(lambda: self.kept_deleted("one"), "the tombstone")
        self.wait(lambda: "line-through" in self.page.cell("one", "text").style("text-decoration"), "its look")
        self.page.cell("one", "text").click()
        self.page.click("button", "Undelete")
        self.send(1)
        self.wait(lambda: not self.kept_deleted("one"), "the row's return")
        self.assertEqual(self.kept("two")["text"], "stays")

    def kept_deleted(self, identity):
        return self.client.row("TodoItem", identity, deleted=True)["deleted"]

    def test_many_rows_at_once(self):
        for number in range(5):
            self.client.insert("TodoItem", id=str(number), text=f"text {number}")
        self.open_rows(query="?order=id")
        self.page.cell("1", "text").click()
        self.page.press("Space", "Down", "Space", "Down", "Space")
        self.page.click("button", "Delete")
        self.send(3)
        self.wait(lambda: [row["id"] for row in self.client.rows("TodoItem", "?$orderby=id")] == ["0", "4"], "two rows")
        self.wait_for_texts(["text 0", "text 4"])

    def test_csv_is_pasted_into_new_rows(self):
        self.open_rows()
        self.page.click("button", "Paste CSV")
        dialog = self.page.find("dialog")
        box = self.page.find("textbox", within=dialog)
        self.driver.run("""
            arguments[0].value = arguments[1];
            arguments[0].dispatchEvent(new Event('input', {bubbles: true}));""", box,
            'text,count,price\r\n"milk, ""fresh""\r\nand cold",9007199254740993,1.10\r\nbread,2,0.50\r\n')
        self.wait(lambda: "bread" in dialog.text and "9007199254740993" in dialog.text, "the preview")
        self.page.click("button", "Stage 2 rows")
        self.page.gone("dialog")
        self.send(2)
        read = lambda: self.client.rows("TodoItem", "?$orderby=count%20desc")
        self.wait(lambda: len(read()) == 2, "two rows")
        rows = read()
        self.assertEqual([(re.sub("\r\n", "\n", row["text"]), row["count"]) for row in rows],
                         [('milk, "fresh"\nand cold', 9007199254740993), ("bread", 2)])

    def test_the_last_writes_are_undone_by_their_version(self):
        self.client.insert("TodoItem", id="one", text="before")
        self.open_rows()
        self.edit("one", "text", "after")
        self.send(1)
        self.kept_is("one", text="after")
        self.page.gone("dialog")
        self.page.click("button", "Undo")
        self.kept_is("one", text="before")
        self.wait_for_texts(["before"])

    def test_an_undo_does_not_take_away_what_others_wrote_since(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "after")
        self.send(1)
        self.kept_is("one", text="after")
        self.page.gone("dialog")
        self.client.update("TodoItem", "one", text="somebody else's")
        self.page.click("button", "Undo")
        self.page.find("dialog", "Conflict")
        self.assertEqual(self.kept("one")["text"], "somebody else's")


class ConflictTests(EditCase):
    def conflict(self):
        """A second writer comes between the edit and its sending."""
        self.client.insert("TodoItem", id="one", text="base", count=1, complete=False)
        self.open_rows()
        self.edit("one", "text", "mine")
        self.edit("one", "count", "5")
        theirs = self.client.update("TodoItem", "one", text="theirs", complete=True)
        self.send(1)
        dialog = self.page.find("dialog", "Conflict")
        for text in ("base", "theirs", "mine"):
            self.wait(lambda: text in dialog.text, f"{text} in the dialog")
        self.assertEqual(self.kept("one")["version"], theirs["version"], "nothing was overwritten")
        return dialog

    def test_base_theirs_and_mine_are_shown_and_chosen_by_column(self):
        dialog = self.conflict()
        heads = [head.text for head in self.page.find_all("columnheader", within=dialog)]
        for head in ("Base", "Theirs", "Mine"):
            self.assertIn(head, heads)
        row = self.driver.run("""
            return [...arguments[0].querySelectorAll('tr')].find((row) => row.textContent.includes('theirs'))""",
            dialog)
        self.page.click("radio", "Theirs", within=row)
        self.page.click("button", "Save choice")
        self.kept_is("one", text="theirs", count=5, complete=True)
        self.page.gone("dialog")
        self.wait_for_texts(["theirs"])

    def test_all_of_theirs(self):
        self.conflict()
        self.page.click("button", "Take all of theirs")
        self.page.gone("dialog")
        self.wait_for_texts(["theirs"])
        self.assertEqual((self.kept("one")["text"], self.kept("one")["count"]), ("theirs", 1))

    def test_all_of_mine(self):
        self.conflict()
        self.page.click("button", "Keep all of mine")
        self.page.gone("dialog")
        self.kept_is("one", text="mine", count=5, complete=True)

    def test_a_conflict_while_choosing_is_a_conflict_again(self):
        self.conflict()
        self.client.update("TodoItem", "one", text="theirs again")
        self.page.click("button", "Keep all of mine")
        self.page.shows("theirs again")
        self.assertEqual(self.kept("one")["text"], "theirs again")
        self.page.click("button", "Keep all of mine")
        self.kept_is("one", text="mine")
