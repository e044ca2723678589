"""A small client of the W3C WebDriver protocol, and the Chromium that Debian's chromedriver drives."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

# How long a condition may take to come true: on a busy machine, a good deal longer than it should.
PATIENCE = float(os.environ.get("ZUMOD_BROWSER_PATIENCE", 60))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

KEYS = {
    "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a", "Escape": "\ue00c",
    "Space": " ", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "Left": "\ue012",
    "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Delete": "\ue017", "Backspace": "\ue003", "F2": "\ue032",
}


class Failure(Exception):
    """What the driver says went wrong; `code` is the protocol's word for it."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


class Element:
    def __init__(self, driver, reference):
        self.driver, self.reference = driver, reference

    def __eq__(self, other):
        return isinstance(other, Element) and other.reference == self.reference

    def __hash__(self):
        return hash(self.reference)

    def ask(self, what):
        return self.driver.send("GET", f"/element/{self.reference}/{what}")

    @property
    def text(self):
        return self.ask("text")

    @property
    def role(self):
        return self.ask("computedrole")

    @property
    def label(self):
        return self.ask("computedlabel")

    @property
    def value(self):
        return self.ask("property/value")

    @property
    def is_enabled(self):
        return self.ask("enabled")

    def attribute(self, name):
        return self.ask(f"attribute/{name}")

    def style(self, name):
        return self.ask(f"css/{name}")

    def focus(self):
        self.driver.run("arguments[0].focus()", self)
        return self

    def click(self):
        self.driver.send("POST", f"/element/{self.reference}/click", {})

    def picture(self):
        return base64.b64decode(self.ask("screenshot"))


class Driver:
    """One chromium without a window, and one page in it."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="zumod-browser.")
        program = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
        if program is None:
            raise SystemExit("there is no chromedriver: run scripts/test-browser, which installs it")
        # Its own home: nothing of the user's profile comes in, and nothing stays behind.
        self.process = subprocess.Popen(
            [program, "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder, "TMPDIR": self.folder}, start_new_session=True)
        port = self.read_port()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.session = ""
        arguments = [
            "--headless=new", f"--window-size={width},{height}", "--disable-dev-shm-usage", "--disable-gpu",
            "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en-US", "--no-first-run",
            # What else a fresh browser asks the network for, by itself.
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-default-apps",
            "--disable-features=Translate,OptimizationHints,MediaRouter,SpareRendererForSitePerProcess",
            f"--user-data-dir={self.folder}/profile",
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        try:
            made = self.send("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "unhandledPromptBehavior": "ignore",
                "timeouts": {"script": 60_000, "pageLoad": 60_000, "implicit": 0},
                "goog:chromeOptions": {"args": arguments, "prefs": {
                    "download.default_directory": self.downloads, "download.prompt_for_download": False}},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }}})
        except BaseException:
            self.end()
            raise
        self.session = "/session/" + made["sessionId"]

    def read_port(self):
        for line in self.process.stdout:
            found = re.search(rb"successfully on port (\d+)", line)
            if found:
                # What else it prints must not fill the pipe.
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return int(found[1])
        raise SystemExit("chromedriver doesn't start")

    def end(self):
        try:
            if self.session:
                self.send("DELETE", "")
        except (Failure, OSError, http.client.HTTPException):
            pass
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, path, body=None):
        text = None if body is None else json.dumps(body).encode()
        self.connection.request(method, self.session + path if self.session else path, text,
                                {"Content-Type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer and "stacktrace" in answer:
            raise Failure(answer["error"], answer.get("message", ""))
        return answer

    def cdp(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url):
        self.send("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.send("GET", "/url")

    def back(self):
        self.send("POST", "/back", {})

    def refresh(self):
        self.send("POST", "/refresh", {})

    def run(self, script, *arguments):
        """What the script returns, run in the page as a function's body."""
        return self.received(self.send("POST", "/execute/sync", {
            "script": script, "args": [self.sent(argument) for argument in arguments]}))

    def run_async(self, script, *arguments):
        """What the script, the body of an async function, returns in the end."""
        text = ("const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
                "(async function () {" + script + "}).apply(null, given).then((value) => done({value}),"
                "(error) => done({error: String(error)}))")
        answer = self.received(self.send("POST", "/execute/async", {
            "script": text, "args": [self.sent(argument) for argument in arguments]}))
        if "error" in answer:
            raise Failure("javascript error", answer["error"])
        return answer.get("value")

    @staticmethod
    def sent(value):
        return {ELEMENT: value.reference} if isinstance(value, Element) else value

    def received(self, value):
        if isinstance(value, dict):
            if ELEMENT in value:
                return Element(self, value[ELEMENT])
            return {name: self.received(member) for name, member in value.items()}
        return [self.received(member) for member in value] if isinstance(value, list) else value

    def all(self, selector):
        return self.received(self.send("POST", "/elements", {"using": "css selector", "value": selector}))

    @property
    def active(self):
        return self.received(self.send("GET", "/element/active"))

    def has_dialog_of_script(self):
        """Whether alert, confirm or prompt is open."""
        try:
            self.send("GET", "/alert/text")
            return True
        except Failure as failure:
            if failure.code == "no such alert":
                return False
            raise

    def press(self, *keys, held=()):
        """Keys by name, or letters, one after the other; those of `held` are down meanwhile."""
        actions = [{"type": "keyDown", "value": KEYS[key]} for key in held]
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        actions += [{"type": "keyUp", "value": KEYS[key]} for key in reversed(held)]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def type(self, text):
        """A text, letter by letter, where the focus is."""
        self.press(*text)

    def move_to(self, element):
        self.send("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "origin": {ELEMENT: element.reference}, "x": 0, "y": 0}]}]})

    def resize(self, width, height, is_phone=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)

    def set_theme(self, theme):
        """What the system prefers: light or dark."""
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def forget(self):
        """Begins as a browser that was never here."""
        self.open("about:blank")
        self.cdp("Network.clearBrowserCookies")
        self.resize(1280, 800)
        self.set_theme("light")
        self.console()
        self.requested()
        for name in os.listdir(self.downloads):
            os.remove(os.path.join(self.downloads, name))

    def forget_stored(self, origin):
        self.cdp("Storage.clearDataForOrigin", origin=origin, storageTypes="all")

    def console(self):
        """What the console was told since the last call, reports of the content security policy among it."""
        return self.send("POST", "/se/log", {"type": "browser"})

    def requested(self):
        """The URLs of all requests since the last call."""
        urls = []
        for entry in self.send("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                urls.append(message["params"].get("request", message["params"])["url"])
        return urls

    def picture(self):
        return base64.b64decode(self.send("GET", "/screenshot"))


def wait(condition, wanted, seconds=None):
    """What the condition answers once it is true. Elements that vanish meanwhile are looked for again."""
    end = time.monotonic() + (seconds or PATIENCE)
    last = None
    while True:
        try:
            last = condition()
            if last:
                return last
        except Failure as failure:
            if failure.code not in ("stale element reference", "no such element", "element not interactable",
                                    "element click intercepted"):
                raise
            last = failure
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {wanted() if callable(wanted) else wanted} (last: {last})")
        time.sleep(0.02)


if __name__ == "__main__":
    # Whether a browser starts here at all.
    browser = Driver()
    browser.open("data:text/html,<title>here</title><button>Go</button>")
    print(browser.all("button")[0].role, browser.all("button")[0].label, file=sys.stdout)
    browser.end()
