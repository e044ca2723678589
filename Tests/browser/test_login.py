"""Logins of apps in a real browser: popups, tabs, and a provider that cuts its page off."""

import subprocess

from case import PageCase
from provider import Provider
from server import program

SIGNING_KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"


class LoginTests(PageCase):
    def setUp(self):
        self.provider = Provider()
        self.addCleanup(self.provider.end)
        self.settings = self.provider.settings(SIGNING_KEY)
        super().setUp()
        self.provider.server = self.server.origin
        self.first = self.driver.send("GET", "/window")
        self.addCleanup(self.close_others)

    def check_quiet(self):
        """An app and its provider are at addresses of their own, and failed logins are on the console."""

    def close_others(self):
        for handle in self.driver.send("GET", "/window/handles"):
            if handle != self.first:
                self.go_to(handle)
                self.driver.send("DELETE", "/window")
        self.go_to(self.first)

    def go_to(self, handle):
        self.driver.send("POST", "/window", {"handle": handle})

    def new_tab(self, url):
        handle = self.driver.send("POST", "/window/new", {"type": "tab"})["handle"]
        self.go_to(handle)
        self.driver.open(url)
        return handle

    def click(self, selector):
        """What is clicked may be part of a page that isn't there yet."""
        self.wait(lambda: self.driver.run("return !!document.querySelector(arguments[0])", selector), selector)
        self.driver.run("return document.querySelector(arguments[0])", selector).click()

    def words(self):
        return self.driver.run("return document.body ? document.body.innerText : ''")

    def wait_for_words(self, words):
        self.wait(lambda: words in self.words(), words)

    def open_popup(self):
        self.driver.open(self.provider.origin + "/app")
        self.click("#go")
        self.wait(lambda: len(self.driver.send("GET", "/window/handles")) == 2, "a popup")
        popup = next(handle for handle in self.driver.send("GET", "/window/handles") if handle != self.first)
        self.go_to(popup)
        return popup

    def app_said(self):
        self.go_to(self.first)
        outcome = lambda: self.driver.run("return document.getElementById('outcome').textContent")
        self.wait(lambda: outcome() != "", "an outcome")
        return outcome()

    def test_the_page_that_opened_the_login_is_told(self):
        popup = self.open_popup()
        self.click("#agree")
        self.wait_for_words("You are logged in.")
        self.assertEqual(self.app_said(), "user: Google:77")
        self.go_to(popup)
        self.assertIn("You can close this window.", self.words())

    def test_giving_up_at_the_provider_is_told_by_a_form_and_by_an_address(self):
        for way in ("#cancel", "#leave"):
            popup = self.open_popup()
            self.click(way)
            self.wait_for_words("The login was cancelled.")
            self.assertEqual(self.app_said(), "error: The login was cancelled.")
            self.go_to(popup)
            self.assertNotIn("You are logged in", self.words())
            self.close_others()

    def test_a_page_that_lost_its_opener_says_so(self):
        self.provider.is_apart = True
        popup = self.open_popup()
        self.click("#agree")
        self.wait_for_words("can't be told")
        self.assertNotIn("You are logged in", self.words())
        self.assertEqual(self.app_said(), "error: canceled")
        self.go_to(popup)

    def test_two_tabs_and_two_providers_each_end_as_they_began(self):
        google = self.server.origin + "/.auth/login/google"
        tabs = [self.new_tab(google), self.new_tab(google), self.new_tab(self.server.origin + "/.auth/login/local")]
        for tab in tabs[:2]:
            self.go_to(tab)
            self.click("#agree")
            self.wait_for_words("You are logged in.")
        self.go_to(tabs[2])
        self.log_in("correct horse")
        self.wait_for_words("You are logged in.")

    def test_the_servers_own_page_takes_its_own_form(self):
        self.driver.open(self.server.origin + "/.auth/login/local")
        self.log_in("wrong horse", adds_user=True)
        self.wait_for_words("The user name or the password is wrong.")
        self.click("button[name=cancel]")
        self.wait_for_words("You are not logged in.")
        self.assertIn("#error=", self.driver.run("return location.href"))

    def log_in(self, password, adds_user=True):
        if adds_user:
            subprocess.run(
                [program(), "user", "add", "ann", "--config", self.server.folder / "config", *self.server.arguments[:2]],
                input=b"correct horse\n", check=True, env={})
        for name, value in (("username", "ann"), ("password", password)):
            self.driver.run("document.querySelector(`[name=${arguments[0]}]`).value = arguments[1]", name, value)
        self.click("form button")
