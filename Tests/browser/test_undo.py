"""What is undone: one's own writes, and nothing of anybody else's, staged or sent."""

import re

from test_troubles import TroubleCase


class UndoCase(TroubleCase):
    expected_statuses = (404, 409, 412)

    def undo(self, says):
        self.page.click("button", "Undo")
        self.page.shows(says)

    def is_kept(self, **wanted):
        row = self.client.row("TodoItem", "one", deleted=True)
        self.assertEqual({name: row[name] for name in wanted}, wanted)

    def behind(self, method, requests, is_lost=False):
        """Another client comes right behind the next request of the page; whose answer may be lost then."""
        self.driver.run("""
            const [method, requests, isLost] = arguments;
            const real = window.fetch;
            let isDone = false;
            window.fetch = async (address, options = {}) => {
              const answer = await real(address, options);
              if (isDone || (options.method ?? 'GET') !== method) return answer;
              isDone = true;
              for (const [method, path, body] of requests) {
                await real(path, { method, body: body && JSON.stringify(body),
                  headers: { 'Content-Type': 'application/json', 'ZUMO-API-VERSION': '2.0.0' } });
              }
              if (isLost) throw new TypeError('Failed to fetch');
              return answer;
            };""", method, requests, is_lost)

    def hold_writes(self, method):
        """Writes of the page wait until `window.goOn()` is called."""
        self.driver.run("""
            const method = arguments[0];
            const real = window.fetch;
            const going = new Promise((resolve) => { window.goOn = resolve; });
            window.waiting = 0;
            window.fetch = async (address, options = {}) => {
              if (options.method === method) {
                window.waiting += 1;
                await going;
              }
              return real(address, options);
            };""", method)

    def go_on(self):
        self.wait(lambda: self.driver.run("return window.waiting") > 0, "a write under way")
        self.driver.run("window.goOn()")

    def edited(self):
        """A row that the page has written, and can undo."""
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "mine")
        self.send(1)
        self.kept_is("one", text="mine")
        self.page.gone("dialog")


