// The last writes of a table, so that they can be taken back by the version that they made.
import { same } from "./json.js";
import { differences } from "./staging.js";

const MOST = 50;

// A step is {label, writes}, and a write {before, after}: the row before and after it, null where there was none.
export class UndoSteps {
  #steps = [];

  get size() {
    return this.#steps.length;
  }

  push(writes) {
    if (writes.length === 0) return;
    this.#steps.push(writes);
    if (this.#steps.length > MOST) this.#steps.shift();
  }

  get last() {
    return this.#steps.at(-1) ?? null;
  }

  // Writes were taken back, each of which left a row as it was, with another version: by that the write before it is
  // taken back.
  took(ends, columns) {
    const rows = new Map(ends.filter(({ write: { before }, row }) => before !== null && row !== null
      && differences(before, row, columns).length === 0 && (before.deleted === true) === (row.deleted === true))
      .map((end) => [String(end.row.id), end]));
    for (const step of this.#steps) {
      step.forEach(({ before, after }, place) => {
        const end = after === null ? undefined : rows.get(String(after.id));
        if (end && same(after.version, end.write.before.version)) step[place] = { before, after: end.row };
      });
    }
  }

  // Those of a step's writes that are of rows with these ids.
  ofKeys(writes, keys) {
    return writes.filter(({ before, after }) => keys.includes(String((after ?? before).id)));
  }

  pop() {
    return this.#steps.pop() ?? null;
  }
}

// The change that takes a write back: it demands the version that the write made. A row that was brought back and
// written at once is written as it was first, and goes then; and the other way round.
export function reversal({ before, after }, columns) {
  const key = String((after ?? before).id);
  if (before === null) return { key, kind: "delete", id: after.id, base: after, values: new Map() };
  // A row that is gone for good can only be made anew, under its old id.
  if (after === null) return { key, kind: "insert", id: before.id, base: null, values: valuesOf(before, columns) };
  const values = new Map(differences(before, after, columns).map((name) => [name, before[name] ?? null]));
  const change = { key, id: after.id, base: after };
  const update = { kind: "update", values };
  if ((before.deleted === true) === (after.deleted === true)) return { ...change, ...update };
  const turn = { kind: after.deleted === true ? "undelete" : "delete", values: new Map() };
  if (values.size === 0) return { ...change, ...turn };
  return turn.kind === "delete" ? { ...change, ...update, next: turn } : { ...change, ...turn, next: update };
}

function valuesOf(row, columns) {
  return new Map(columns.filter((name) => (row[name] ?? null) !== null).map((name) => [name, row[name]]));
}
