"""Tests of an app with pytest and nothing else. ZUMOD names the program where it isn't on the PATH."""

import json
import os
import subprocess
import urllib.error
import urllib.request

import pytest


@pytest.fixture(scope="session")
def server():
    command = [os.environ.get("ZUMOD", "zumod"), "serve", "--test", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        url = process.stdout.readline().removeprefix("zumod listening on ").strip()
        assert process.stdout.readline() == "Ready.\n"
        yield url
        process.terminate()


class World:
    """A server of one test's own, with a clock that the test sets."""

    def __init__(self, server):
        self.url = server
        self.url = self.ask("POST", "/_test/worlds", {"clock": "2030-01-01T12:00:00Z", "frozen": True})[1]["url"]

    def ask(self, method, path, body=None, **fields):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("ZUMO-API-VERSION", "2.0.0")
        request.add_header("Content-Type", "application/json")
        for name, value in fields.items():
            request.add_header(name.replace("_", "-"), value)
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read()
        return answer.status, json.loads(text) if text else None


@pytest.fixture
def world(server):
    return World(server)


def test_a_row_is_stamped_by_the_tests_clock(world):
    status, row = world.ask("POST", "/tables/TodoItem", {"text": "Buy milk"})
    assert (status, row["createdAt"]) == (201, "2030-01-01T12:00:00.000Z")
    world.ask("POST", "/_test/clock", {"advanceMilliseconds": 86_400_000})
    row = world.ask("PATCH", "/tables/TodoItem/" + row["id"], {"complete": True})[1]
    assert row["updatedAt"] == "2030-01-02T12:00:00.000Z"


def test_a_write_over_another_devices_is_a_conflict(world):
    row = world.ask("POST", "/tables/TodoItem", {"id": "milk", "text": "Buy milk"})[1]
    world.ask("POST", "/_test/tables/TodoItem/rows/milk/touch", {"text": "Buy oat milk"})
    stale = f'"{row["version"]}"'
    status, theirs = world.ask("PATCH", "/tables/TodoItem/milk", {"text": "Buy soy milk"}, If_Match=stale)
    assert (status, theirs["text"]) == (412, "Buy oat milk")


def test_an_app_asks_again_where_the_server_is_busy(world):
    world.ask("POST", "/_test/faults", {"table": "TodoItem", "status": 503, "retryAfter": 1, "times": 2})
    statuses = [world.ask("GET", "/tables/TodoItem")[0] for _ in range(3)]
    assert statuses == [503, 503, 200]
    expected = {"method": "GET", "path": "/tables/TodoItem", "times": 3}
    assert world.ask("POST", "/_test/requests/verify", expected)[0] == 200
