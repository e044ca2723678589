// A list of things of which one is chosen, by a click or by the arrows: a listbox whose focus stays on the list.
import { el } from "./dom.js";

let lists = 0;

export class ChoiceList {
  #items = [];
  #key;
  #describe;
  #chose;
  #chosen = null;
  #id = `choices-${lists += 1}`;

  // `key(item)` tells items apart, `describe(item)` makes the children of its line, `chose(item)` is told.
  constructor({ label, key, describe, chose }) {
    this.#key = key;
    this.#describe = describe;
    this.#chose = chose;
    this.element = el("div", { class: "choices", role: "listbox", tabindex: "0", "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.#keyDown(event));
    this.element.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#choose(Number(option.dataset.index));
    });
  }

  get chosen() {
    return this.#chosen;
  }

  show(items) {
    const anchor = this.#anchor();
    this.#items = items;
    const options = items.map((item, index) =>
      el("div", { class: "choice", role: "option", id: `${this.#id}-${this.#key(item)}`, "data-index": String(index) },
        ...this.#describe(item)));
    this.element.replaceChildren(...options);
    this.#scrollTo(anchor);
    this.#mark();
  }

  // The first line that one sees, and how far its top is from the list's: it stays there when others come above it.
  #anchor() {
    const top = this.element.scrollTop;
    if (top === 0) return null;
    const index = [...this.element.children].findIndex((option) => option.offsetTop + option.offsetHeight > top);
    if (index < 0) return null;
    return { key: this.#key(this.#items[index]), above: top - this.element.children[index].offsetTop };
  }

  #scrollTo(anchor) {
    const index = anchor === null ? -1 : this.#items.findIndex((item) => this.#key(item) === anchor.key);
    this.element.scrollTop = index < 0 ? 0 : this.element.children[index].offsetTop + anchor.above;
  }

  #keyDown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.#items.length === 0) return;
    const now = this.#index;
    const last = this.#items.length - 1;
    const steps = {
      ArrowDown: Math.min(now + 1, last), ArrowUp: Math.max(now - 1, 0), Home: 0, End: last,
      PageDown: Math.min(now + 10, last), PageUp: Math.max(now - 10, 0),
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.#choose(steps[event.key]);
  }

  get #index() {
    if (this.#chosen === null) return -1;
    const key = this.#key(this.#chosen);
    return this.#items.findIndex((item) => this.#key(item) === key);
  }

  #choose(index) {
    this.#chosen = this.#items[index] ?? null;
    this.#mark();
    this.element.children[index]?.scrollIntoView({ block: "nearest" });
    this.#chose(this.#chosen);
  }

  #mark() {
    const index = this.#index;
    this.element.removeAttribute("aria-activedescendant");
    [...this.element.children].forEach((option, place) => {
      option.setAttribute("aria-selected", String(place === index));
      if (place === index) this.element.setAttribute("aria-activedescendant", option.id);
    });
  }
}
