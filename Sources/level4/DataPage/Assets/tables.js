// All tables: how many rows live and are deleted, when each last changed, and who may do what with it.
import { encode } from "./api.js";
import { el } from "./dom.js";
import { timeElement } from "./times.js";

const POLL_MILLISECONDS = 10_000;
const SHOWN_AT_FIRST = 200;

export async function show(root, context) {
  const view = new TablesView(root, context);
  await view.load();
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") view.load(true).catch((failure) => view.say(failure));
  }, POLL_MILLISECONDS);
  return { leave: () => clearInterval(timer) };
}

class TablesView {
  #text = "";
  #tables = [];
  #limit = SHOWN_AT_FIRST;

  constructor(root, { api, words }) {
    this.api = api;
    this.words = words.tables;
    this.filter = el("input", { type: "search", "aria-label": this.words.filter, placeholder: this.words.filterHint,
      spellcheck: "false", autocomplete: "off", input: () => this.draw() });
    this.count = el("span", { class: "quiet", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.list = el("div", { class: "table-frame" });
    root.replaceChildren(
      el("header", { class: "view-head" }, el("h1", {}, this.words.title), this.filter, this.count),
      this.problem, this.list);
  }

  async load(isPoll = false) {
    const { body, text } = await this.api.get("tables", { isPoll });
    this.problem.textContent = "";
    if (text === this.#text) return;
    this.#text = text;
    this.#tables = [...body.tables].sort((one, other) => one.name.localeCompare(other.name));
    this.draw();
  }

  say(failure) {
    this.problem.textContent = failure.error ?? failure.message;
  }

  draw() {
    const { words } = this;
    const wanted = this.filter.value.trim().toLowerCase();
    const tables = this.#tables.filter(({ name }) => name.toLowerCase().includes(wanted));
    this.count.textContent = words.count(tables.length, this.#tables.length);
    if (tables.length === 0) {
      this.list.replaceChildren(el("p", { class: "empty" }, this.#tables.length ? words.noneFits : words.none));
      return;
    }
    const heads = [[words.name], [words.rows, "number"], [words.deleted, "number"], [words.lastChange],
      [words.size, "number"], [words.access], [words.behaviours], [words.dialects], [words.schema, "", true]];
    // The focus stays where it was when newer counts come.
    const focused = this.list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    this.list.replaceChildren(el("table", { class: "tables-list" },
      el("thead", {}, el("tr", {}, heads.map(([text, className, isHidden]) =>
        el("th", { scope: "col", class: className }, isHidden ? el("span", { class: "only-heard" }, text) : text)))),
      el("tbody", {}, tables.slice(0, this.#limit).map((table) => this.line(table)))),
    tables.length > this.#limit ? el("button", { type: "button", click: () => {
      this.#limit *= 4;
      this.draw();
    } }, words.count(this.#limit, tables.length)) : "");
    if (focused !== null) [...this.list.querySelectorAll("a")].find((a) => a.getAttribute("href") === focused)?.focus();
  }

  line(table) {
    const { words } = this;
    const path = "/_/tables/" + encode(table.name);
    const isCounted = table.counted !== null && table.counted !== undefined;
    const counted = isCounted ? words.counted(table.counted) : words.notCounted;
    const number = (value) => el("td", { class: "number", title: counted },
      value === null || value === undefined ? el("span", { class: "quiet" }, "–") : grouped(String(value)));
    return el("tr", {},
      el("th", { scope: "row", title: table.name }, el("a", { href: path }, table.name)),
      number(table.rows), number(table.softDelete ? table.deleted : null),
      el("td", {}, table.lastChange ? timeElement(table.lastChange) : el("span", { class: "quiet" }, words.never)),
      el("td", { class: "number", title: table.bytes === null ? "" : String(table.bytes) },
        table.bytes === null || table.bytes === undefined ? el("span", { class: "quiet" }, "–") : size(table.bytes)),
      el("td", {}, this.access(table.access)),
      el("td", {}, this.badges([...table.softDelete ? [words.softDelete] : [],
        ...table.idKind === "number" ? [words.numberIds] : [], ...table.behaviours ?? []])),
      el("td", { class: "quiet dialects" }, (table.dialects ?? []).join(" ")),
      el("td", {}, el("a", { href: path + "/schema", "aria-label": words.schemaOf(table.name) }, words.schema)));
  }

  // One word where everybody may do the same, else who may do what.
  access(access) {
    const { words } = this;
    const entries = Object.entries(access ?? {});
    const groups = new Map();
    for (const [operation, who] of entries) {
      groups.set(who, [...groups.get(who) ?? [], words.operations[operation] ?? operation]);
    }
    const name = (who) => words.accesses[who] ?? String(who);
    if (groups.size === 1) return name(entries[0][1]);
    return el("span", { class: "accesses" }, [...groups].map(([who, operations]) =>
      el("span", {}, `${name(who)}: `, el("span", { class: "quiet" }, operations.join(", ")))));
  }

  badges(texts) {
    return texts.map((text) => el("span", { class: "badge" }, text));
  }
}

// Thousands set apart by a thin space, in digits that stay text.
export function grouped(text) {
  return text.replace(/\B(?=(?:\d{3})+$)/g, "\u202f");
}

function size(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = Number(String(bytes)), unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
