"""What somebody needs who has no mouse, sees little, or hears the page: by assertion."""

import re

from case import PageCase, on_one_store
from server import KEY

# Text and its ground as they are composed on the page, and their contrast by WCAG 2.
CONTRAST = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const seen = new Map();
const read = (text) => {
  if (!seen.has(text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    seen.set(text, [r, g, b, a / 255]);
  }
  return seen.get(text);
};
const over = ([r, g, b, a], below) => [r, g, b].map((part, index) => part * a + below[index] * (1 - a)).concat(1);
const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const ground = (element) => {
  const layers = [];
  for (let one = element; one; one = one.parentElement) {
    const color = read(getComputedStyle(one).backgroundColor);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1) break;
  }
  const page = getComputedStyle(document.documentElement).colorScheme.includes('dark')
    && matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
  return layers.reverse().reduce((below, layer) => over(layer, below), page);
};
const opacity = (element) => element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim();
  const element = walker.currentNode.parentElement;
  if (text === '' || !element.checkVisibility({checkVisibilityCSS: true})) continue;
  if (element.closest('noscript, [inert], option, :disabled, [aria-disabled=true]')) continue;
  const style = getComputedStyle(element);
  // What is shown when one points at it.
  if (opacity(element) === 0) continue;
  const below = ground(element);
  const ink = read(style.color);
  const above = over([...ink.slice(0, 3), ink[3] * opacity(element)], below);
  const [one, other] = [light(above), light(below)].sort((a, b) => b - a);
  const contrast = (one + 0.05) / (other + 0.05);
  if (contrast >= 4.5) continue;
  poor.push(`${contrast.toFixed(2)} ${text.slice(0, 40)} <${element.localName} class="${element.className}">`);
}
for (const box of document.querySelectorAll('input, textarea, select')) {
  if (!box.checkVisibility() || box.disabled) continue;
  const parts = [
    [getComputedStyle(box).color, 'value'], [getComputedStyle(box, '::placeholder').color, 'placeholder']];
  for (const [color, what] of parts) {
    if (what === 'placeholder' && !box.placeholder) continue;
    const below = ground(box);
    const [one, other] = [light(over(read(color), below)), light(below)].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast >= 4.5) continue;
    poor.push(`${contrast.toFixed(2)} the ${what} of ${box.getAttribute("aria-label") ?? box.name}`);
  }
}
return poor;
"""

CONTROLS = """
return [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [tabindex], [role=button],'
  + '[role=switch], [role=checkbox], [role=radio], [role=tab], [role=grid], [role=listbox], dialog[open]')]
  .filter((element) => element.checkVisibility({checkVisibilityCSS: true}) && !element.closest('[inert]')
    && (element.tabIndex >= 0 || element.getAttribute('aria-hidden') !== 'true') && element.type !== 'hidden');
