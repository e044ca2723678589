// The box for a filter of the server's own language: completion as one writes, and the place of an error.
import { el, freshId } from "./dom.js";
import { completionsAt, splitAtError } from "./filtertext.js";

const MOST_SHOWN = 12;

export class FilterBox {
  #items = [];
  #place = null;
  #chosen = -1;
  #committed = "";

  // `columns()` answers those of the table; `commit(text)` is told of a filter that somebody has finished.
  constructor({ words, columns, commit, leave }) {
    this.words = words.rows;
    this.columns = columns;
    this.commit = commit;
    this.leave = leave;
    const listId = freshId("completions"), errorId = freshId("error");
    this.input = el("input", { type: "text", role: "combobox", "aria-label": this.words.filter, "data-filter": true,
      placeholder: this.words.filterHint, "aria-autocomplete": "list", "aria-expanded": "false",
      "aria-controls": listId, autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr",
      enterkeyhint: "search" });
    this.list = el("ul", { class: "completions", role: "listbox", id: listId, "aria-label": this.words.completions,
      hidden: true });
    this.clear = el("button", { type: "button", class: "plain clear", "aria-label": this.words.clearFilter,
      hidden: true, click: () => {
        this.input.value = "";
        this.#finish();
        this.input.focus();
      } }, "×");
    this.alert = el("div", { class: "filter-error", role: "alert", id: errorId });
    this.element = el("div", { class: "filter" },
      el("div", { class: "filter-box" }, this.input, this.clear, this.list), this.alert);
    this.input.addEventListener("input", () => this.#complete());
    this.input.addEventListener("keydown", (event) => this.#keyDown(event));
    this.input.addEventListener("click", () => this.#close());
    this.input.addEventListener("blur", () => {
      this.#close();
      this.#finish();
    });
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.#accept(Number(option.dataset.place));
    });
  }

  get value() {
    return this.#committed;
  }

  set value(text) {
    this.#committed = text;
    if (this.input.value !== text) this.input.value = text;
    this.clear.hidden = text === "";
    this.#close();
  }

  // The server's sentence, and the filter's text with what is wrong in it marked; none for no failure.
  showError(failure, text = this.#committed) {
    this.input.setAttribute("aria-invalid", String(failure !== null));
    if (failure === null) {
      this.alert.replaceChildren();
      this.input.removeAttribute("aria-describedby");
      return;
    }
    this.input.setAttribute("aria-describedby", this.alert.id);
    const sentence = failure.error ?? failure.message;
    const byte = failure.body?.offset?.text ?? /\bat byte (\d+)/.exec(sentence)?.[1];
    const copy = byte === undefined || failure.status !== 400 ? "" : this.#marked(text, Number(byte));
    this.alert.replaceChildren(el("p", {}, sentence), copy);
  }

  #marked(text, byte) {
    const [before, wrong, after] = splitAtError(text, byte);
    return el("pre", { class: "filter-copy", dir: "ltr", "aria-label": this.words.errorPlace },
      before, el("mark", {}, wrong === "" ? "\u00a0" : wrong), after);
  }

  #finish() {
    const text = this.input.value.trim();
    this.clear.hidden = this.input.value === "";
    if (text === this.#committed) return;
    this.#committed = text;
    this.showError(null);
    this.commit(text);
  }

  #keyDown(event) {
    const { key } = event;
    if (event.isComposing) return;
    if (key === "Enter") {
      event.preventDefault();
      if (this.#chosen >= 0) this.#accept(this.#chosen);
      else {
        this.#close();
        this.#finish();
      }
    } else if (key === "Tab" && this.#chosen >= 0) {
      event.preventDefault();
      this.#accept(this.#chosen);
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      if (this.list.hidden) {
        if (key === "ArrowDown") {
          event.preventDefault();
          this.#complete();
        }
        return;
      }
      event.preventDefault();
      const count = this.#items.length;
      const step = key === "ArrowDown" ? 1 : -1;
      this.#choose(this.#chosen < 0 && step < 0 ? count - 1 : (this.#chosen + step + count) % count);
    } else if (key === " " && event.ctrlKey) {
      event.preventDefault();
      this.#complete();
    } else if (key === "Escape") {
      event.preventDefault();
      if (!this.list.hidden) return this.#close();
      this.input.value = this.#committed;
      this.leave?.();
    }
  }

  #complete() {
    const { value, selectionStart } = this.input;
    this.clear.hidden = value === "";
    const place = completionsAt(value, selectionStart, this.columns(), Object.keys(this.words.functions));
    // A word that is whole already needs no list with itself alone.
    const items = (place?.items ?? []).filter(({ name }, _, all) => all.length > 1 || name !== place.word);
    if (items.length === 0) return this.#close();
    this.#place = place;
    this.#items = items.slice(0, MOST_SHOWN);
    this.#chosen = -1;
    const attributes = (index) => ({ role: "option", id: `${this.list.id}-${index}`, "data-place": String(index),
      "aria-selected": "false" });
    this.list.replaceChildren(...this.#items.map((item, index) =>
      el("li", attributes(index),
        el("span", { class: `completion is-${item.kind}` }, item.name),
        el("span", { class: "quiet" }, this.#about(item)))));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
  }

  #about({ kind, name, type }) {
    if (kind === "column") return this.words.columnOf[type] ?? type ?? "";
    return (kind === "function" ? this.words.functions : this.words.operators)[name] ?? "";
  }

  #choose(index) {
    this.#chosen = index;
    [...this.list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === index)));
    this.input.setAttribute("aria-activedescendant", `${this.list.id}-${index}`);
    this.list.children[index].scrollIntoView({ block: "nearest" });
  }

  #accept(index) {
    const { insert, kind } = this.#items[index];
    const { from, to } = this.#place;
    const rest = this.input.value.slice(to);
    const space = kind === "column" || kind === "value" ? (/^[\s,)]/.test(rest) ? "" : " ") : "";
    this.input.setRangeText(insert + space, from, to, "end");
    this.#close();
    this.clear.hidden = false;
    this.input.focus();
  }

  #close() {
    this.#items = [];
    this.#chosen = -1;
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}
