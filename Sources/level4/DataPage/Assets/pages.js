// The rows of a view as pages that follow each other by links: fetched when they are needed, forgotten far away.

// Pages that are fetched before somebody comes to them.
const AHEAD = 3;
// Pages that stay in memory on each side of what is seen.
const KEPT_AROUND = 10;
// How many answers one page may need after rows were put into it, before the rest is left to the next look.
const MOST_ANSWERS = 4;

export function identity(row) {
  return String(row.id);
}

// Tells "change" when rows came, and "failure" with an error; `fetchPage(link)` answers {rows, next}.
export class Pages extends EventTarget {
  #fetchPage;
  #pages = [];
  #starts = [];
  #pageOf = new Map();
  #running = new Map();
  #next = null;
  #isClosed = false;
  #seen = [0, 0];

  constructor(fetchPage) {
    super();
    this.#fetchPage = fetchPage;
  }

  get length() {
    const last = this.#pages.length - 1;
    return last < 0 ? 0 : this.#starts[last] + this.#pages[last].length;
  }

  // Whether the last known row is the last of all.
  get isWhole() {
    return this.#next === null && this.#pages.length > 0;
  }

  get isBusy() {
    return this.#running.size > 0;
  }

  get pagesInMemory() {
    return this.#pages.filter(({ rows }) => rows).length;
  }

  close() {
    this.#isClosed = true;
  }

  async first() {
    const { rows, next } = await this.#fetchPage(null);
    this.#add({ link: null, rows });
    this.#next = next;
  }

  row(index) {
    const page = this.#pageAt(index);
    return page < 0 ? undefined : this.#pages[page].rows?.[index - this.#starts[page]];
  }

  // Where a row is, as far as its page is in memory, else -1.
  indexOf(id) {
    const page = this.#pageOf.get(id);
    if (!page) return -1;
    return this.#starts[this.#pages.indexOf(page)] + page.rows.findIndex((row) => identity(row) === id);
  }

  get(id) {
    return this.#pageOf.get(id)?.rows.find((row) => identity(row) === id);
  }

