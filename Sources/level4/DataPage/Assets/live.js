// What other people and devices write while the view is open: asked for again and again, as long as it is seen.
import { encode } from "./api.js";
import { linkQuery } from "./links.js";
import { identity } from "./pages.js";

const EVERY = 2000, SLOWEST = 30_000;
// Pages of changes taken in one turn; more are not shown one by one.
const MOST_PAGES = 5;

// `path` is that of the rows, `filter()` the view's; `took({rows, fits})` is told of changed rows and which of them
// fit the filter, `flooded()` of more than can be shown, `state(isFine)` of whether the server answers; `pauses()` says
// whether to wait.
export class Live {
  #known = new Map();
  #newest = null;
  #pause = EVERY;
  #timer = null;
  #stop = new AbortController();

  constructor({ api, path, filter, took, flooded, pauses, state }) {
    Object.assign(this, { api, path, filter, took, flooded, pauses, state });
    this.seen = () => {
      if (document.visibilityState === "visible") this.#plan(0);
    };
  }

  // From the newest stamp that is known, with the rows that have it; null asks the server for it.
  async begin(newest) {
    if (newest === null) {
      const { body } = await this.api.get(`${this.path}?$orderby=updatedAt%20desc&$top=1&__includeDeleted=true`);
      newest = body;
    }
    for (const row of newest) this.#learn(row);
    document.addEventListener("visibilitychange", this.seen);
    this.#plan(EVERY);
  }

  leave() {
    document.removeEventListener("visibilitychange", this.seen);
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  // Rows that the view itself has just read or written are no news.
  knows(row) {
    this.#known.set(identity(row), row.version);
  }

  #learn(row) {
    if (typeof row.updatedAt === "string" && (this.#newest === null || row.updatedAt > this.#newest)) {
      this.#newest = row.updatedAt;
    }
    this.knows(row);
  }

  #plan(after) {
    clearTimeout(this.#timer);
    if (!this.#stop.signal.aborted) this.#timer = setTimeout(() => this.#turn(), after);
  }

  async #turn() {
    if (document.visibilityState !== "visible") return;
    try {
      if (!this.pauses()) await this.#ask();
      this.#pause = EVERY;
      this.state(true);
    } catch (failure) {
      if (this.#stop.signal.aborted) return;
      this.#pause = Math.min(SLOWEST, this.#pause * 2);
      this.state(false);
    }
    this.#plan(this.#pause);
  }

  async #ask() {
    const since = this.#newest === null ? "" : `updatedAt ge datetimeoffset'${this.#newest}'`;
    const { rows, isCut } = await this.#read(since);
    const fresh = rows.filter((row) => this.#known.get(identity(row)) !== row.version);
    if (isCut) {
      await this.#skip();
      return this.flooded();
    }
    if (fresh.length > 0) {
      const filter = this.filter();
      const fitting = filter === "" ? rows
        : (await this.#read(since === "" ? filter : `(${filter}) and ${since}`)).rows;
      const fits = new Set(fitting.map(identity));
      if (this.#stop.signal.aborted) return;
      // Only those of the newest stamp come again.
      this.#known.clear();
      for (const row of rows) this.#learn(row);
      this.took({ rows: fresh, fits });
    }
  }

  async #read(filter) {
    const condition = filter === "" ? "" : `&$filter=${encode(filter)}`;
    let query = `$orderby=updatedAt&__includeDeleted=true${condition}`;
    const rows = [];
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { body, headers } = await this.#get(query);
      rows.push(...body);
      query = linkQuery(headers.get("Link"));
      if (query === null) return { rows, isCut: false };
    }
    return { rows, isCut: true };
  }

  async #skip() {
    const query = "$orderby=updatedAt%20desc&$top=1&__includeDeleted=true";
    for (const row of (await this.#get(query)).body) this.#learn(row);
  }

  #get(query) {
    return this.api.get(`${this.path}?${query}`, { signal: this.#stop.signal, isPoll: true });
  }
}
