// Pages of rows that are fetched, forgotten and fetched again, while rows come and go between them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pages } from "../../Sources/level4/DataPage/Assets/pages.js";

const SIZE = 10;
const name = (number) => String(number).padStart(6, "0");
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

// A server of rows in the order of their ids, whose links name the last row of a page.
function server(count) {
  const ids = Array.from({ length: count }, (_, number) => name(number));
  const asked = [];
  const fetchPage = async (link) => {
    asked.push(link);
    const rest = ids.filter((id) => link === null || id > link);
    const rows = rest.slice(0, SIZE).map((id) => ({ id }));
    return { rows, next: rest.length > SIZE ? rows.at(-1).id : null };
  };
  return { ids, asked, fetchPage };
}

async function goTo(pages, index) {
  for (let round = 0; round < 1000 && !(pages.row(index) || (pages.isWhole && index >= pages.length)); round += 1) {
    pages.need(Math.min(index, pages.length - 1), Math.min(index, pages.length - 1) + 3);
    await settled();
  }
}

test("pages follow their links to the end", async () => {
  const { ids, fetchPage } = server(95);
  const pages = new Pages(fetchPage);
  await pages.first();
  assert.equal(pages.length, SIZE);
  assert.ok(!pages.isWhole);
  await goTo(pages, 94);
  pages.need(90, 94);
  await settled();
  assert.equal(pages.length, 95);
  assert.ok(pages.isWhole);
  assert.equal(pages.row(94).id, ids[94]);
  assert.equal(pages.row(95), undefined);
  assert.equal(pages.indexOf(name(93)), 93);
});

test("pages far away are forgotten and come back by their links", async () => {
  const { asked, fetchPage } = server(1000);
  const pages = new Pages(fetchPage);
  await pages.first();
  for (let index = 0; index < 900; index += SIZE) await goTo(pages, index);
  assert.ok(pages.pagesInMemory <= 24, `${pages.pagesInMemory} pages`);
  assert.equal(pages.row(0), undefined);
  assert.ok(pages.length >= 900);
  const before = asked.length;
  await goTo(pages, 105);
  assert.equal(pages.row(105).id, name(105));
  assert.ok(asked.length - before <= 4);
});

test("rows that were put between forgotten pages don't hide others", async () => {
  const { ids, fetchPage } = server(600);
  const pages = new Pages(fetchPage);
  await pages.first();
  for (let index = 0; index < 500; index += SIZE) await goTo(pages, index);
  ids.splice(ids.indexOf(name(12)) + 1, 0, name(12) + "a", name(12) + "b");
  ids.splice(ids.indexOf(name(25)), 2);
  const shifts = [];
  pages.addEventListener("shift", ({ detail }) => shifts.push(detail.by));
  for (let index = 60; index >= 0; index -= SIZE) await goTo(pages, index);
  await settled();
  const seen = [];
  for (let index = 0; index < 50; index += 1) seen.push(pages.row(index)?.id);
  assert.deepEqual(seen, ids.slice(0, 50));
  assert.deepEqual(shifts.sort(), [-2, 2]);
});

test("rows are put in, replaced and taken away", async () => {
  const { fetchPage } = server(25);
  const pages = new Pages(fetchPage);
  await pages.first();
  await goTo(pages, 24);
  assert.ok(pages.insert(0, { id: "new" }));
  assert.ok(pages.insert(15, { id: "between" }));
  assert.equal(pages.length, 27);
  assert.equal(pages.indexOf("new"), 0);
  assert.equal(pages.row(15).id, "between");
  assert.ok(pages.replace({ id: "between", text: "changed" }));
  assert.equal(pages.get("between").text, "changed");
  assert.ok(!pages.replace({ id: "nobody" }));
  assert.ok(pages.remove("new"));
  assert.ok(!pages.remove("new"));
  assert.equal(pages.row(14).id, "between");
  assert.equal(pages.length, 26);
});

test("a row that was put elsewhere comes once", async () => {
  const { fetchPage } = server(60);
  const pages = new Pages(fetchPage);
  await pages.first();
  pages.insert(0, { id: name(35) });
  await goTo(pages, 59);
  const seen = [];
  for (let index = 0; index < pages.length; index += 1) seen.push(pages.row(index).id);
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(seen[0], name(35));
});

test("into no rows the first one can be put", async () => {
  const pages = new Pages(async () => ({ rows: [], next: null }));
  await pages.first();
  assert.ok(pages.isWhole);
  assert.ok(pages.insert(0, { id: "a" }));
  assert.equal(pages.row(0).id, "a");
});

test("a page that doesn't come is told of and asked for again", async () => {
  let fails = true;
  const { fetchPage } = server(40);
  const pages = new Pages((link) => (link !== null && fails ? Promise.reject(new Error("down")) : fetchPage(link)));
  await pages.first();
  const failures = [];
  pages.addEventListener("failure", ({ detail }) => failures.push(detail.message));
  pages.need(0, 9);
  await settled();
  assert.deepEqual(failures, ["down"]);
  fails = false;
  await new Promise((resolve) => setTimeout(resolve, 1050));
  pages.need(0, 9);
  await settled();
  assert.equal(pages.length, 40);
});

test("what is stale stays until the newer state has come", async () => {
  const { ids, fetchPage } = server(8);
  const pages = new Pages(fetchPage);
  await pages.first();
  ids.shift();
  pages.invalidate();
  pages.need(0, 7);
  assert.equal(pages.row(0).id, name(0));
  await settled();
  assert.equal(pages.row(0).id, name(1));
  assert.equal(pages.length, 7);
});
