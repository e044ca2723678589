import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCell } from "../../Sources/level4/DataPage/Assets/cells.js";
import { columnsOf, parseCSV } from "../../Sources/level4/DataPage/Assets/csv.js";
import { Numeral, write } from "../../Sources/level4/DataPage/Assets/json.js";
import { ApiFailure } from "../../Sources/level4/DataPage/Assets/api.js";
import { Staging } from "../../Sources/level4/DataPage/Assets/staging.js";
import { Sender, tag } from "../../Sources/level4/DataPage/Assets/sending.js";
import { reversal, UndoSteps } from "../../Sources/level4/DataPage/Assets/undo.js";

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
  assert.deepEqual(['"open', '"shut"', 'a,"b""', ""].map((text) => parseCSV(text).isOpen), [true, false, true, false]);
  assert.equal(parseCSV('\ufeff"id"\n1')[0][0].text, "id");
  const disarmed = ["'=1+1", "''=1", "'-1", "'it''s", "'", "''", "'＝1", "a'=1"];
  assert.deepEqual(disarmed.map((text) => parseCSV(`"${text}"`)[0][0].text), ["=1+1", "'=1", "-1", "'it''s", "'", "''", "＝1", "a'=1"]);
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

test("what is staged while its row is sent stays, over what came of the sending", () => {
  const staging = new Staging();
  const row = { id: "a", version: "1", text: "x", count: "1" };
  staging.set(row, "text", "y");
  const sent = staging.get("a");
  staging.set(row, "count", "2");
  assert.ok(!staging.replace(sent, { ...sent, kind: "undelete" }), "another has its place");
  staging.release("a", sent, row, { ...row, version: "2", text: "y" });
  assert.deepEqual([...staging.get("a").values], [["count", "2"]]);
  assert.equal(staging.get("a").base.version, "2");
  assert.equal(staging.insert(new Map(), { id: "a" }), null, "nor is it replaced by a new row");
  staging.release("a", sent, { ...row, version: "0" }, { ...row, version: "3" });
  assert.equal(staging.get("a").base.version, "2", "what began at another version meets a conflict");
  staging.undelete({ ...row, deleted: true });
  assert.deepEqual([...staging.get("a").next.values], [["count", "2"]]);
});

test("the old value is a change where another one is on show", () => {
  const staging = new Staging();
  const row = { id: "a", version: "1", text: "x", count: "1" };
  staging.set(row, "count", "2");
  staging.set({ ...row, version: "2", text: "theirs" }, "text", "x");
  assert.equal(staging.get("a").values.get("text"), "x");
  assert.equal(staging.get("a").base.version, "1");
});

test("a row that was brought back and written is written as it was, and goes", () => {
  const before = { id: "a", version: "1", text: "x", deleted: true };
  const after = { id: "a", version: "3", text: "y", deleted: false };
  const there = reversal({ before, after }, ["text"]);
  assert.deepEqual([there.kind, there.values.get("text"), there.next.kind], ["update", "x", "delete"]);
  const back = reversal({ before: after, after: before }, ["text"]);
  assert.deepEqual([back.kind, back.next.kind, back.next.values.get("text")], ["undelete", "update", "y"]);
});

test("a write is undone over the undoing of the next one", () => {
  const [one, two, three] = ["x", "y", "z"].map((text, place) => ({ id: "a", version: String(place + 1), text }));
  const steps = new UndoSteps();
  steps.push([{ before: one, after: two }]);
  const last = { before: two, after: three };
  steps.took([{ write: last, row: { ...two, version: "4", text: "another's" } }], ["text"]);
  assert.equal(steps.last[0].after.version, "2");
  steps.took([{ write: last, row: { ...two, version: "4" } }], ["text"]);
  assert.equal(steps.last[0].after.version, "4");
});

// The server's answers to a change's requests: rows, or the status of a failure with its body.
async function sent(change, answers, softDelete = true) {
  const answer = async () => {
    const [status, body] = answers.shift();
    if (status === 200) return { body };
    throw new ApiFailure(status, "so it is", body);
  };
  const columns = ["text", "count"].map((name) => ({ name, isSystem: false }));
  return new Sender({ get: answer, send: answer }, { name: "t", columns, softDelete }).send(
    { key: "a", id: "a", base: row, ...change, values: change.values ?? new Map([["text", "mine"]]) });
}

const row = { id: "a", version: "1", text: "x", count: null };
const mine = { ...row, version: "2", text: "mine" };
const insert = { kind: "insert", base: null };
const outcomes = [
  ["answered", { kind: "update" }, [[200, mine]], "done"],
  ["refused with what it wants there", { kind: "update" }, [[412, mine]], "there"],
  ["refused", { kind: "update" }, [[412, { ...mine, text: "theirs" }]], "conflict"],
  ["lost, and there", { kind: "update" }, [[0], [200, { ...mine, count: "9" }]], "there"],
  ["lost, and not there", { kind: "update" }, [[0], [200, row]], "failed"],
  ["lost with all that follows", { kind: "update" }, [[0], [0]], "unknown"],
  ["refused, and no row to be had", { kind: "update" }, [[412], [503]], "unknown"],
  ["of a row that is there and the same", insert, [[409, mine]], "there"],
  ["of a row that has more in it", insert, [[409, { ...mine, count: "9" }]], "conflict"],
  ["of nothing but an id that is taken", { ...insert, values: new Map() }, [[409, mine]], "conflict"],
  ["of a tombstone's id", insert, [[409, { ...mine, deleted: true }]], "conflict"],
  ["that leaves its tombstone", { kind: "delete" }, [[200], [200, { ...row, version: "2", deleted: true }]], "done"],
  ["of what another brought back at once", { kind: "delete" }, [[200], [200, mine]], "there"],
  ["of what is gone already", { kind: "delete" }, [[404], [404]], "there"],
  ["of what another deleted", { kind: "delete" }, [[404], [200, { ...row, deleted: true }]], "there"],
];

for (const [name, change, answers, state] of outcomes) {
  test(`${change.kind} ${name}: ${state}`, async () => {
    assert.equal((await sent({ values: change.kind === "delete" ? new Map() : undefined, ...change }, answers)).state,
      state);
  });
}

test("a version is quoted as an entity tag", () => {
  assert.equal(tag('a"b\\c'), '"a\\"b\\\\c"');
});