"""

# What the focus changes of an element and those around it that one can see.
LOOK = """
const looks = (element) => {
  const style = getComputedStyle(element);
  return [style.outlineStyle === 'none' ? 'none' : style.outlineColor + style.outlineWidth, style.boxShadow,
    style.borderColor, style.backgroundColor, style.textDecoration].join('|');
};
const element = arguments[0];
"""

VIEWS = ["/_/", "/_/tables/TodoItem", "/_/tables/TodoItem/schema", "/_/devices", "/_/requests", "/_/health"]


class AccessibleTests(PageCase):
    expected_statuses = (400, 401)

    def setUp(self):
        super().setUp()
        for number in range(4):
            self.client.insert(
                "TodoItem", id=str(number), text=f"text {number}", count=number, complete=number % 2 == 0)
        self.client.delete("TodoItem", "3")

    def open_view(self, path):
        self.page.open(path + ("?deleted=1" if path.endswith("TodoItem") else ""))
        self.page.find("button", "Sign out")
        if path.endswith("TodoItem"):
            self.wait(lambda: len(self.texts()) == 4, "the rows")
        else:
            self.page.find("heading")
        self.page.settled(0.2)

    @on_one_store
    def test_every_control_has_a_name(self):
        self.page.open("/_/")
        self.page.find("textbox", "Master key")
        nameless = [self.html(one) for one in self.driver.run(CONTROLS) if one.label.strip() == ""]
        self.assertEqual(nameless, [], "sign-in")
        self.sign_in()
        for path in VIEWS:
            self.open_view(path)
            nameless = [self.html(one) for one in self.driver.run(CONTROLS)
                        if one.label.strip() == "" and one.attribute("id") != "content"]
            self.assertEqual(nameless, [], path)

    def html(self, element):
        return self.driver.run("return arguments[0].outerHTML.slice(0, 160)", element)

    @on_one_store
    def test_text_can_be_read_in_light_and_dark(self):
        for theme in ("light", "dark"):
            self.driver.set_theme(theme)
            self.page.open("/_/")
            if theme == "light":
                self.page.find("textbox", "Master key")
                self.assertEqual(self.driver.run(CONTRAST), [], "sign-in")
                self.sign_in()
            for path in VIEWS:
                self.open_view(path)
                self.assertEqual(self.driver.run(CONTRAST), [], f"{path}, {theme}")
            self.open_view("/_/tables/TodoItem")
            self.page.fill("textbox", "Filter rows", "text eqq 1")
            self.page.press("Enter")
            self.wait(lambda: self.driver.all("mark"), "the mark")
            self.assertEqual(self.driver.run(CONTRAST), [], f"a filter's error, {theme}")
        self.driver.set_theme("light")

    @on_one_store
    def test_the_theme_is_the_systems_until_somebody_chooses(self):
        self.sign_in()
        ground = lambda: self.driver.run("return getComputedStyle(document.body).backgroundColor + "
                                         "getComputedStyle(document.documentElement).backgroundColor")
        light = ground()
        self.driver.set_theme("dark")
        self.wait(lambda: ground() != light, "a dark ground")
        dark = ground()
        self.page.click("button", "Theme")
        self.wait(lambda: ground() == light, "the light that was chosen")
        self.driver.refresh()
        self.page.find("button", "Theme")
        self.assertEqual(ground(), light, "the choice is kept")
        self.assertNotEqual(light, dark)
        self.driver.set_theme("light")

    @on_one_store
    def test_one_sees_where_the_focus_is(self):
        self.sign_in()
        for path in VIEWS:
            self.open_view(path)
            seen = set()
            for _ in range(60):
                self.page.press("Tab")
                focused = self.driver.active
                # Elements that come again have been round once.
                if focused.reference in seen:
                    break
                seen.add(focused.reference)
                if self.driver.run("return arguments[0] === document.body", focused):
                    break
                change = self.driver.run(LOOK + """
                    const box = element.getBoundingClientRect();
                    const chain = [element, element.parentElement, ...element.labels ?? []];
                    const before = chain.map(looks).join();
                    element.blur();
                    const after = chain.map(looks).join();
                    element.focus({focusVisible: true});
                    return {isSeen: before !== after, width: box.width, height: box.height};""", focused)
                self.assertTrue(change["isSeen"], f"{path}: {self.html(focused)}")
                self.assertGreater(change["width"] * change["height"], 0, f"{path}: {self.html(focused)}")
            self.assertGreater(len(seen), 5, path)

    def test_the_grid_is_one_to_those_who_hear_it(self):
        grid = self.open_rows()
        self.wait(lambda: len(self.texts()) == 3, "the rows")
        self.assertEqual(grid.role, "grid")
        self.assertNotEqual(grid.label, "")
        facts = self.driver.run("""
            const grid = document.querySelector('[role=grid]');
            const cells = [...grid.querySelectorAll('[role=gridcell]')];
            return {
              rowCount: grid.getAttribute('aria-rowcount'), columnCount: Number(grid.getAttribute('aria-colcount')),
              heads: [...grid.querySelectorAll('[role=columnheader]')]
                .map((head) => Number(head.getAttribute('aria-colindex'))),
              stray: cells.filter((cell) => !cell.closest('[role=row]') || !cell.getAttribute('aria-colindex')).length,
              rows: [...grid.querySelectorAll('[role=row]')].map((row) => row.getAttribute('aria-rowindex')),
              stops: [...grid.querySelectorAll('[tabindex="0"]'), ...grid.tabIndex === 0 ? [grid] : []]
                .filter((one) => one === grid || one.closest('[role=gridcell], [role=columnheader]') === one).length,
              cells: cells.length,
            };""")
        self.assertEqual(facts["stray"], 0)
        self.assertGreater(facts["cells"], 10)
        self.assertNotIn(None, facts["rows"])
        self.assertLessEqual(max(facts["heads"]), facts["columnCount"])
        self.assertIsNotNone(facts["rowCount"])
        self.assertEqual(facts["stops"], 1, "one stop of the tabulator")

    def test_all_by_keyboard_alone(self):
        self.page.open("/_/")
        self.page.find("textbox", "Master key")
        self.page.tab_to("textbox", "Master key")
        self.page.type(KEY)
        self.page.press("Enter")
        self.page.find("link", "TodoItem")
        self.page.tab_to("link", "TodoItem")
        self.page.press("Enter")
        self.wait(lambda: len(self.texts()) == 3, "the rows")
        self.page.press("/")
        self.page.type("count le 1")
        self.page.press("Enter")
        self.wait(lambda: sorted(self.texts()) == ["text 0", "text 1"], "the filtered rows")
        self.to_grid()
        self.to_cell("0", "text")
        self.page.press("Enter")
        self.wait(lambda: self.driver.run("return document.activeElement.matches('input, textarea')"), "the editor")
        self.page.press("a", held=["Control"])
        self.page.type("by keyboard")
        self.page.press("Enter")
        self.wait(lambda: "by keyboard" in self.texts(), "the staged text")
        self.to_button(r"Review 1 changes?")
        self.page.press("Enter")
        self.page.find("dialog")
        self.to_button("Send")
        self.page.press("Enter")
        self.wait(lambda: self.client.row("TodoItem", "0")["text"] == "by keyboard", "the row on the server")
        self.page.gone("dialog")
        self.wait(lambda: self.driver.run("return document.activeElement !== document.body"), "the focus's return")
        self.page.tab_to("link", "Health", backwards=True)
        self.page.press("Enter")
        self.page.find("log")
        self.page.tab_to("button", "Sign out", backwards=True)
        self.page.press("Enter")
        self.page.find("textbox", "Master key")

    def to_grid(self):
        for _ in range(60):
            if self.driver.run("return document.activeElement.closest('[role=grid]') !== null"):
                return
            self.page.press("Tab")
        self.fail("the tabulator never comes to the grid")

    def to_cell(self, identity, column):
        """By the arrows."""
        self.page.press("Home", held=["Control"])
        for _ in range(20):
            place = self.driver.run("""
                const cell = document.activeElement.closest('[role=gridcell], [role=columnheader]');
                const heads = [...document.querySelectorAll('[role=columnheader]')];
                const index = (one) => Number(one?.getAttribute('aria-colindex'));
                const wanted = heads.find((head) => head.dataset.column === arguments[1]);
                return [cell?.closest('[role=row]')?.dataset.id ?? null, index(wanted) - index(cell)];""",
                identity, column)
            if place[1]:
                self.page.press("Right" if place[1] > 0 else "Left")
            elif place[0] != identity:
                self.page.press("Down")
            else:
                return
        self.fail(f"the arrows never come to {column} of {identity}")

    def to_button(self, pattern):
        for _ in range(80):
            focused = self.driver.active
            if focused.role == "button" and re.fullmatch(pattern, focused.label):
                return
            self.page.press("Tab")
        self.fail(f"the tabulator never comes to the button {pattern}")
