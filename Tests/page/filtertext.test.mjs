// Where a byte of a filter is, what is marked, and what can follow at a place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { completionsAt, indexOfByte, literal, splitAtError } from "../../Sources/level4/DataPage/Assets/filtertext.js";
import { Numeral } from "../../Sources/level4/DataPage/Assets/json.js";

const columns = [{ name: "text", kind: "string" }, { name: "complete", kind: "boolean" },
  { name: "due", kind: "date" }];
const functions = ["startswith", "substringof", "datetimeoffset"];
const names = (text) => completionsAt(text, text.length, columns, functions).items.map(({ name }) => name);

test("bytes are those of UTF-8", () => {
  const text = "é€😀a";
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99].map((byte) => indexOfByte(text, byte)),
    [0, 0, 1, 1, 1, 2, 2, 2, 2, 4, 5, 5]);
  const encoder = new TextEncoder();
  for (const some of ["plain", "é'😀'\u202e x", "\ud800 lone", "שלום and 你好", "\u0000"]) {
    for (let index = 0; index <= some.length; index += 1) {
      if (/[\ud800-\udbff]$/.test(some.slice(0, index)) && /^[\udc00-\udfff]/.test(some.slice(index))) continue;
      assert.equal(indexOfByte(some, encoder.encode(some.slice(0, index)).length), index, some);
    }
  }
});

test("the word at the error is marked", () => {
  const byte = (text, part) => new TextEncoder().encode(text.slice(0, text.indexOf(part))).length;
  const text = "startswith(text,'é😀') eq tru and foo bar";
  assert.deepEqual(splitAtError(text, byte(text, "bar")), [text.slice(0, -3), "bar", ""]);
  assert.deepEqual(splitAtError("a eq 'open", 5), ["a eq ", "'open", ""]);
  assert.deepEqual(splitAtError("a eq", 4), ["a eq", "", ""]);
  assert.deepEqual(splitAtError("a 😀 b", 2), ["a ", "😀", " b"]);
  assert.deepEqual(splitAtError("a ! b", 2), ["a ", "!", " b"]);
});

test("at the beginning and behind an operator come columns and functions", () => {
  assert.deepEqual(names("").slice(0, 3), ["text", "complete", "due"]);
  assert.deepEqual(names("st"), ["startswith", "substringof"]);
  assert.deepEqual(names("text eq 'a' and co"), ["complete"]);
  assert.deepEqual(names("complete eq t"), ["true", "text", "complete", "startswith", "substringof", "datetimeoffset"]
    .filter((name) => name.includes("t")).sort((one, other) => !one.startsWith("t") - !other.startsWith("t")));
  assert.equal(names("due gt ")[0], "datetimeoffset");
});

test("behind a value come operators", () => {
  assert.deepEqual(names("text ").slice(0, 2), ["eq", "ne"]);
  assert.deepEqual(names("text eq 'a' ").slice(0, 2), ["and", "or"]);
  assert.deepEqual(names("startswith(text,'a') ").slice(0, 2), ["and", "or"]);
  assert.deepEqual(names("text eq 'it''s' o"), ["or", "mod"]);
});

test("within a quoted text comes nothing", () => {
  assert.equal(completionsAt("text eq 'co", 11, columns, functions), null);
  assert.equal(completionsAt("text eq 'it''s ", 15, columns, functions), null);
  assert.equal(completionsAt("text eq '", 9, columns, functions), null);
});

test("a completion takes the whole word in which the caret is", () => {
  const { from, to, word } = completionsAt("te eq 'a'", 1, columns, functions);
  assert.deepEqual([from, to, word], [0, 2, "t"]);
});

test("values are literals of the filter", () => {
  assert.equal(literal("it's", "string"), "'it''s'");
  assert.equal(literal(new Numeral("9007199254740993"), "integer"), "9007199254740993");
  assert.equal(literal("2026-11-23T10:00:00.000Z", "date"), "datetimeoffset'2026-11-23T10:00:00.000Z'");
  assert.equal(literal(true, "boolean"), "true");
  assert.equal(literal(null, "string"), "null");
  assert.equal(literal([1], "string"), null);
});
