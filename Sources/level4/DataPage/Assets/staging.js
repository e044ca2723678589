// What somebody means to change and has not sent yet: rows as they were, and what they are to become.
import { same } from "./json.js";

// A change is {key, kind, id, base, values, next}: `update`, `insert`, `delete` or `undelete` of a row, which was
// `base` when the edit began; `values` maps columns to what they are to hold. `next` has the kind and values of what
// follows on the same row. A change is never altered: another one takes its place, so that one knows what was sent.
export class Staging extends EventTarget {
  #changes = new Map();
  #isHeld = false;

  get size() {
    return this.#changes.size;
  }

  get all() {
    return [...this.#changes.values()];
  }

  get(id) {
    return this.#changes.get(String(id));
  }

  // Sets a column of a row that is there. What the row on show holds already is no change.
  set(row, column, value) {
    const key = String(row.id);
    const before = this.#changes.get(key) ?? { key, kind: "update", id: row.id, base: row, values: new Map() };
    if (before.kind === "delete" || before.kind === "undelete") return;
    const values = new Map(before.values);
    if (before.kind === "update" && same(row[column] ?? null, value)) values.delete(column);
    else values.set(column, value);
    if (before.kind === "update" && values.size === 0) this.#changes.delete(key);
    else this.#changes.set(key, { ...before, values });
    this.#tell();
  }

  // A new row, unless something is staged under its id. The id is made before it is sent, so that sending it twice
  // can't make two; a table that numbers its rows gets none.
  insert(values, { id = crypto.randomUUID(), isNumbered = false } = {}) {
    const change = { key: isNumbered ? `new ${crypto.randomUUID()}` : String(id), kind: "insert",
      id: isNumbered ? null : id, base: null, values: new Map(values) };
    if (this.#changes.has(change.key)) return null;
    this.#changes.set(change.key, change);
    this.#tell();
    return change;
  }

  remove(row) {
    const key = String(row.id);
    if (this.#changes.get(key)?.kind === "insert") this.#changes.delete(key);
    else this.#changes.set(key, { key, kind: "delete", id: row.id, base: row, values: new Map() });
    this.#tell();
  }

  // What is staged for a row that somebody deleted meanwhile follows on its return.
  undelete(row) {
    const key = String(row.id);
    const staged = this.#changes.get(key);
    const values = staged ? valuesOf(staged) : new Map();
    if (staged?.kind === "delete") this.#changes.delete(key);
    else {
      this.#changes.set(key, { key, kind: "undelete", id: row.id, base: row, values: new Map(),
        ...values.size > 0 ? { next: { kind: "update", values } } : {} });
    }
    this.#tell();
  }

  // Puts a change in the place of the one that is staged for its row, null for none. Says whether that was still so:
  // what was staged meanwhile stays.
  replace(held, change) {
    if ((this.#changes.get(change.key) ?? null) !== held) return false;
    this.#changes.set(change.key, change);
    this.#tell();
    return true;
  }

  // Takes away what was sent. What somebody staged meanwhile stays, based on the row that came of the sending, where it
  // began at the same one; `row` is null where that is not known.
  release(key, held, base = null, row = null) {
    const now = this.#changes.get(key) ?? null;
    if (now === null) return;
    if (now === held) this.#changes.delete(key);
    else if (row !== null && String(row.id) === key && same(now.base?.version ?? null, base?.version ?? null)) {
      const changed = rebased(now, row);
      if (changed) this.#changes.set(key, changed);
      else this.#changes.delete(key);
    }
    this.#tell();
  }

  // Takes back one column of a change, or all of it.
  discard(key, column = null) {
    const change = this.#changes.get(key);
    if (!change) return;
    const values = new Map(change.values);
    if (column !== null) values.delete(column);
    const isEmpty = change.kind === "update" && values.size === 0;
    if (column === null || isEmpty) this.#changes.delete(key);
    else this.#changes.set(key, { ...change, values });
    this.#tell();
  }

  clear() {
    this.#changes.clear();
    this.#tell();
  }

  // Many changes, told as one.
  together(work) {
    this.#isHeld = true;
    try {
      work();
    } finally {
      this.#isHeld = false;
      this.#tell();
    }
  }

  #tell() {
    if (!this.#isHeld) this.dispatchEvent(new Event("change"));
  }
}

function rebased(change, row) {
  if (change.kind === "delete" || change.kind === "undelete" || row.deleted === true) return { ...change, base: row };
  const values = new Map([...change.values].filter(([name, value]) => !same(row[name] ?? null, value)));
  return values.size === 0 ? null : { ...change, kind: "update", id: row.id, base: row, values };
}

// All that a change writes, in its one step or in both.
export function valuesOf({ values, next }) {
  return new Map([...values, ...next?.values ?? []]);
}

// The columns in which two states of a row differ from each other.
export function differences(base, other, columns) {
  return columns.filter((name) => !same(base?.[name] ?? null, other?.[name] ?? null));
}