class OthersTests(UndoCase):
    def test_the_same_value_of_another_writer_is_not_undone(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "same")
        self.client.update("TodoItem", "one", text="same", count=999)
        self.send(1)
        self.page.shows("1 change was there already")
        self.assertFalse(self.page.find("button", "Undo").is_enabled)
        self.is_kept(text="same", count=999)

    def test_what_another_wrote_behind_a_lost_answer_is_not_undone(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "mine")
        self.behind("PATCH", [["PATCH", "/tables/TodoItem/one", {"count": 999}]], is_lost=True)
        self.send(1)
        self.page.shows("1 change was there already")
        self.assertFalse(self.page.find("button", "Undo").is_enabled)
        self.is_kept(text="mine", count=999)

    def test_what_another_wrote_behind_a_deletion_is_not_undone(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.page.cell("one", "text").click()
        self.page.press("Delete")
        self.behind("DELETE", [["POST", "/tables/TodoItem/one", None],
                               ["PATCH", "/tables/TodoItem/one", {"text": "theirs", "count": 999}]])
        self.send(1)
        self.page.shows("1 change was there already")
        self.assertFalse(self.page.find("button", "Undo").is_enabled)
        self.is_kept(text="theirs", count=999, deleted=False)

    def test_a_deletion_that_another_made_first_is_not_undone(self):
        self.client.insert("TodoItem", id="one", text="before")
        self.open_rows()
        self.page.cell("one", "text").click()
        self.page.press("Delete")
        self.client.delete("TodoItem", "one")
        self.send(1)
        self.page.shows("1 change was there already")
        self.assertFalse(self.page.find("button", "Undo").is_enabled)

    def test_rows_that_were_there_before_a_paste_stay(self):
        for table in ("Plain", "TodoItem"):
            for name in ("one", "two"):
                self.client.insert(table, id=name, text=f"precious {name}")
        self.sign_in("/_/tables/Plain")
        for table in ("Plain", "TodoItem"):
            self.page.open(f"/_/tables/{table}")
            self.page.find("button", "New row")
            self.paste("id,text\none,precious one\ntwo,precious two\nthree,new\n")
            self.send(3)
            self.page.shows("1 change was sent. 2 changes were there already")
            self.undo("1 write was undone")
            self.assertEqual([row["id"] for row in self.client.rows(table, "?$orderby=id")], ["one", "two"])

    def test_a_pasted_row_without_values_is_not_taken_for_one_that_is_there(self):
        self.client.insert("TodoItem", id="one", text="precious")
        self.open_rows()
        self.paste("id,text\none,\n")
        self.send(1)
        self.page.find("dialog", "Conflict")
        self.page.click("button", "Take all of theirs")
        self.page.gone("dialog")
        self.assertFalse(self.page.find("button", "Undo").is_enabled)
        self.is_kept(text="precious")

    def test_a_row_that_was_brought_back_and_written_goes_again_as_it_was(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "mine")
        self.client.delete("TodoItem", "one")
        self.send(1)
        self.page.find("dialog", "Conflict")
        self.page.click("button", "Keep all of mine")
        self.kept_is("one", text="mine", deleted=False)
        self.page.gone("dialog")
        self.undo("1 write was undone")
        self.is_kept(text="before", count=1, deleted=True)


class OwnTests(UndoCase):
    def staged(self, count):
        return self.page.find("button", matches=lambda label: re.fullmatch(rf"Review {count} changes?", label))

    def test_staged_edits_of_a_row_are_not_lost_by_an_undo(self):
        self.edited()
        self.edit("one", "count", "77")
        self.undo("Not undone")
        self.staged(1)
        self.is_kept(text="mine", count=1)
        self.send(1)
        self.kept_is("one", text="mine", count=77)

    def test_an_edit_while_an_undo_is_under_way_stays_and_is_sent_over_it(self):
        self.edited()
        self.hold_writes("PATCH")
        self.page.click("button", "Undo")
        self.edit("one", "count", "77")
        self.go_on()
        self.kept_is("one", text="before", count=1)
        self.page.shows("1 write was undone")
        self.staged(1)
        self.send(1)
        self.kept_is("one", text="before", count=77)

    def test_an_edit_while_a_change_is_sent_stays_and_is_sent_over_it(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "mine")
        self.hold_writes("PATCH")
        self.send(1)
        self.page.press("Escape")
        self.page.gone("dialog")
        self.edit("one", "count", "77")
        self.go_on()
        self.kept_is("one", text="mine", count=1)
        self.page.shows("1 change was sent")
        self.staged(1)
        self.send(1)
        self.kept_is("one", text="mine", count=77)

    def test_only_one_sending_is_under_way(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "mine")
        self.hold_writes("PATCH")
        self.send(1)
        self.page.press("Escape")
        self.page.gone("dialog")
        self.send(1)
        self.page.shows("still on their way")
        self.go_on()
        self.kept_is("one", text="mine")
        self.assertEqual(self.driver.run("return window.waiting"), 1)

    def test_an_undo_pressed_quickly_does_not_meet_itself(self):
        self.client.insert("TodoItem", id="one", text="v0")
        self.open_rows()
        for text in ("v1", "v2", "v3"):
            self.edit("one", "text", text)
            self.send(1)
            self.kept_is("one", text=text)
            self.page.gone("dialog")
        self.driver.run("for (let time = 0; time < 3; time += 1) arguments[0].click()", self.page.find("button", "Undo"))
        self.page.shows("1 write was undone")
        self.is_kept(text="v2")
        self.assertFalse(self.page.has("dialog"))
        for text in ("v1", "v0"):
            self.page.click("button", "Undo")
            self.kept_is("one", text=text)
        self.assertFalse(self.page.has("dialog"))

    def test_the_old_value_over_another_writers_is_a_change(self):
        self.client.insert("TodoItem", id="one", text="A", count=1)
        self.open_rows()
        self.edit("one", "count", "5")
        self.client.update("TodoItem", "one", text="B")
        self.wait_for_texts(["B"])
        self.edit("one", "text", "A")
        self.wait_for_texts(["A"])
        self.send(1)
        self.page.find("dialog", "Conflict")
        self.page.click("button", "Keep all of mine")
        self.kept_is("one", text="A", count=5)


class ManyTests(UndoCase):
    def test_the_page_goes_on_while_many_changes_are_sent(self):
        count = 300
        self.open_rows()
        self.paste("id,text,count\n" + "\n".join(f"r{number},row {number},{number}" for number in range(count)))
        self.review(count)
        self.driver.run("""
            window.longest = 0;
            let last = performance.now();
            setInterval(() => {
              window.longest = Math.max(window.longest, performance.now() - last);
              last = performance.now();
            }, 10);""")
        self.page.click("button", "Send")
        self.wait(lambda: not self.page.has("dialog"), "the end of sending", 60)
        self.page.shows(f"{count} changes were sent")
        self.assertLess(self.driver.run("return window.longest"), 2000, "milliseconds without a turn of anything else")
        self.undo(f"{count} writes were undone")
        self.assertEqual(self.client.rows("TodoItem"), [])


class PasteTests(UndoCase):
    def pasted(self, text):
        """What the dialog says of a text that it doesn't take."""
        self.page.click("button", "Paste CSV")
        dialog = self.page.find("dialog")
        self.driver.run("""
            arguments[0].value = arguments[1];
            arguments[0].dispatchEvent(new Event('input', {bubbles: true}));""",
            self.page.find("textbox", within=dialog), text)
        stage = self.page.find("button", matches=lambda label: re.fullmatch(r"Stage \d+ rows?", label))
        said = dialog.text
        self.assertFalse(stage.is_enabled, said)
        self.page.press("Escape")
        self.page.gone("dialog")
        return said

    def test_nothing_of_a_text_is_left_out_without_a_word(self):
        self.open_rows()
        for text, said in [
            ("id,text\na,first\na,second\nb,x\n", "This id is in an earlier row."),
            ("text,count\nhello,5,extra\n", "Row 2 has 3 fields"),
            ("one,2,three,four,five\n", "Row 1 has 5 fields"),
            ("text,text\nhello,second\n", "A column is named twice: text"),
            ('text\n"open\nnext\nthird', "A quote is opened and never closed."),
        ]:
            self.assertIn(said, self.pasted(text))
        self.paste('\ufeff"id","text"\n"q1","hello"\n')
        self.send(1)
        self.wait(lambda: [(row["id"], row["text"]) for row in self.client.rows("TodoItem")] == [("q1", "hello")],
                  "the row by its own id")

    def test_a_staged_edit_is_not_pasted_over(self):
        self.client.insert("TodoItem", id="one", text="before", count=1)
        self.open_rows()
        self.edit("one", "text", "my long work")
        self.assertIn("a change that isn't sent yet", self.pasted("id,count\none,5\n"))
        self.page.click("button", "New row")
        self.page.fill("textbox", "id", "one")
        self.page.press("Enter", held=["Control"])
        self.page.shows("a change that isn't sent yet")
        self.page.press("Escape")
        self.page.gone("dialog")
        self.send(1)
        self.kept_is("one", text="my long work", count=1)