  *loaded() {
    for (const { rows } of this.#pages) if (rows) yield* rows;
  }

  // Sees to it that these rows are there, and those that come next.
  need(first, last) {
    if (this.#isClosed || this.#pages.length === 0) return;
    this.#seen = [first, last];
    const low = Math.max(0, this.#pageAt(Math.min(first, this.length - 1)));
    const high = Math.max(low, this.#pageAt(Math.min(last, this.length - 1)));
    for (let number = Math.max(0, low - 1); number <= Math.min(high + 1, this.#pages.length - 1); number += 1) {
      const page = this.#pages[number];
      if (!page.rows || page.isStale) this.#run(page, () => this.#again(page));
    }
    if (this.#wantsMore) this.#run("next", () => this.#goOn());
    this.#forget(low, high);
  }

  // What is there stays until its newer state has come.
  invalidate() {
    for (const page of this.#pages) page.isStale = true;
  }

  replace(row) {
    const page = this.#pageOf.get(identity(row));
    if (!page) return false;
    page.rows[page.rows.findIndex((other) => identity(other) === identity(row))] = row;
    return true;
  }

  insert(index, row) {
    if (this.#pageOf.has(identity(row))) return this.replace(row);
    if (this.#pages.length === 0) this.#add({ link: null, rows: [] });
    const number = index >= this.length ? this.#pages.length - 1 : Math.max(0, this.#pageAt(index));
    const page = this.#pages[number];
    if (!page.rows) return false;
    page.rows.splice(Math.min(index - this.#starts[number], page.rows.length), 0, row);
    this.#pageOf.set(identity(row), page);
    this.#measure(page);
    return true;
  }

  remove(id) {
    const page = this.#pageOf.get(id);
    if (!page) return false;
    page.rows = page.rows.filter((row) => identity(row) !== id);
    this.#pageOf.delete(id);
    this.#measure(page);
    return true;
  }

  #add(page) {
    this.#starts.push(this.length);
    this.#pages.push(page);
    page.length = 0;
    this.#fill(page, page.rows);
  }

  // A row that was put elsewhere while it was seen is not shown twice.
  #fill(page, rows) {
    for (const row of page.rows ?? []) if (this.#pageOf.get(identity(row)) === page) this.#pageOf.delete(identity(row));
    page.rows = rows.filter((row) => !this.#pageOf.has(identity(row)));
    for (const row of page.rows) this.#pageOf.set(identity(row), page);
    page.isStale = false;
    this.#measure(page);
  }

  #measure(page) {
    page.length = page.rows.length;
    for (let number = this.#pages.indexOf(page) + 1; number < this.#pages.length; number += 1) {
      this.#starts[number] = this.#starts[number - 1] + this.#pages[number - 1].length;
    }
  }

  #pageAt(index) {
    if (index < 0 || index >= this.length) return -1;
    let low = 0, high = this.#pages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #run(key, work) {
    if (this.#running.has(key)) return;
    this.#running.set(key, true);
    try {
      await work();
      this.#running.delete(key);
      if (this.#isClosed) return;
      this.#changed();
    } catch (error) {
      if (!this.#isClosed) this.dispatchEvent(new CustomEvent("failure", { detail: error }));
      // A pause before the next look asks again, so that a server in trouble isn't pressed.
      setTimeout(() => this.#running.delete(key), 1000);
    }
  }

  // Whether what is seen is so near to the last known page that others have to come.
  get #wantsMore() {
    const seen = this.#pageAt(Math.min(this.#seen[1], this.length - 1));
    return this.#next !== null && !this.#isClosed && seen >= this.#pages.length - 1 - AHEAD;
  }

  async #goOn() {
    while (this.#wantsMore) {
      const link = this.#next;
      const { rows, next } = await this.#fetchPage(link);
      if (this.#isClosed) return;
      this.#add({ link, rows });
      this.#next = next;
      this.#changed();
    }
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }

  // A page again, by the link that once led to it, up to where the next one begins.
  async #again(page) {
    const number = this.#pages.indexOf(page);
    const isLast = number === this.#pages.length - 1;
    const follower = this.#pages[number + 1];
    const rows = [];
    let { rows: more, next } = await this.#fetchPage(page.link);
    for (let answers = 1; ; answers += 1) {
      rows.push(...more);
      const end = isLast ? -1 : this.#end(rows, page, follower);
      if (end >= 0) {
        rows.length = end;
        break;
      }
      if (isLast || next === null || answers === MOST_ANSWERS) break;
      ({ rows: more, next } = await this.#fetchPage(next));
    }
    if (this.#isClosed) return;
    if (isLast && page === this.#pages.at(-1)) this.#next = next;
    const before = page.length;
    this.#fill(page, rows);
    if (page.length !== before) {
      this.dispatchEvent(new CustomEvent("shift", {
        detail: { at: this.#starts[number] + Math.min(before, page.length), by: page.length - before },
      }));
    }
  }

  #end(rows, page, follower) {
    const ids = rows.map(identity);
    const last = page.lastId === undefined ? -1 : ids.indexOf(page.lastId);
    if (last >= 0) return last + 1;
    const first = follower.rows?.length ? identity(follower.rows[0]) : follower.firstId;
    return first === undefined ? -1 : ids.indexOf(first);
  }

  #forget(low, high) {
    this.#pages.forEach((page, number) => {
      if (page.rows?.length) {
        page.firstId = identity(page.rows[0]);
        page.lastId = identity(page.rows.at(-1));
      }
      if (!page.rows || (number >= low - KEPT_AROUND && number <= high + KEPT_AROUND)) return;
      for (const row of page.rows) this.#pageOf.delete(identity(row));
      page.rows = null;
    });
  }
}
