// Sends staged changes, each with the version that it is based on, and tells what became of each.
import { ApiFailure, encode } from "./api.js";
import { same, write } from "./json.js";

const MOST_AT_ONCE = 6;

// What a change came to: {state, row, error}. `done` with the row as it is now (null where it is gone), `conflict` with
// the row of somebody else, `gone`, `unknown` where nobody knows, `failed`.
export class Sender {
  constructor(api, table) {
    this.api = api;
    this.table = table;
    this.path = "rows/" + encode(table.name);
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
      if (!(failure instanceof ApiFailure)) throw failure;
      return this.#judge(change, failure);
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
        return { row: this.table.softDelete ? await this.read(change.id) : null };
      }
      case "undelete": return { row: (await this.api.send("POST", address, undefined, fields)).body };
      default: return { row: (await this.api.send("PATCH", address, write(body), fields)).body };
    }
  }

  async #judge(change, failure) {
    const { status, error } = failure;
    if (status === 412) {
      const row = failure.body?.id === undefined ? await this.read(change.id) : failure.body;
      // A write whose answer was lost, sent once more: what it wanted is there.
      if (change.kind === "update" && holds(row, change)) return { state: "done", row };
      return { state: "conflict", row, error };
    }
    if (status === 409 && change.kind === "insert") return this.#taken(change, failure);
    if (status === 404 || status === 410) return this.#missing(change, error);
    if (status === 0 || status >= 500) return this.#unknown(change, error);
    return { state: "failed", row: null, error };
  }

  // An insert whose answer was lost meets its own row.
  async #taken(change, { body, error }) {
    const row = body?.id === undefined ? await this.read(change.id) : body;
    return holds(row, change) ? { state: "done", row } : { state: "conflict", row, error };
  }

  async #missing(change, error) {
    const row = await this.read(change.id);
    if (row === null) return { state: change.kind === "delete" ? "done" : "gone", row: null, error };
    return { state: change.kind === "delete" && row.deleted === true ? "done" : "conflict", row, error };
  }

  // Nobody knows whether it was done: the row tells, and nothing is sent twice.
  async #unknown(change, error) {
    let row;
    try {
      row = change.id === null ? null : await this.read(change.id);
    } catch {
      return { state: "unknown", row: null, error };
    }
    if (change.kind === "insert") {
      if (change.id === null) return { state: "unknown", row: null, error };
      return holds(row, change) ? { state: "done", row } : { state: "failed", row, error };
    }
    if (row === null) return { state: change.kind === "delete" ? "done" : "gone", row, error };
    if (same(row.version, change.base.version)) return { state: "failed", row, error };
    const isMine = change.kind === "update" ? holds(row, change) : row.deleted === (change.kind === "delete");
    return isMine ? { state: "done", row } : { state: "conflict", row, error };
  }
}

function holds(row, change) {
  return row !== null && row.deleted !== true
    && [...change.values].every(([name, value]) => same(row[name] ?? null, value));
}

// A version as an entity tag.
export function tag(version) {
  return `"${String(version).replaceAll(/["\\]/g, "\\$&")}"`;
}
