"""Load by wrk, and what it cost: requests a second, how long they took, and the CPU of whoever answered."""

import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import serving

# Lists of what every thread sends; `row` counts through the table without an order that a cache would like.
SCRIPT = """
local threads = 0
function setup(thread) thread:set("number", threads); threads = threads + 1 end
local free, first, last = {}, 1, 0
function init(args)
    operation, seed, rows, total = args[1], args[2], tonumber(args[3]), tonumber(args[4])
    made = 0
    math.randomseed(number + 1)
    fields = { ["Content-Type"] = "application/json", ["ZUMO-API-VERSION"] = "2.0.0" }
    if operation ~= "update" then response = nil; return end
    local line = 0
    for text in io.lines(args[5]) do
        line = line + 1
        if line % total == number then
            last = last + 1
            local id, version = text:match("(%S+) (.*)")
            free[last] = { id, version }
        end
    end
end
function request()
    made = made + 1
    if operation == "point" then
        return wrk.format("GET", string.format("/tables/Item/row-%07d", math.random(0, rows - 1)), fields)
    elseif operation == "insert" then
        return wrk.format("POST", "/tables/Item", fields, string.format(
            '{"id":"new-%s-%d-%d","text":"Item number %d","complete":true,"number":%d,"rank":%d}',
            seed, number, made, made, made % 500, rows + made))
    end
    local row = free[first]
    if not row then return wrk.format("GET", "/no-row-is-free") end
    free[first] = nil
    first = first + 1
    fields["If-Match"] = row[2]
    return wrk.format("PATCH", "/tables/Item/" .. row[1], fields, string.format('{"text":"Changed %d times"}', made))
end
-- A row may be written again when its new version is known.
function response(status, headers, body)
    local id, version = body:match('"id":"([^"]+)"'), headers["ETag"] or headers["etag"]
    if status == 200 and id and version then
        last = last + 1
        free[last] = { id, version }
    end
end
"""


def milliseconds(text):
    found = re.match(r"([\d.]+)(us|ms|s|m)", text)
    if not found:
        # Nothing was answered in time.
        return 10_000
    number, unit = found.groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60000}[unit]


def wrk(url, connections, seconds, processes, *more):
    """What wrk reports, and the microseconds of CPU that each process took for a request."""
    before = {name: serving.cpu_seconds(process) for name, process in processes.items()}
    # wrk counts in whole seconds.
    command = ["wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "10s",
               "--latency"]
    text = subprocess.run([*command, *(more[:2]), url, *more[2:]], check=True, capture_output=True, text=True).stdout
    spent = {name: serving.cpu_seconds(process) - before[name] for name, process in processes.items()}
    requests = int(re.search(r"(\d+) requests in", text)[1])
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    timeouts = re.search(r"timeout (\d+)", text)
    cell = {"connections": connections, "per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
            "p50_ms": milliseconds(re.search(r"(?m)^ +50% +(\S+)", text)[1]),
            "p99_ms": milliseconds(re.search(r"(?m)^ +99% +(\S+)", text)[1]),
            "failed": (int(bad[1]) if bad else 0) + (int(timeouts[1]) if timeouts else 0)}
    return {**cell, **{f"{name}_us": spent[name] * 1e6 / max(1, requests) for name in processes}}


def measure(port, operation, connections, seconds, rows, processes):
    base = f"http://127.0.0.1:{port}"
    paths = {"pull of 50": serving.PULL, "ordered list of 50": serving.ORDERED, "list of 50": serving.LIST}
    if operation in paths:
        cell = wrk(base + paths[operation], connections, seconds, processes)
        return {"operation": operation, **cell}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "load.lua").write_text(SCRIPT)
        if operation == "update":
            client = serving.Client(port)
            with open(folder / "versions", "w") as file:
                for index in range(min(rows, 2 * connections + 32)):
                    version = client.ask("GET", "/tables/Item/" + serving.row_id(index))[1]
                    file.write(f"{serving.row_id(index)} {version}\n")
        word = "point" if operation == "point read" else operation
        cell = wrk(base, connections, seconds, processes, "-s", str(folder / "load.lua"), "--", word, str(time.time_ns()),
                   str(rows), str(min(2, connections)), str(folder / "versions"))
    return {"operation": operation, **cell}


def beside_nginx(program, folder, rounds, seconds, connections=64):
    """A point read beside nginx answering as many bytes, turn by turn."""
    folder = folder / "nginx"
    folder.mkdir()
    configuration = serving.write_configuration(folder, 3)
    server = serving.Server(program, folder, f"sqlite:{folder}/rows.sqlite3")
    client = serving.Client(server.port)
    client.ask("POST", "/tables/Item", serving.row(0, 1, 3))
    point = "/tables/Item/" + serving.row_id(0)
    (folder / "file").write_bytes(client.ask("GET", point)[0])
    (folder / "nginx.conf").write_text(f"""
        worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/error.log;
        {"user root;" if os.geteuid() == 0 else ""}
        events {{ worker_connections 2048; }}
        http {{ access_log off; keepalive_requests 100000000; open_file_cache max=10;
            server {{ listen 127.0.0.1:18089; root {folder}; }} }}""")
    nginx = subprocess.Popen(["nginx", "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            time.sleep(0.05)
            if pathlib.Path(folder / "pid").exists() and (folder / "pid").read_text().strip():
                break
        asked = {"zumod": (f"http://127.0.0.1:{server.port}{point}", server.pid),
                 "nginx": ("http://127.0.0.1:18089/file", nginx.pid)}
        found = {name: [] for name in asked}
        for _ in range(max(3, rounds)):
            for name, (url, process) in asked.items():
                found[name].append(wrk(url, connections, seconds, {"server": process}))
    finally:
        nginx.terminate()
        nginx.wait()
        server.stop()
    result = []
    for name, cells in found.items():
        result.append({"server": name, **{key: statistics.median(cell[key] for cell in cells) for key in cells[0]}})
        print(f"{name:<10} a point read or a file as large: {result[-1]['per_second']:,.0f} requests/s at {connections} "
              f"connections, {result[-1]['server_us']:.1f} CPU µs a request", flush=True)
    return result
