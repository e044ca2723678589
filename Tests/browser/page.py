"""The page as people meet it: controls by their role and name, and the keyboard."""

import time

from webdriver import Failure, wait

# Where elements of a role may be; computedrole then says whether they are.
CANDIDATES = {
    "alert": "[role=alert]",
    "button": "button, [role=button], summary",
    "cell": "td, [role=cell]",
    "checkbox": "input[type=checkbox], [role=checkbox]",
    "combobox": "select, [role=combobox], input[list]",
    "columnheader": "th, [role=columnheader]",
    "dialog": "dialog[open], [role=dialog]",
    "grid": "[role=grid]",
    "gridcell": "[role=gridcell]",
    "heading": "h1, h2, h3, h4",
    "image": "[role=img], img",
    "link": "a[href]",
    "listbox": "[role=listbox]",
    "log": "[role=log]",
    "menuitem": "[role=menuitem]",
    "option": "[role=option]",
    "radio": "input[type=radio], [role=radio]",
    "row": "[role=row], tr",
    "searchbox": "input[type=search], [role=searchbox]",
    "switch": "[role=switch]",
    "tab": "[role=tab]",
    "table": "table, [role=table]",
    "textbox": "input:not([type]), input[type=text], input[type=password], textarea, [role=textbox]",
}
# The same thing under two names of the specification, or by what a browser makes of a completing text box.
ALIKE = {"image": {"img", "image", "figure"}, "textbox": {"textbox", "combobox", "searchbox"},
         "searchbox": {"searchbox", "combobox"}, "cell": {"cell", "gridcell"},
         "combobox": {"combobox", "listbox"}}

# Those of the candidates that can be seen and may have the name; one trip in place of one for each.
LIKELY = """
const [root, selector, name] = arguments;
const texts = (element) => {
  const named = (element.getAttribute("aria-labelledby") || "").split(/\\s+/)
    .map((id) => id && document.getElementById(id)?.textContent || "");
  return [element.getAttribute("aria-label"), element.textContent, element.title, element.placeholder, element.alt,
          element.value, ...named, ...[...(element.labels || [])].map((label) => label.textContent)];
};
const plain = (text) => (text || "").replace(/\\s+/g, " ");
const top = [...document.querySelectorAll("dialog:modal")].pop();
const below = root || top || document;
return [...below.matches?.(selector) ? [below] : [], ...below.querySelectorAll(selector)].filter((element) =>
  element.checkVisibility({ checkVisibilityCSS: true })
  && (name === null || texts(element).some((text) => plain(text).includes(name))));
"""


