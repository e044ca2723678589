// The devices that sync: when each was seen, and how far it is behind, table by table.
import { encode } from "./api.js";
import { el } from "./dom.js";
import { drawable } from "./meter.js";
import { askAgain, pollWhileVisible } from "./poll.js";
import { timeElement } from "./times.js";

const POLL_MILLISECONDS = 5000;
const SHOWN_AT_FIRST = 50;

export async function show(root, context) {
  const view = new DevicesView(root, context);
  const stop = pollWhileVisible(POLL_MILLISECONDS, () => view.load());
  return { leave: stop };
}

class DevicesView {
  #text = "";
  #devices = [];
  #limit = SHOWN_AT_FIRST;

  constructor(root, { api, words }) {
    this.api = api;
    this.words = words.devices;
    this.filter = el("input", { type: "search", "aria-label": this.words.filter, placeholder: this.words.filterHint });
    this.onlyBehind = el("input", { type: "checkbox" });
    this.onlyConflicts = el("input", { type: "checkbox" });
    for (const control of [this.filter, this.onlyBehind, this.onlyConflicts]) {
      control.addEventListener("input", () => {
        this.#limit = SHOWN_AT_FIRST;
        this.draw();
      });
    }
    this.about = el("p", { class: "view-about" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.list = el("div", { class: "devices" });
    this.count = el("p", { class: "quiet", role: "status" });
    root.replaceChildren(
      el("header", { class: "view-head" }, el("h1", {}, this.words.title), this.about),
      el("div", { class: "view-tools" }, this.filter,
        el("label", { class: "tick" }, this.onlyBehind, this.words.onlyBehind),
        el("label", { class: "tick" }, this.onlyConflicts, this.words.onlyConflicts), this.count),
      this.problem, this.list);
  }

  async load() {
    try {
      const { body, text } = await askAgain(this.api, "devices");
      this.problem.textContent = "";
      this.about.textContent = body.isRecorded ? this.words.about(String(body.keptDays)) : this.words.notRecorded;
      // Nothing moves under the reader where nothing has changed; times go on by themselves.
      if (text === this.#text) return;
      this.#text = text;
      this.#devices = body.devices;
      this.draw();
    } catch (failure) {
      this.problem.textContent = failure.error ?? failure.message;
    }
  }

  isWanted(device) {
    if (this.onlyBehind.checked && !device.tables.some(({ behind }) => (drawable(behind) ?? 0) > 0)) return false;
    if (this.onlyConflicts.checked && !(drawable(device.conflicts) > 0)) return false;
    const wanted = this.filter.value.trim().toLowerCase();
    return wanted === "" || [device.installation, device.user, device.sdk, device.generation,
      ...device.tables.map(({ table }) => table)].some((text) => (text ?? "").toLowerCase().includes(wanted));
  }

  draw() {
    const wanted = this.#devices.filter((device) => this.isWanted(device));
    this.count.textContent = this.words.count(wanted.length, this.#devices.length);
    const parts = wanted.slice(0, this.#limit).map((device) => this.device(device));
    if (this.#devices.length === 0) parts.push(el("p", { class: "empty" }, this.words.none));
    else if (wanted.length === 0) parts.push(el("p", { class: "empty" }, this.words.noneFits));
    if (wanted.length > this.#limit) {
      const more = el("button", { type: "button" }, this.words.more(wanted.length - this.#limit));
      more.addEventListener("click", () => {
        this.#limit *= 4;
        this.draw();
      });
      parts.push(more);
    }
    this.list.replaceChildren(...parts);
  }

  device(device) {
    const { words } = this;
    const facts = [
      [words.lastSeen, this.time(device.lastSeen)],
      [words.user, device.user ?? words.nobody],
      [words.sdk, device.sdk ?? words.unknown],
      [words.generation, device.generation ?? words.unknown],
    ];
    const conflicts = drawable(device.conflicts) ?? 0;
    return el("section", { class: "panel device" },
      el("div", { class: "panel-head" },
        el("h2", { class: "code" }, device.installation),
        conflicts > 0 ? el("span", { class: "badge warned" }, words.conflictsMet(conflicts)) : ""),
      el("dl", { class: "facts" }, ...facts.map(([name, value]) =>
        el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      device.tables.length === 0 ? "" : this.tables(device));
  }

  tables(device) {
    const { words } = this;
    const heads = [words.table, words.state, words.lastPull, words.stamp, words.lastPush, words.rows, words.conflicts];
    const firstNumber = 5;
    return el("div", { class: "table-frame", tabindex: "0", role: "region",
      "aria-label": words.tablesOf(device.installation) },
      el("table", { class: "plain-table synced" },
        el("caption", { class: "only-heard" }, words.tablesOf(device.installation)),
        el("thead", {}, el("tr", {}, ...heads.map((text, index) =>
          el("th", { scope: "col", class: index < firstNumber ? "" : "number" }, text)))),
        el("tbody", {}, ...device.tables.map((entry) => {
          const [state, className] = this.state(entry);
          return el("tr", {},
            el("th", { scope: "row" },
              el("a", { href: "/_/tables/" + encode(entry.table) }, entry.table)),
            el("td", {}, el("span", { class: "state " + className }, state)),
            el("td", {}, this.time(entry.lastPull)),
            el("td", {}, this.time(entry.stamp)),
            el("td", {}, this.time(entry.lastPush)),
            el("td", { class: "number" }, String(entry.rows ?? "")),
            el("td", { class: "number" }, String(entry.conflicts ?? "")));
        }))));
  }

  // How far behind, in words, and how that looks.
  state({ lastPull, behind }) {
    if (lastPull === null) return [this.words.neverPulled, "quiet"];
    const rows = drawable(behind);
    if (rows === null) return [this.words.unknown, "quiet"];
    if (rows === 0) return [this.words.upToDate, "good"];
    return [rows >= 1000 ? this.words.farBehind : this.words.behind(rows), "late"];
  }

  time(text) {
    return text === null || text === undefined ? el("span", { class: "quiet" }, this.words.never) : timeElement(text);
  }
}
