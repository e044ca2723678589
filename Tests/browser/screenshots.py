"""Pictures of the main views for README and docs/data-page.md: light, dark and as wide as a phone."""

import random

from case import the_browser
from page import Page
from server import KEY, Client, Refused, Server
from webdriver import wait

TABLES = {
    "TodoItem": """
softDelete: true
columns: { text: string, complete: boolean, count: integer, price: decimal, due: date }
indexes: [ complete, [complete, updatedAt] ]
""",
    "Note": """
softDelete: true
columns: { text: string, ownerId: string, shared: boolean }
insert: { access: authenticated }
visible: "ownerId eq @userId or shared eq true"
indexes: [ [ownerId, updatedAt, id] ]
""",
    "Recipe": "columns: { title: string, minutes: integer }",
    "Journey": "softDelete: true\ncolumns: { from: string, to: string, leaves: date }\nread: { access: anonymous }",
}
THINGS = ["milk", "bread", "four lemons", "candles", "a birthday card", "stamps", "olive oil", "rye flour", "coffee",
          "light bulbs", "string", "seeds for the balcony", "batteries", "honey", "a new bicycle bell", "tea"]
DEVICES = [("3f8a51c1-77b2-4a9d", "ZUMO/4.2.0 (lang=Managed; os=iOS; os_version=19.1)"),
           ("b04e9d22-10c8-4f61", "ZUMO/3.5.1 (lang=Java; os=Android; os_version=16)"),
           ("9c1d7e70-5aa3-4bd0", "ZUMO/4.2.0 (lang=Managed; os=Windows)")]


def fill(server):
    chance = random.Random(7)
    phones = [Client(server, name, agent) for name, agent in DEVICES]
    for number in range(60):
        phones[number % 3].insert(
            "TodoItem", id=f"{chance.getrandbits(64):016x}", text=f"{THINGS[number % len(THINGS)]}",
            complete=chance.random() < 0.4, count=chance.randint(1, 12), price=f"{chance.randint(40, 2900) / 100:.2f}",
            due=f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T09:00:00.000Z")
    for number in range(5):
        phones[0].insert("Recipe", title=f"Soup {number}", minutes=20 + number)
        phones[1].insert("Journey", **{"from": "Lübeck", "to": "Malmö", "leaves": "2026-12-01T08:15:00.000Z"})
    rows = phones[0].rows("TodoItem", "?$top=60&$orderby=id")
    for row in rows[:6]:
        phones[1].delete("TodoItem", row["id"])
    for phone in phones[:2]:
        phone.rows("TodoItem", "?$filter=updatedAt%20ge%20datetimeoffset'1970-01-01T00:00:00.000Z'"
                               "&$orderby=updatedAt&$top=50&__includeDeleted=true")
    conflict(phones[0], rows[10])
    return rows


def conflict(phone, row):
    try:
        phone.update("TodoItem", row["id"], text=row["text"] + ", two of them")
        phone.update("TodoItem", row["id"], version=row["version"], text=row["text"] + ", organic")
    except Refused:
        pass


def take(folder):
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(tables=TABLES)
    try:
        rows = fill(server)
        driver = the_browser()
        driver.forget()
        page = Page(driver, server.origin)
        page.sign_in(KEY)
        page.open("/_/requests")
        page.click("switch", "Record requests")
        wait(lambda: page.find("switch", "Record requests").attribute("aria-checked") == "true", "the recording")
        for name, theme, width, height, is_phone in (
                ("light", "light", 1280, 800, False), ("dark", "dark", 1280, 800, False),
                ("phone", "light", 390, 844, True)):
            driver.resize(width, height, is_phone)
            driver.set_theme(theme)
            for view in VIEWS:
                view(page, server, rows)
                page.settled()
                path = folder / f"data-page-{view.__name__.removesuffix('_dialog')}-{name}.png"
                path.write_bytes(driver.picture())
                print(path)
    finally:
        server.end()
    return 0


def work(server, rows, turns):
    """What the lists of requests and the charts are about."""
    client = Client(server, *DEVICES[0])
    for row in rows[20:20 + turns]:
        client.row("TodoItem", row["id"])
        client.update("TodoItem", row["id"], complete=True)
    try:
        client.rows("TodoItem", "?$filter=complete%20eqq%20true")
    except Refused:
        pass


def tables(page, server, rows):
    page.open("/_/")
    page.find("link", "TodoItem")


def grid(page, server, rows):
    page.open("/_/tables/TodoItem?deleted=1")
    page.find("button", "New row")
    wait(lambda: len(page.cells()) > 8, "the rows")


def mistake(page, server, rows):
    page.open("/_/tables/TodoItem")
    wait(lambda: len(page.cells()) > 8, "the rows")
    page.fill("textbox", "Filter rows", "startswith(text, 'b') eqq true")
    page.press("Enter")
    wait(lambda: page.driver.all("mark"), "the mark")


def conflict_dialog(page, server, rows):
    """Base, theirs and mine."""
    page.open(f"/_/tables/TodoItem?filter=id%20eq%20'{rows[40]['id']}'")
    page.find("button", "New row")
    page.cell(rows[40]["id"], "text").click()
    page.press("Enter")
    wait(lambda: page.driver.run("return document.activeElement.matches('input')"), "the editor")
    page.press("a", held=["Control"])
    page.type("rye bread, sliced")
    page.press("Enter")
    Client(server).update("TodoItem", rows[40]["id"], text="white bread", count=page_count(page))
    page.click("button", "Review 1 change")
    page.click("button", "Send")
    page.find("dialog", "Conflict")


def page_count(page):
    """Another number each time, so that theirs differs from what was there."""
    page.count = getattr(page, "count", 20) + 1
    return page.count


def schema(page, server, rows):
    page.open("/_/tables/TodoItem/schema")
    page.find("heading", "TodoItem")


def devices(page, server, rows):
    page.open("/_/devices")
    page.find("heading", DEVICES[0][0])


def requests(page, server, rows):
    page.open("/_/requests")
    work(server, rows, 10)
    page.find("option", matches=lambda label: "PATCH" in label and label.startswith("200")).click()
    page.find("button", "Copy as curl")


def health(page, server, rows):
    page.open("/_/health")
    points = lambda: page.driver.run(
        "return document.querySelector('.chart-line')?.getAttribute('points').split(' ').length ?? 0")
    # Each look brings more of a line.
    def look():
        work(server, rows, random.randint(1, 12))
        return points() >= 12
    wait(look, "a line", 90)


VIEWS = [tables, grid, mistake, conflict_dialog, schema, devices, requests, health]
