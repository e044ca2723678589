"""Who is let in, how, and for how long."""

import subprocess

from case import PageCase, on_one_store
from server import KEY, program

SIGNING_KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"


class SignInTests(PageCase):
    settings = f"auth:\n  signingKey: {SIGNING_KEY}\n  providers:\n    local:\n"
    expected_statuses = (400, 401, 403)

    def token(self, *claims):
        arguments = [argument for claim in claims for argument in ("--claim", claim)]
        done = subprocess.run(
            [program(), "token", "--user", "Google:77", *arguments, "--config", self.server.folder / "config"],
            capture_output=True, text=True, check=True, env={})
        return done.stdout.strip()

    def test_a_wrong_key_is_refused_and_the_right_one_let_in(self):
        self.page.open("/_/")
        self.page.find("textbox", "Master key").focus()
        self.page.type("not the key")
        self.page.press("Enter")
        alert = self.page.find("alert", matches=lambda label: True)
        self.wait(lambda: alert.text != "", "a word on why not")
        self.assertFalse(self.page.has("button", "Sign out"))
        self.assertFalse(self.page.has("link", "Tables"))
        self.page.fill("textbox", "Master key", KEY)
        self.page.press("Enter")
        self.page.find("button", "Sign out")
        self.page.find("link", "TodoItem")

    def test_whoever_is_not_signed_in_sees_no_row_and_no_table(self):
        self.client.insert("TodoItem", id="one", text="seen by nobody")
        self.page.open("/_/tables/TodoItem")
        self.page.find("textbox", "Master key")
        self.assertNotIn("seen by nobody", self.page.text)
        for path in ("tables", "rows/TodoItem", "devices", "requests", "conflicts", "health", "log", "requests.har"):
            status = self.driver.run_async("return (await fetch('/_/api/' + given[0])).status", path)
            self.assertEqual(status, 401, path)
        for path in ("TodoItem.json", "TodoItem.csv"):
            answer = self.driver.run_async("""
                const answer = await fetch('/_/tables/' + given[0]);
                return [answer.status, await answer.text()];""", path)
            self.assertNotIn("seen by nobody", answer[1])

    def test_after_signing_in_one_is_where_one_wanted_to_be(self):
        self.client.insert("TodoItem", id="one", text="found")
        self.client.insert("TodoItem", id="two", text="left out")
        self.sign_in("/_/tables/TodoItem?filter=text%20eq%20'found'")
        self.wait_for_texts(["found"])

    def test_an_admins_token_lets_in(self):
        self.page.open("/_/")
        self.page.click("radio", "Token")
        self.page.fill("textbox", "Token of an administrator", self.token("role=admin"))
        self.page.press("Enter")
        self.page.find("button", "Sign out")

    def test_a_token_of_somebody_else_does_not(self):
        self.page.open("/_/")
        self.page.click("radio", "Token")
        self.page.fill("textbox", "Token of an administrator", self.token())
        self.page.press("Enter")
        self.wait(lambda: any(alert.text for alert in self.page.find_all("alert")), "a word on why not")
        self.assertFalse(self.page.has("button", "Sign out"))

    def test_signing_out_has_the_browser_forget_the_session(self):
        self.sign_in()
        self.page.click("button", "Sign out")
        self.page.find("textbox", "Master key")
        self.assertEqual(self.driver.run_async("return (await fetch('/_/api/tables')).status"), 401)
        self.page.open("/_/tables/TodoItem")
        self.page.find("textbox", "Master key")

    def test_no_script_reads_the_cookie_and_no_write_is_done_without_the_csrf_token(self):
        self.sign_in()
        self.assertEqual(self.driver.run("return document.cookie"), "")
        cookies = self.driver.send("GET", "/cookie")
        self.assertEqual([(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies], [(True, "Strict")])
        status = self.driver.run_async("""
            return (await fetch('/_/api/rows/TodoItem', {method: 'POST', body: '{"text":"forged"}',
              headers: {'Content-Type': 'application/json'}})).status;""")
        self.assertIn(status, (400, 403))
        self.assertEqual(self.client.rows("TodoItem"), [])

    def test_every_answer_forbids_what_the_page_does_not_need(self):
        self.page.open("/_/")
        for path in ("/_/", "/_/assets/app.js", "/_/api/session", "/_/tables/TodoItem"):
            fields = self.driver.run_async("""
                const answer = await fetch(given[0]);
                return Object.fromEntries(answer.headers);""", path)
            policy = fields["content-security-policy"]
            for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"):
                self.assertIn(part, policy, path)
            for word in ("unsafe", "*", "http:", "https:"):
                self.assertNotIn(word, policy, path)
            self.assertEqual(fields["x-content-type-options"], "nosniff", path)
            self.assertEqual(fields["referrer-policy"], "no-referrer", path)

    def test_a_session_that_has_ended_begins_again_at_the_same_place(self):
        self.client.insert("TodoItem", id="one", text="here")
        self.open_rows()
        self.wait_for_texts(["here"])
        self.driver.cdp("Network.clearBrowserCookies")
        box = self.page.find("textbox", "Master key")
        box.focus()
        self.page.type(KEY)
        self.page.press("Enter")
        self.page.gone("textbox", "Master key")
        self.wait_for_texts(["here"])
        self.client.insert("TodoItem", id="two", text="later")
        self.wait(lambda: "later" in self.texts(), "a row that came after the new session began")


@on_one_store
class SwitchedOffTests(PageCase):
    settings = "page:\n  enabled: false\n"
    expected_statuses = (404,)

    def test_where_the_page_is_off_there_is_none(self):
        self.page.open("/_/")
        self.assertFalse(self.page.has("textbox", "Master key"))
        self.assertEqual(self.driver.run_async("return (await fetch('/_/api/session')).status"), 404)
