// The rows of one table: a grid, the filter above it, what arrives, and the tools that edit.
import { encode } from "./api.js";
import { columnsMenu } from "./columnsmenu.js";
import { Columns } from "./columns.js";
import { el } from "./dom.js";
import { openFacets } from "./facets.js";
import { FilterBox } from "./filter.js";
import { Grid } from "./grid.js";
import { linkQuery } from "./links.js";
import { Live } from "./live.js";
import { look } from "./look.js";
import { Marks } from "./marks.js";
import { identity, Pages } from "./pages.js";
import { needsOtherRows, queryOf, rowsQuery, stateOf } from "./rowstate.js";
import { grouped } from "./tables.js";

// What a scrollbar takes at most where it isn't laid over the rows.
const SCROLLBAR = 18;

export async function show(root, context) {
  const view = new RowsView(root, context);
  await view.begin();
  return view;
}

class RowsView {
  #turn = 0;
  #editing = null;
  #live = null;
  #stop = new AbortController();

  constructor(root, context) {
    Object.assign(this, context);
    this.root = root;
    this.name = this.route.name;
    this.state = stateOf(this.route.query);
    this.path = "rows/" + encode(this.name);
  }

  // The first page is asked for together with the schema; the rest follows when the rows are seen.
  async begin() {
    const isNewestFirst = this.state.order.name === null && this.state.filter === "";
    const schema = this.api.get("tables/" + encode(this.name));
    // Its failure is told below, where it is awaited, and to nobody before.
    schema.catch(() => {});
    // Rows that are written from here on are news, so that this is asked before the page of another order.
    const newest = isNewestFirst ? null
      : await this.#get("$orderby=updatedAt%20desc&$top=1&__includeDeleted=true").catch(() => ({ body: [] }));
    const pages = this.#newPages();
    const first = pages.first().then(() => null, (failure) => failure);
    this.table = (await schema).body;
    if (this.#stop.signal.aborted) return;
    this.columns = new Columns(this.table.name, this.table.columns);
    this.#build();
    this.#showState();
    // An order without an index takes its time; the frame is there meanwhile.
    const failure = await first;
    if (this.#stop.signal.aborted) return pages.close();
    this.element.classList.remove("is-waiting");
    this.#showPages(pages, failure);
    await this.#attachEditing();
    await this.#goLive(newest ? newest.body : [...pages.loaded()].slice(0, 1));
    return undefined;
  }

  // Another state of the same table.
  async update(route) {
    const before = this.state;
    this.route = route;
    this.state = stateOf(route.query);
    if (this.view) this.view.route = route;
    this.#showState();
    if (!needsOtherRows(before, this.state)) return this.grid.redraw();
    await this.reload();
  }

  mayLeave() {
    return this.#editing?.mayLeave?.() ?? true;
  }

  leave() {
    this.#turn += 1;
    this.#stop.abort();
    this.#live?.leave();
    this.#editing?.leave?.();
    this.grid?.leave();
  }

  // Rows from the top, as they are now.
  async reload() {
    const turn = this.#turn += 1;
    const pages = this.#newPages();
    this.element.classList.add("is-waiting");
    const failure = await pages.first().then(() => null, (error) => error);
    if (turn !== this.#turn) return pages.close();
    this.element.classList.remove("is-waiting");
    this.marks.clear();
    this.#showPages(pages, failure);
  }

  // Reads some rows again, or all that are in memory, where they are.
  async refresh(ids = null) {
    if (ids === null) {
      this.grid.pages.invalidate();
      this.grid.redraw();
      return this.#count();
    }
    await Promise.all(ids.map(async (id) => {
      try {
        const { body } = await this.api.get(`${this.path}/${encode(id)}?__includeDeleted=true`);
        this.#live?.knows(body);
        this.grid.replaceRow(body);
      } catch (failure) {
        if (failure.status !== 404) throw failure;
        this.grid.removeRow(id);
      }
    }));
    return undefined;
  }

  #get(query) {
    return this.api.get(`${this.path}?${query}`, { signal: this.#stop.signal });
  }

  #newPages() {
    const query = rowsQuery(this.state);
    return new Pages(async (link) => {
      const { body, headers } = await this.#get(link ?? query);
      return { rows: body, next: linkQuery(headers.get("Link")) };
    });
  }

  #build() {
    const said = this.words.rows;
    document.title = `${said.title(this.table.name)} · ${this.words.page.title}`;
    this.grid = new Grid({ columns: this.columns, words: this.words, label: said.grid(this.table.name),
      announce: this.announce });
    this.filter = new FilterBox({ words: this.words, columns: () => this.columns.all,
      commit: (filter) => this.#go({ filter }), leave: () => this.grid.focus() });
    this.deleted = el("input", { type: "checkbox", change: () => this.#go({ deleted: this.deleted.checked }) });
    const link = (text, title) => el("a", { class: "button", title, download: title ? true : null }, text);
    this.links = { json: link(said.json, said.jsonTitle), csv: link(said.csv, said.csvTitle),
      schema: link(said.schema) };
    this.hide = el("button", { type: "button", "aria-haspopup": "dialog", click: () => this.#chooseColumns() });
    this.toolbar = el("div", { class: "tools", role: "group", "aria-label": said.tools });
    this.count = el("span", { class: "count", role: "status" });
    this.empty = el("p", { class: "empty", hidden: true });
    this.problem = el("div", { class: "problem", role: "alert" });
    this.pulse = el("span", { class: "pulse" }, this.words.live.live);
    this.news = el("button", { type: "button", class: "news", hidden: true, click: () => this.#toNews() });
    this.element = el("div", { class: "rows is-waiting" },
      el("header", { class: "rows-head" }, el("h1", {}, this.table.name), this.filter.element,
        el("label", { class: "tick" }, this.deleted, said.deletedRows)),
      el("div", { class: "rows-tools" }, this.toolbar,
        el("div", { class: "tools" }, this.hide, this.links.schema, this.links.json, this.links.csv)),
      this.problem,
      el("div", { class: "grid-place" }, this.grid.shell, this.empty, this.news),
      el("footer", { class: "rows-foot" }, this.count, this.pulse));
    this.root.append(this.element);
    this.marks = new Marks(this.grid, this.words, () => this.state);
    this.grid.addEventListener("head", ({ detail }) => this.#headChosen(detail));
    this.grid.addEventListener("drawn", () => this.#drawFoot());
    this.grid.addEventListener("selection", () => this.#drawFoot());
  }

  #showState() {
    const { state, columns } = this;
    const path = "/_/tables/" + encode(this.table.name);
    columns.hidden = new Set(state.hidden);
    columns.showsDeleted = state.deleted;
    this.filter.value = state.filter;
    this.deleted.checked = state.deleted;
    this.grid.order = state.order;
    this.links.json.href = path + ".json" + queryOf(state, { isTwin: true });
    this.links.csv.href = path + ".csv" + queryOf(state, { isTwin: true });
    this.links.schema.href = path + "/schema";
    const hidden = columns.all.filter(({ name }) => columns.hidden.has(name)).length;
    this.hide.textContent = hidden ? this.words.rows.columnsHidden(hidden) : this.words.rows.columns;
  }

  #showPages(pages, failure) {
    const isFilter = failure?.status === 400 && this.state.filter !== "";
    this.isMisread = isFilter;
    this.filter.showError(isFilter ? failure : null);
    this.#showProblem(failure && !isFilter ? failure : null);
    // What was there stays below a filter that can't be read.
    if (failure && this.grid.pages) return;
    const rows = [...pages.loaded()];
    if (rows.length > 0) {
      const names = new Set(rows.slice(0, 20).flatMap((row) => Object.keys(row)));
      if (this.columns.learn([...names]) || !this.hasFitted) this.grid.head.draw();
      if (!this.hasFitted) {
        this.columns.fit(rows, (column, row) => look(column, row).text);
        this.columns.spread(this.grid.element.clientWidth - SCROLLBAR);
      }
      this.hasFitted = true;
    }
    pages.addEventListener("failure", ({ detail }) => this.#showProblem(detail));
    pages.addEventListener("change", () => this.#showProblem(null));
    this.grid.total = pages.isWhole ? pages.length : null;
    this.grid.show(pages);
    if (!failure) this.#count();
  }

  // How many rows there are, where that isn't known from the pages.
  async #count() {
    const turn = this.#turn;
    const { pages } = this.grid;
    if (pages.isWhole) return;
    try {
      const { body } = await this.#get(rowsQuery(this.state) + "&$top=0&$inlinecount=allpages");
      if (turn !== this.#turn || pages !== this.grid.pages) return;
      this.grid.total = Number(body.count.text);
      this.grid.schedule();
    } catch {
      // The count is a courtesy; the rows are there without it.
    }
  }

  #showProblem(failure) {
    if (failure === null) {
      if (this.problem.firstChild) this.problem.replaceChildren();
      return;
    }
    this.problem.replaceChildren(el("span", {}, this.words.grid.failed(failure.error ?? failure.message)),
      el("button", { type: "button", click: () => (this.grid.pages?.length ? this.grid.redraw() : this.reload()) },
        this.words.grid.again));
  }

  #drawFoot() {
    const said = this.words.rows;
    const { pages, total, selected } = this.grid;
    const known = pages.isWhole ? pages.length : total;
    const least = pages.length === 0 ? "" : said.atLeast(grouped(String(pages.length)));
    const count = known === null ? least : said.count(grouped(String(known)));
    const text = selected.size ? `${count} · ${said.selected(selected.size)}` : count;
    if (this.count.textContent !== text) this.count.textContent = text;
    this.empty.hidden = pages.length > 0 || !pages.isWhole;
    this.empty.textContent = this.state.filter === "" ? said.none : said.noneFits;
    const news = this.marks.words;
    this.news.hidden = news === "";
    if (this.news.textContent !== news) this.news.textContent = news;
  }

  // Every state has an address, and what somebody chose can be gone back from.
  #go(changes, options) {
    const query = queryOf({ ...this.state, ...changes });
    return this.navigate("/_/tables/" + encode(this.name) + query, options);
  }

  #headChosen({ choice, column, anchor }) {
    const said = this.words.rows;
    if (choice === "values") return this.#facets(column, anchor);
    if (choice === "hide") return this.#go({ hidden: [...this.state.hidden, column.name] }, { replaces: true });
    if (choice === "fit") {
      this.columns.fit([...this.grid.pages.loaded()], (one, row) => look(one, row).text, column);
      return this.grid.schedule();
    }
    const isNone = choice === "none";
    const order = isNone ? { name: null, isDown: false } : { name: column.name, isDown: choice === "descending" };
    this.announce(isNone ? said.notOrdered : said.ordered(order.name, order.isDown));
    return this.#go({ order });
  }

  #facets(column, anchor) {
    return openFacets(anchor ?? this.hide, { api: this.api, words: this.words, table: this.table.name, column,
      state: this.state, choose: (condition) => {
        const { filter } = this.state;
        const before = /\bor\b/i.test(filter) ? `(${filter})` : filter;
        this.#go({ filter: filter === "" ? condition : `${before} and ${condition}` });
        this.grid.focus();
      } });
  }

  #chooseColumns() {
    columnsMenu(this.hide, { columns: this.columns, words: this.words,
      hide: (hidden) => this.#go({ hidden }, { replaces: true }), values: (column) => this.#facets(column, null) });
  }

  async #attachEditing() {
    const { table, grid, api, words, announce, toolbar, route, navigate } = this;
    this.view = { table, grid, api, words, announce, toolbar, route, navigate,
      refresh: (ids) => this.refresh(ids) };
    const { attachEditing } = await import("./edit.js");
    this.#editing = await attachEditing(this.view);
  }

  async #goLive(newest) {
    this.#live = new Live({
      api: this.api, path: this.path, filter: () => this.state.filter,
      took: (changes) => this.marks.take(changes),
      flooded: () => this.marks.flood(),
      // A filter that can't be read would make each turn a failure.
      pauses: () => this.isMisread,
      state: (isFine) => {
        this.pulse.classList.toggle("is-bad", !isFine);
        const said = isFine ? this.words.live.live : this.words.live.behind;
        if (this.pulse.textContent !== said) this.pulse.textContent = said;
      },
    });
    if (this.#stop.signal.aborted) return;
    await this.#live.begin(newest.length ? newest : null).catch(() => {});
  }

  // To the next row that arrived, or to the newest of all where none is in sight.
  async #toNews() {
    if (this.marks.isFlooded) return this.reload();
    const id = this.marks.next();
    const index = id === null ? -1 : this.grid.pages.indexOf(id);
    if (index >= 0) return this.grid.focusCell(index, this.grid.focusPlace.column);
    this.marks.clear();
    if (this.state.order.name === null) return this.reload();
    return this.#go({ order: { name: null, isDown: false } });
  }
}
