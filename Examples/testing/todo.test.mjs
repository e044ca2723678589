// Tests of an app with node --test and nothing else. ZUMOD names the program where it isn't on the PATH.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

let server, base;

before(async () => {
  server = spawn(process.env.ZUMOD ?? "zumod", ["serve", "--test", "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    if (line === "Ready.") break;
    base = line.replace("zumod listening on ", "");
  }
});

after(() => server.kill());

// What Microsoft's JavaScript libraries send, by fetch: the version, JSON, and the row's version in If-Match.
async function world() {
  const made = await fetch(`${base}/_test/worlds`, { method: "POST" });
  const { url } = await made.json();
  const ask = (method, path, body, fields = {}) =>
    fetch(url + path, {
      method,
      headers: { "ZUMO-API-VERSION": "2.0.0", "Content-Type": "application/json", ...fields },
      body: body && JSON.stringify(body),
    });
  return {
    ask,
    table: (name) => ({
      insert: async (row) => (await ask("POST", `/tables/${name}`, row)).json(),
      update: (row) =>
        ask("PATCH", `/tables/${name}/${row.id}`, { text: row.text }, { "If-Match": `"${row.version}"` }),
      read: async () => (await ask("GET", `/tables/${name}`)).json(),
    }),
  };
}

test("two tests see nothing of each other", async () => {
  const [one, other] = [await world(), await world()];
  await one.table("TodoItem").insert({ text: "Buy milk" });
  const seeded = await other.table("TodoItem").read();
  assert.equal((await one.table("TodoItem").read()).length, seeded.length + 1);
});

test("a write over another device's hands back the other's row", async () => {
  const app = await world();
  const row = await app.table("TodoItem").insert({ id: "milk", text: "Buy milk" });
  await app.ask("POST", "/_test/tables/TodoItem/rows/milk/touch", { text: "Buy oat milk" });
  const answer = await app.table("TodoItem").update({ ...row, text: "Buy soy milk" });
  assert.equal(answer.status, 412);
  assert.equal((await answer.json()).text, "Buy oat milk");
});

test("a write whose answer got lost was done once", async () => {
  const app = await world();
  await app.ask("POST", "/_test/faults", { method: "POST", close: "afterCommit", times: 1 });
  const before = await app.table("TodoItem").read();
  await assert.rejects(app.table("TodoItem").insert({ id: "milk", text: "Buy milk" }));
  assert.equal((await app.ask("POST", "/tables/TodoItem", { id: "milk", text: "Buy milk" })).status, 409);
  assert.equal((await app.table("TodoItem").read()).length, before.length + 1);
});
