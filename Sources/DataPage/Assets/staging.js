// What somebody means to change and has not sent yet: rows as they were, and what they are to become.
import { same } from "./json.js";

// A change is {key, kind, id, base, values}: `update`, `insert`, `delete` or `undelete` of a row, which was `base` when
// the edit began; `values` maps columns to what they are to hold.
export class Staging extends EventTarget {
  #changes = new Map();

  get size() {
    return this.#changes.size;
  }

  get all() {
    return [...this.#changes.values()];
  }

  get(id) {
    return this.#changes.get(String(id));
  }

  // Sets a column of a row that is there. What it held already is no change.
  set(row, column, value) {
    const key = String(row.id);
    const change = this.#changes.get(key) ?? { key, kind: "update", id: row.id, base: row, values: new Map() };
    if (change.kind === "delete" || change.kind === "undelete") return;
    if (change.kind === "update" && same(change.base[column] ?? null, value)) change.values.delete(column);
    else change.values.set(column, value);
    if (change.kind === "update" && change.values.size === 0) this.#changes.delete(key);
    else this.#changes.set(key, change);
    this.#tell();
  }

  // A new row. Its id is made before it is sent, so that sending it twice can't make two; a table that numbers its rows
  // gets none.
  insert(values, { id = crypto.randomUUID(), isNumbered = false } = {}) {
    const change = { key: isNumbered ? `new ${crypto.randomUUID()}` : String(id), kind: "insert",
      id: isNumbered ? null : id, base: null, values: new Map(values) };
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

  undelete(row) {
    const key = String(row.id);
    if (this.#changes.get(key)?.kind === "delete") this.#changes.delete(key);
    else this.#changes.set(key, { key, kind: "undelete", id: row.id, base: row, values: new Map() });
    this.#tell();
  }

  // Any change as it is, such as one that undoes another.
  put(change) {
    this.#changes.set(change.key, change);
    this.#tell();
  }

  // Takes back one column of a change, or all of it.
  discard(key, column = null) {
    const change = this.#changes.get(key);
    if (!change) return;
    if (column !== null) change.values.delete(column);
    const isEmpty = change.kind === "update" && change.values.size === 0;
    if (column === null || isEmpty) this.#changes.delete(key);
    this.#tell();
  }

  clear() {
    this.#changes.clear();
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}

// The columns in which two states of a row differ from each other.
export function differences(base, other, columns) {
  return columns.filter((name) => !same(base?.[name] ?? null, other?.[name] ?? null));
}
