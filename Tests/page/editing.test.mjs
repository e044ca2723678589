import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCell } from "../../Sources/DataPage/Assets/cells.js";
import { columnsOf, parseCSV } from "../../Sources/DataPage/Assets/csv.js";
import { Numeral, write } from "../../Sources/DataPage/Assets/json.js";
import { Staging } from "../../Sources/DataPage/Assets/staging.js";
import { tag } from "../../Sources/DataPage/Assets/sending.js";
import { reversal } from "../../Sources/DataPage/Assets/undo.js";

const typed = [
  ["integer", "9007199254740993", "9007199254740993"], ["integer", "-9223372036854775808", "-9223372036854775808"],
  ["integer", "007", "7"], ["integer", "9223372036854775808", null], ["integer", "1.5", null], ["integer", "", null],
  ["number", "1e3", "1e3"], ["number", ".5", "0.5"], ["number", "-01.50", "-1.50"], ["number", "1e999", null],
  ["decimal", "12345678901234567890.10", "12345678901234567890.10"], ["decimal", "+1.", "1"], ["decimal", "1e3", null],
  ["boolean", "Yes", "true"], ["boolean", "0", "false"], ["boolean", "maybe", null],
  ["date", "2026-11-23", '"2026-11-23T00:00:00Z"'], ["date", "2026-11-23 08:09", '"2026-11-23T08:09:00Z"'],
  ["date", "2026-02-30", null], ["date", "2026-11-23T08:09:10.123+01:00", '"2026-11-23T08:09:10.123+01:00"'],
  ["dateOnly", "2026-02-29", null], ["timeOnly", "08:09:10", '"08:09:10"'], ["timeOnly", "24:00", null],
  ["string", " as it is ", '" as it is "'],
];

for (const [kind, text, wanted] of typed) {
  test(`${kind} takes ${JSON.stringify(text)} as ${wanted}`, () => {
    const { value, problem } = parseCell(kind, text);
    if (wanted === null) assert.ok(problem);
    else assert.equal(write(value), wanted);
  });
}

test("a table as text has quotes, lines in fields, and nothing apart from an empty text", () => {
  const rows = parseCSV('a,b\r\n"x, ""y""\nz",\n"",1');
  assert.deepEqual(rows.map((row) => row.map(({ text, isQuoted }) => [text, isQuoted])), [
    [["a", false], ["b", false]], [['x, "y"\nz', true], ["", false]], [["", true], ["1", false]],
  ]);
  assert.deepEqual(parseCSV("a\tb\n1\t2").length, 2);
  assert.deepEqual(parseCSV("a;b\n1,5;2")[1].map(({ text }) => text), ["1,5", "2"]);
  assert.deepEqual(parseCSV('"open').map((row) => row[0].text), ["open"]);
});

test("the first line names columns, or there are only values", () => {
  assert.deepEqual(columnsOf(parseCSV("COUNT,text\n1,a"), ["text", "count"]), { isHead: true, columns: ["count", "text"] });
  assert.deepEqual(columnsOf(parseCSV("1,a"), ["text", "count"]), { isHead: false, columns: ["text", "count"] });
  assert.deepEqual(columnsOf(parseCSV("text,other\n1,a"), ["text"]), { isHead: true, columns: ["text", null] });
});

test("what a row held already is no change", () => {
  const staging = new Staging();
  const row = { id: "a", version: "1", text: "x", count: new Numeral("1") };
  staging.set(row, "text", "y");
  staging.set(row, "count", new Numeral("2"));
  assert.equal(staging.size, 1);
  staging.set(row, "text", "x");
  staging.set(row, "count", new Numeral("1"));
  assert.equal(staging.size, 0);
});

test("a deletion takes the place of edits, and is taken back by an undelete", () => {
  const staging = new Staging();
  const row = { id: "a", version: "1", text: "x" };
  staging.set(row, "text", "y");
  staging.remove(row);
  assert.equal(staging.get("a").kind, "delete");
  staging.undelete(row);
  assert.equal(staging.size, 0);
  const { key } = staging.insert(new Map([["text", "new"]]));
  staging.remove({ id: key });
  assert.equal(staging.size, 0);
});

test("each write is taken back by the version that it made", () => {
  const before = { id: "a", version: "1", text: "x", deleted: false }, after = { ...before, version: "2", text: "y" };
  const columns = ["text"];
  assert.deepEqual([...reversal({ before, after }, columns).values], [["text", "x"]]);
  assert.equal(reversal({ before, after }, columns).base.version, "2");
  assert.equal(reversal({ before: null, after }, columns).kind, "delete");
  assert.equal(reversal({ before, after: { ...before, deleted: true } }, columns).kind, "undelete");
  assert.equal(reversal({ before, after: null }, columns).kind, "insert");
});

test("a version is quoted as an entity tag", () => {
  assert.equal(tag('a"b\\c'), '"a\\"b\\\\c"');
});