class Page:
    def __init__(self, driver, origin):
        self.driver, self.origin = driver, origin

    def open(self, path="/_/"):
        self.driver.open(self.origin + path)

    @property
    def path(self):
        return self.driver.url.removeprefix(self.origin)

    # Finding

    def find_all(self, role, name=None, within=None, matches=None):
        """All that can be seen of the role and with exactly this name, or one that `matches`, within the open dialog
        where there is one."""
        selector = CANDIDATES.get(role, f"[role={role}]")
        likely = self.driver.run(LIKELY, within, selector, name)
        found = []
        for element in likely:
            if element.role not in ALIKE.get(role, {role}):
                continue
            if name is None and matches is None:
                found.append(element)
                continue
            label = " ".join(element.label.split())
            if label == name or (matches is not None and matches(label)):
                found.append(element)
        return found

    def find(self, role, name=None, within=None, matches=None):
        return wait(lambda: next(iter(self.find_all(role, name, within, matches)), None),
                    lambda: f"{role} {name!r}; there is: {self.names_of(role)}")

    def names_of(self, role):
        selector = CANDIDATES.get(role, f"[role={role}]")
        return [element.label for element in self.driver.run(LIKELY, None, selector, None)][:40]

    def has(self, role, name=None, within=None):
        try:
            return bool(self.find_all(role, name, within))
        except Failure as failure:
            if failure.code != "stale element reference":
                raise
            return True

    def gone(self, role, name=None):
        wait(lambda: not self.has(role, name), f"the end of {role} {name!r}")

    # Doing

    def click(self, role, name=None, within=None):
        def try_once():
            element = next(iter(self.find_all(role, name, within)), None)
            if element is None or not element.is_enabled:
                return None
            element.click()
            return element
        return wait(try_once, lambda: f"{role} {name!r} to click; there is: {self.names_of(role)}")

    def fill(self, role, name, text, within=None):
        """Puts a text in place of what is there, by the keyboard."""
        element = self.find(role, name, within)
        element.focus()
        self.driver.press("a", held=["Control"])
        self.driver.press("Backspace")
        self.driver.type(text)
        return element

    def press(self, *keys, held=()):
        self.driver.press(*keys, held=held)

    def type(self, text):
        self.driver.type(text)

    def tab_to(self, role, name, backwards=False, limit=120):
        """Goes there by the tabulator alone, as somebody without a mouse does."""
        for _ in range(limit):
            element = self.driver.active
            if element.role in ALIKE.get(role, {role}) and " ".join(element.label.split()) == name:
                return element
            self.press("Tab", held=["Shift"] if backwards else ())
        raise AssertionError(f"the tabulator never comes to {role} {name!r}")

    # The page as a whole

    @property
    def text(self):
        return self.driver.run("return document.body.innerText")

    def shows(self, text):
        wait(lambda: text in self.text, lambda: f"the text {text!r} on the page, which says: {self.text[:1500]}")

    def shows_not(self, text):
        wait(lambda: text not in self.text, f"the end of the text {text!r}")

    def sign_in(self, key, path="/_/"):
        """By the keyboard, and until the page behind is there."""
        self.open(path)
        box = self.find("textbox", "Master key")
        box.focus()
        self.type(key)
        self.press("Enter")
        self.find("button", "Sign out")

    # The grid

    @property
    def grid(self):
        return self.find("grid")

    def cells(self, column=None):
        """The texts of the rows that are in the document, by the names of their columns."""
        rows = self.driver.run("""
            const grid = document.querySelector('[role=grid]');
            if (!grid) return [];
            const names = new Map([...grid.querySelectorAll('[role=columnheader]')]
              .map((head) => [head.getAttribute('aria-colindex'), head.dataset.column || head.textContent.trim()]));
            return [...grid.querySelectorAll('[role=row]')].filter((row) => row.querySelector('[role=gridcell]'))
              .map((row) => [row.getAttribute('aria-rowindex'), Object.fromEntries(
                [...row.querySelectorAll('[role=gridcell]')]
                  .map((cell) => [names.get(cell.getAttribute('aria-colindex')), cell.textContent]))])
              .sort((one, other) => one[0] - other[0]).map(([, cells]) => cells);""")
        return [row.get(column) for row in rows] if column else rows

    def cell(self, identity, column):
        """The cell of a row by the row's id."""
        def look():
            return self.driver.run("""
                const [id, column] = arguments;
                const grid = document.querySelector('[role=grid]');
                const row = [...(grid?.querySelectorAll('[role=row]') ?? [])].find((row) => row.dataset.id === id);
                const head = [...(grid?.querySelectorAll('[role=columnheader]') ?? [])]
                  .find((head) => (head.dataset.column || head.textContent.trim()) === column);
                return row && head && row.querySelector(
                  `[role=gridcell][aria-colindex="${head.getAttribute('aria-colindex')}"]`);""", identity, column)
        return wait(look, f"the cell {column} of row {identity}")

    def open_values(self, column):
        """The most frequent values of a column, by the menu of its head."""
        self.click("button", f"Menu of {column}")
        self.click("button", f"Values of {column}")

    def row_class(self, identity):
        return self.driver.run("""
            return [...document.querySelectorAll('[role=grid] [role=row]')]
              .find((row) => row.dataset.id === arguments[0])?.className ?? null;""", identity)

    def settled(self, seconds=0.3):
        """Waits until the page has not changed for a moment: for pictures."""
        self.driver.run_async("""
            const [quiet] = given;
            await new Promise((resolve) => {
              let timer = setTimeout(resolve, quiet);
              const end = setTimeout(resolve, 3000);
              new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(resolve, quiet); })
                .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
            });
            await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)));
            """, seconds * 1000)
