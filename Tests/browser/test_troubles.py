"""What comes between: other writers, ids that are taken, tables that keep no tombstones, and a server that dies."""

import re

from server import Refused
from test_edit import EditCase

TABLES = {
    "TodoItem": "softDelete: true\ncolumns: { text: string, count: integer }\n",
    "Plain": "columns: { text: string }\n",
    "Numbered": "autoIncrement: true\ncolumns: { text: string }\n",
}


class TroubleCase(EditCase):
    tables = TABLES
    expected_statuses = (404, 409, 412)

    def paste(self, text):
        self.page.click("button", "Paste CSV")
        dialog = self.page.find("dialog")
        box = self.page.find("textbox", within=dialog)
        self.driver.run("""
            arguments[0].value = arguments[1];
            arguments[0].dispatchEvent(new Event('input', {bubbles: true}));""", box, text)
        self.page.find("button", matches=lambda label: re.fullmatch(r"Stage \d+ rows?", label)).click()
        self.page.gone("dialog")

    def is_gone(self, table, identity):
        try:
            self.client.row(table, identity)
        except Refused:
            return True
        return False


class OtherWriterTests(TroubleCase):
    def test_of_many_rows_the_one_that_was_changed_meanwhile_is_not_deleted_unseen(self):
        for name in "abcd":
            self.client.insert("TodoItem", id=name, text=name)
        self.open_rows(query="?order=id")
        self.page.cell("a", "text").click()
        self.page.press("a", held=["Control"])
        self.page.click("button", "Delete")
        self.client.update("TodoItem", "c", text="changed by another")
        self.send(4)
        self.page.find("dialog", "Conflict")
        self.assertEqual(self.kept("c")["text"], "changed by another")
        self.page.click("button", "Take all of theirs")
        self.wait(lambda: [row["id"] for row in self.client.rows("TodoItem")] == ["c"], "the others' end")
        self.wait_for_texts(["changed by another"])

    def test_a_pasted_row_whose_id_is_taken_overwrites_nothing(self):
        self.client.insert("TodoItem", id="taken", text="theirs")
        self.open_rows()
        self.paste("id,text\ntaken,mine\nfresh,new")
        self.send(2)
        self.page.find("dialog", "Conflict")
        self.assertEqual(self.kept("taken")["text"], "theirs")
        self.page.click("button", "Take all of theirs")
        self.wait(lambda: self.kept("fresh")["text"] == "new", "the other row")
        self.assertEqual(self.kept("taken")["text"], "theirs")

    def test_an_edit_of_a_row_that_was_deleted_meanwhile_brings_it_back_only_if_one_says_so(self):
        self.client.insert("TodoItem", id="one", text="before")
        self.open_rows()
        self.edit("one", "text", "mine")
        self.client.delete("TodoItem", "one")
        self.send(1)
        self.page.find("dialog", "Conflict")
        self.assertTrue(self.is_gone("TodoItem", "one"))
        self.page.click("button", "Keep all of mine")
        self.kept_is("one", text="mine", deleted=False)


class KindsOfTableTests(TroubleCase):
    def test_without_tombstones_an_undone_deletion_is_a_new_row_with_the_old_id(self):
        self.client.insert("Plain", id="one", text="here")
        self.open_rows("Plain")
        self.page.cell("one", "text").click()
        self.page.press("Delete")
        self.send(1)
        self.wait(lambda: self.is_gone("Plain", "one"), "the row's end")
        self.page.gone("dialog")
        self.page.click("button", "Undo")
        self.wait(lambda: not self.is_gone("Plain", "one"), "the row's return")
        self.assertEqual(self.client.row("Plain", "one")["text"], "here")

    def test_a_table_that_numbers_its_rows_gives_new_ones_their_ids(self):
        self.client.insert("Numbered", text="first")
        self.open_rows("Numbered")
        self.paste("text\nsecond")
        self.send(1)
        self.wait(lambda: sorted(row["text"] for row in self.client.rows("Numbered")) == ["first", "second"], "two rows")
        self.edit("2", "text", "second, edited")
        self.send(1)
        self.wait(lambda: self.client.row("Numbered", "2")["text"] == "second, edited", "the edit")


class CrashTests(TroubleCase):
    expected_statuses = (404, 409, 412, 0)

    def is_expected(self, entry):
        return super().is_expected(entry) or "net::ERR" in entry["message"]

    def test_rows_that_are_sent_while_the_server_dies_are_there_once_in_the_end(self):
        count = 600
        self.open_rows()
        self.paste("text\n" + "\n".join(f"row {number}" for number in range(count)))
        self.review(count)
        self.page.click("button", "Send")
        self.wait(lambda: int(self.client.send("GET", "/tables/TodoItem?$top=0&$inlinecount=allpages")["count"]) > 20,
                  "the first rows")
        self.server.crash()
        self.wait(lambda: any(alert.text for alert in self.page.find_all("alert")), "a word on it")
        self.server.start_again()
        kept = int(self.client.send("GET", "/tables/TodoItem?$top=0&$inlinecount=allpages")["count"])
        self.assertLess(kept, count, "the server died too late for this to be tried")
        self.page.click("button", "Send")
        self.wait(lambda: not self.page.has("dialog"), "the end of sending", 60)
        texts = [row["text"] for row in self.client.rows("TodoItem", "?$top=1000")]
        self.assertEqual(sorted(texts, key=lambda text: int(re.sub(r"\D", "", text))),
                         [f"row {number}" for number in range(count)])
