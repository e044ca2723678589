"""What every test of the page begins with: a server of its own, and a browser that was never there."""

import atexit
import os
import unittest

from page import Page
from server import KEY, Client, Server
from webdriver import Driver, wait

# What people and tools know the browser itself to ask for, which goes nowhere.
LOCAL = ("about:", "blob:", "data:", "chrome:", "devtools:")
browser = None


def the_browser():
    """One for all tests: to start it takes longer than most of them."""
    global browser
    if browser is None:
        browser = Driver()
        atexit.register(browser.end)
    return browser


def on_one_store(test):
    """For what can't differ by the store: it is tested on SQLite alone."""
    return unittest.skipIf(os.environ.get("ZUMOD_BROWSER_POSTGRES_URL"), "the same on every store")(test)


class PageCase(unittest.TestCase):
    """After each test: the page has said nothing on the console, and asked nobody but its server."""

    settings = ""
    tables = None
    seeds = None
    apis = None
    # Statuses that the browser itself notes on the console; a test that provokes others names them.
    expected_statuses = ()

    def setUp(self):
        self.server = Server(self.settings, self.tables, self.seeds, apis=self.apis)
        self.addCleanup(self.server.end)
        self.driver = the_browser()
        self.driver.forget()
        self.driver.forget_stored(self.server.origin)
        self.page = Page(self.driver, self.server.origin)
        self.client = Client(self.server)
        self.addCleanup(self.leave)

    def leave(self):
        failed = self._outcome.result.failures + self._outcome.result.errors
        if os.environ.get("ZUMOD_BROWSER_PICTURES") and any(test is self for test, _ in failed):
            path = os.path.join(os.environ["ZUMOD_BROWSER_PICTURES"], self.id().rsplit(".", 1)[1] + ".png")
            with open(path, "wb") as file:
                file.write(self.driver.picture())
        self.check_quiet()
        self.driver.open("about:blank")

    def check_quiet(self):
        self.assertFalse(self.driver.has_dialog_of_script(), "a script has opened a dialog")
        told = [entry["message"] for entry in self.driver.console() if not self.is_expected(entry)]
        self.assertEqual(told, [], "the console has something to say")
        others = [url for url in self.driver.requested()
                  if not url.startswith((self.server.origin + "/", *LOCAL))]
        self.assertEqual(others, [], "requests went elsewhere")

    def is_expected(self, entry):
        # What the browser would do in the author's place, such as name a user beside each password.
        if entry["source"] == "recommendation":
            return True
        return entry["source"] == "network" and any(
            f"status of {status} " in entry["message"] for status in self.expected_statuses)

    def wait(self, condition, wanted, seconds=None):
        return wait(condition, wanted, seconds)

    def sign_in(self, path="/_/"):
        self.page.sign_in(KEY, path)

    def open_rows(self, table="TodoItem", query=""):
        """The rows of a table, signed in."""
        self.sign_in(f"/_/tables/{table}{query}")
        grid = self.page.grid
        # The tools come a moment after the rows.
        self.page.find("button", "New row")
        return grid

    def texts(self, column="text"):
        return self.page.cells(column)

    def grid_is_at(self, text):
        self.wait(lambda: text in self.texts(), lambda: f"{text} in the grid, which has {self.texts()}")

    def wait_for_texts(self, wanted, column="text"):
        self.wait(lambda: self.page.cells(column) == wanted,
                  lambda: f"{wanted} in column {column}, which has {self.page.cells(column)}")
