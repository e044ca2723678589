// A view's state in its address, the links between pages, and where a row that arrives belongs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkQuery } from "../../Sources/level4/DataPage/Assets/links.js";
import { parse } from "../../Sources/level4/DataPage/Assets/json.js";
import { comes, needsOtherRows, queryOf, rowsQuery, stateOf } from "../../Sources/level4/DataPage/Assets/rowstate.js";

const read = (query) => stateOf(new URLSearchParams(query));

test("a state comes back from its address", () => {
  for (const query of ["", "?filter=text%20eq%20'%C3%A9%26%2B'", "?order=text", "?order=text%20desc&deleted=1",
    "?filter=a&order=b%20desc&deleted=1&hide=version,createdAt"]) {
    const state = read(query);
    assert.deepEqual(read(queryOf(state)), state);
  }
});

test("what an address can't mean is left out", () => {
  assert.equal(read("?order=a b c").order.name, null);
  assert.equal(read("?order=text DESC").order.isDown, true);
  assert.equal(read("?deleted=yes").deleted, false);
  assert.deepEqual(read("?hide=,,").hidden, []);
});

test("a half of a surrogate pair does not end the page", () => {
  assert.match(queryOf({ ...read(""), filter: "\ud800" }), /%EF%BF%BD/);
});

test("without an order the newest changes are first, and the twin walks by id", () => {
  assert.equal(rowsQuery(read("")), "$orderby=updatedAt%20desc");
  assert.equal(rowsQuery(read("?filter=a&deleted=1&order=b")), "$orderby=b&$filter=a&__includeDeleted=true");
  assert.equal(queryOf(read("?hide=a"), { isTwin: true }), "");
  assert.equal(queryOf(read("?order=a desc"), { isTwin: true }), "?order=a%20desc");
});

test("hidden columns need no other rows", () => {
  assert.ok(!needsOtherRows(read("?hide=a"), read("?hide=b")));
  assert.ok(needsOtherRows(read("?order=a"), read("?order=a desc")));
  assert.ok(needsOtherRows(read(""), read("?deleted=1")));
});

test("a row belongs where its order says", () => {
  const row = (text) => parse(text);
  const up = { name: "n", isDown: false }, down = { name: "n", isDown: true };
  assert.ok(comes(row('{"id":"a","n":9007199254740993}'), row('{"id":"b","n":9007199254740992}'), up) > 0);
  assert.ok(comes(row('{"id":"a","n":1.1}'), row('{"id":"b","n":1.09}'), up) > 0);
  assert.ok(comes(row('{"id":"a","n":-2}'), row('{"id":"b","n":-1}'), up) < 0);
  assert.ok(comes(row('{"id":"a","n":-0.5}'), row('{"id":"b","n":0.25}'), up) < 0);
  assert.ok(comes(row('{"id":"a","n":1e3}'), row('{"id":"b","n":999}'), up) > 0);
  assert.ok(comes(row('{"id":"a","n":null}'), row('{"id":"b","n":0}'), up) < 0);
  assert.ok(comes(row('{"id":"a","n":null}'), row('{"id":"b","n":0}'), down) > 0);
  assert.ok(comes(row('{"id":"a","n":"B"}'), row('{"id":"b","n":"a"}'), up) > 0);
  assert.ok(comes(row('{"id":"a","n":1}'), row('{"id":"b","n":1}'), down) < 0);
  const newest = { name: null, isDown: false };
  assert.ok(comes(row('{"id":"a","updatedAt":"2026-02"}'), row('{"id":"b","updatedAt":"2026-01"}'), newest) < 0);
});

test("the next page's query is in the field Link", () => {
  assert.equal(linkQuery("http://h/_/api/rows/T?$skip=1&$skiptoken=a; rel=next"), "$skip=1&$skiptoken=a");
  assert.equal(linkQuery('<http://h/T?a=1>; rel="next"'), "a=1");
  assert.equal(linkQuery("http://h/T?a=1; rel=prev"), null);
  assert.equal(linkQuery("http://h/T; rel=next"), "");
  assert.equal(linkQuery(null), null);
});
