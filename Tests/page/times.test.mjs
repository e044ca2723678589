// Instants and versions in a person's words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, serverNow, setServerClock, versionWords } from "../../Sources/level4/DataPage/Assets/times.js";

const NOW = Date.parse("2026-11-23T12:00:00.000Z");
const before = (seconds) => ago(new Date(NOW - seconds * 1000).toISOString(), NOW);

test("how long ago", () => {
  assert.deepEqual([0, 1, 2, 12, 99, 100, 3600, 6000, 86_400, 172_800, 2_591_999].map(before),
    ["just now", "just now", "2 s ago", "12 s ago", "99 s ago", "1 min ago", "60 min ago", "1 h ago", "24 h ago",
      "2 days ago", "29 days ago"]);
  assert.equal(before(2_592_000), "2026-10-24");
  assert.equal(before(-1), "just now");
  assert.equal(before(-300), "in 5 min");
});

test("what is no instant stays as it is", () => {
  assert.equal(ago("not a date", NOW), "not a date");
  assert.equal(ago("", NOW), "");
});

test("the server's clock counts", () => {
  const now = Date.now();
  setServerClock(new Date(now + 3_600_000).toUTCString(), now);
  assert.ok(Math.abs(serverNow() - now - 3_600_000) < 3000);
  setServerClock(new Date(now).toUTCString(), now);
  assert.ok(Math.abs(serverNow() - now) < 1000);
  setServerClock(null);
  setServerClock("no date");
  assert.ok(Math.abs(serverNow() - now) < 1000);
});

test("versions that are numbers are told as numbers", () => {
  assert.equal(versionWords("AAAAAAAAAAE="), "#1");
  assert.equal(versionWords("f/////////8="), "#9223372036854775807");
  assert.equal(versionWords("abc"), "abc");
  assert.equal(versionWords('"<x>"'), '"<x>"');
});
