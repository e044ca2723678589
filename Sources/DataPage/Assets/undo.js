// The last writes of a table, so that they can be taken back by the version that they made.
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

  pop() {
    return this.#steps.pop() ?? null;
  }
}

// The change that takes a write back: it demands the version that the write made.
export function reversal({ before, after }, columns) {
  const key = String((after ?? before).id);
  if (before === null) return { key, kind: "delete", id: after.id, base: after, values: new Map() };
  // A row that is gone for good can only be made anew, under its old id.
  if (after === null) return { key, kind: "insert", id: before.id, base: null, values: valuesOf(before, columns) };
  if (before.deleted === true && after.deleted !== true) {
    return { key, kind: "delete", id: after.id, base: after, values: new Map() };
  }
  if (before.deleted !== true && after.deleted === true) {
    return { key, kind: "undelete", id: after.id, base: after, values: new Map() };
  }
  const changed = differences(before, after, columns);
  const values = new Map(changed.map((name) => [name, before[name] ?? null]));
  return { key, kind: "update", id: after.id, base: after, values };
}

function valuesOf(row, columns) {
  return new Map(columns.filter((name) => (row[name] ?? null) !== null).map((name) => [name, row[name]]));
}
