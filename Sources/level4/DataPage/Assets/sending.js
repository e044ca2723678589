// Sends staged changes, each with the version that it is based on, and tells what became of each.
import { ApiFailure, encode } from "./api.js";
import { same, write } from "./json.js";
import { differences } from "./staging.js";

const MOST_AT_ONCE = 6;

// What a change came to: {state, row, error}. `done` with the row that the write made (null where it is gone), `there`
// with the row where what the change wants was found rather than answered, so that it may be somebody else's work,
// `conflict` with the row of somebody else, `gone`, `unknown` where nobody knows, `failed`.
export class Sender {
  constructor(api, table) {
    this.api = api;
    this.table = table;
    this.path = "rows/" + encode(table.name);
    this.names = table.columns.filter(({ isSystem }) => !isSystem).map(({ name }) => name);
  }

  // Sends changes in their order, some at a time, until one says stop.
  async sendAll(changes, { progress = () => {}, isStopped = () => false } = {}) {
    const results = new Map();
    const waiting = [...changes];
    const work = async () => {
      while (waiting.length > 0 && !isStopped()) {
        const change = waiting.shift();
        results.set(change.key, await this.send(change));
        progress(results.size, changes.length);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, changes.length) }, work));
    return results;
  }

  async send(change) {
    try {
      return { state: "done", ...await this.#attempt(change) };
    } catch (failure) {
      return this.#judge(change, failure).catch(({ message }) => unknown(failure.error ?? message));
    }
  }

  // The row as it is now, a tombstone too; null where there is none.
  async read(id) {
    try {
      return (await this.api.get(`${this.path}/${encode(id)}?__includeDeleted=true`)).body;
    } catch (failure) {
      if (failure.status === 404) return null;
      throw failure;
    }
  }

  async #attempt(change) {
    const address = `${this.path}/${encode(change.id)}`;
    const fields = change.base ? { "If-Match": tag(change.base.version) } : {};
    const body = Object.create(null);
    for (const [name, value] of change.values) body[name] = value;
    switch (change.kind) {
      case "insert":
        if (change.id !== null) body.id = change.id;
        return { row: (await this.api.send("POST", this.path, write(body))).body };
      case "delete": {
        await this.api.send("DELETE", address, undefined, fields);
        return this.table.softDelete ? this.#tombstone(change) : { row: null };
      }
      case "undelete": return { row: (await this.api.send("POST", address, undefined, fields)).body };
      default: return { row: (await this.api.send("PATCH", address, write(body), fields)).body };
    }
  }

  // What a deletion left, unless somebody wrote the row before it could be read: then it isn't what the deletion made.
  async #tombstone(change) {
    const row = await this.read(change.id).catch(() => null);
    const isMine = row?.deleted === true && differences(change.base, row, this.names).length === 0;
    return isMine ? { row } : { state: "there", row };
  }

  async #judge(change, failure) {
    if (!(failure instanceof ApiFailure)) return unknown(failure.message);
    const { status, error } = failure;
    if (status === 412) {
      const row = failure.body?.id === undefined ? await this.read(change.id) : failure.body;
      // A write whose answer was lost, sent once more, or somebody who wrote the same: what it wanted is there.
      if (change.kind === "update" && this.#holds(row, change)) return { state: "there", row };
      return { state: "conflict", row, error };
    }
    if (status === 409 && change.kind === "insert") return this.#taken(change, failure);
    if (status === 404 || status === 410) return this.#missing(change, error);
    if (status === 0 || status >= 500) return this.#unknown(change, error);
    return { state: "failed", row: null, error };
  }

  // An insert whose answer was lost meets its own row; or one that was there before, and is the same.
  async #taken(change, { body, error }) {
    const row = body?.id === undefined ? await this.read(change.id) : body;
    return this.#holds(row, change) ? { state: "there", row } : { state: "conflict", row, error };
  }

  async #missing(change, error) {
    const row = await this.read(change.id);
    if (row === null) return { state: change.kind === "delete" ? "there" : "gone", row: null, error };
    return { state: change.kind === "delete" && row.deleted === true ? "there" : "conflict", row, error };
  }

  // Nobody knows whether it was done: the row tells, and nothing is sent twice.
  async #unknown(change, error) {
    if (change.id === null) return unknown(error);
    let row;
    try {
      row = await this.read(change.id);
    } catch {
      return unknown(error);
    }
    if (change.kind === "insert") {
      if (row === null) return { state: "failed", row, error };
      return { state: this.#holds(row, change) ? "there" : "conflict", row, error };
    }
    if (row === null) return { state: change.kind === "delete" ? "there" : "gone", row, error };
    if (same(row.version, change.base.version)) return { state: "failed", row, error };
    const isThere = change.kind === "update" ? this.#holds(row, change) : row.deleted === (change.kind === "delete");
    return { state: isThere ? "there" : "conflict", row, error };
  }

  // Whether a row is as a change wants it; a new row has nothing in the columns that it doesn't name.
  #holds(row, { kind, values }) {
    if (row === null || row.deleted === true) return false;
    const names = kind === "insert" ? this.names : [...values.keys()];
    return names.every((name) => same(row[name] ?? null, values.get(name) ?? null));
  }
}

function unknown(error) {
  return { state: "unknown", row: null, error };
}

// A version as an entity tag.
export function tag(version) {
  return `"${String(version).replaceAll(/["\\]/g, "\\$&")}"`;
}
