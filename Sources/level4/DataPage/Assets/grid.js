// A grid of rows of which only those that are seen are in the document, over any number of them.
import { HeadRow } from "./head.js";
import { el, freshId } from "./dom.js";
import { GridHands } from "./hands.js";
import { identity } from "./pages.js";
import { paintRow } from "./paint.js";

// Rows drawn above and below what is seen, so that scrolling doesn't show the ground.
const AROUND = 8;
// Browsers have a largest height; beyond this one the rows are moved under the scrollbar instead.
const TALLEST = 6_000_000;

// Events: edit, delete, paste, selection, focuscell, order (detail: a column's name), head (a head menu's choice).
export class Grid extends EventTarget {
  #pages = null;
  #elements = new Map();
  #shift = 0;
  #frame = 0;
  #revision = 0;
  #order = { name: null, isDown: false };
  #focus = { index: 0, id: null, column: null };

  constructor({ columns, words, label, announce }) {
    super();
    this.columns = columns;
    this.words = words;
    this.announce = announce;
    this.overlay = () => undefined;
    this.rowClass = () => "";
    this.marks = new Map();
    this.selected = new Map();
    this.total = null;
    this.body = el("div", { class: "grid-rows", role: "rowgroup" });
    this.head = new HeadRow(this);
    const help = el("p", { class: "only-heard", id: freshId("help") }, words.grid.help);
    this.element = el("div", { class: "grid", role: "grid", "aria-label": label, "aria-multiselectable": "true",
      "aria-describedby": help.id, tabindex: "-1" }, this.head.element, this.body);
    this.shell = el("div", { class: "grid-shell" }, this.element, help);
    this.hands = new GridHands(this);
    this.element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.observer = new ResizeObserver(() => {
      this.rowHeight = 0;
      this.schedule();
    });
    this.observer.observe(this.element);
    this.ticker = setInterval(() => {
      if (document.visibilityState === "visible") this.redraw();
    }, 1000);
    this.head.draw();
  }

  leave() {
    this.observer.disconnect();
    clearInterval(this.ticker);
    cancelAnimationFrame(this.#frame);
    this.#pages?.close();
  }

  // Other rows, from the top.
  show(pages) {
    this.#pages?.close();
    this.#pages = pages;
    pages.addEventListener("change", () => this.schedule());
    pages.addEventListener("shift", ({ detail }) => this.shifted(detail.at, detail.by));
    const hadFocus = this.body.contains(document.activeElement);
    this.#shift = 0;
    this.element.scrollTop = 0;
    // Who orders by the keyboard stays in the head.
    const index = this.#focus.index < 0 ? -1 : Math.min(0, pages.length - 1);
    this.#focus = { index, id: null, column: this.#focus.column };
    this.selected.clear();
    this.#revision += 1;
    this.draw();
    if (hadFocus) this.focusCell(index, this.#focus.column);
  }

  get pages() {
    return this.#pages;
  }

  get order() {
    return this.#order;
  }

  set order(order) {
    this.#order = order;
    this.head.draw();
  }

  // What edit.js sees

  get focused() {
    const { index, id, column } = this.#focus;
    const row = id === null ? this.#pages?.row(index) : this.#pages?.get(id) ?? this.focusedRow;
    const described = this.focusColumn(column);
    return row && described && index >= 0 ? { row, column: described } : null;
  }

  get focusPlace() {
    return this.#focus;
  }

  get selectedRows() {
    return [...this.selected.values()];
  }

  redraw() {
    this.#revision += 1;
    this.schedule();
  }

  cellElement(row, column) {
    const element = this.#elements.get(identity(row));
    return [...element?.children ?? []].find((cell) => cell.dataset.column === (column.name ?? column)) ?? null;
  }

  replaceRow(row) {
    const id = identity(row);
    if (this.selected.has(id)) this.selected.set(id, row);
    if (this.#focus.id === id) this.focusedRow = row;
    const isKnown = this.#pages?.replace(row) ?? false;
    this.schedule();
    return isKnown;
  }

  insertRow(row, index = 0) {
    if (!this.#pages?.insert(index, row)) return false;
    if (this.total !== null) this.total += 1;
    this.shifted(index, 1);
    return true;
  }

  removeRow(id) {
    const index = this.#pages?.indexOf(String(id)) ?? -1;
    if (index < 0) return false;
    this.#pages.remove(String(id));
    this.selected.delete(String(id));
    this.marks.delete(String(id));
    if (this.total !== null) this.total -= 1;
    this.shifted(index, -1);
    return true;
  }

  focus() {
    this.draw();
    this.focusCell(Math.max(Math.min(0, this.#pages.length - 1), this.#focus.index), this.#focus.column);
  }

  // Places

  get height() {
    this.rowHeight ||= parseFloat(getComputedStyle(this.element).getPropertyValue("--row-height")) || 30;
    return this.rowHeight;
  }

  // The first and the last row that can be seen.
  get window() {
    const top = this.element.scrollTop + this.#shift;
    const height = Math.max(0, this.element.clientHeight - this.head.height);
    return [Math.floor(top / this.height), Math.floor(Math.max(top, top + height - 1) / this.height)];
  }

  get rowsOnPage() {
    const [first, last] = this.window;
    return Math.max(1, last - first - 1);
  }

  // Rows came or went before what is seen: the place stays. At the very top the new ones are seen.
  shifted(at, by) {
    const [first] = this.window;
    if (at <= first && !(at === 0 && this.element.scrollTop + this.#shift === 0)) this.#moveBy(by * this.height);
    const { index, id } = this.#focus;
    if (id !== null) {
      const now = this.#pages.indexOf(id);
      this.#focus.index = now >= 0 ? now : at <= index ? Math.max(0, index + by) : index;
      if (now < 0 && by < 0) this.#refocus();
    } else if (at < index) this.#focus.index = index + by;
    this.schedule();
  }

  #moveBy(pixels) {
    this.#size();
    const top = this.element.scrollTop;
    this.element.scrollTop = top + pixels;
    if (this.#pages.length * this.height <= TALLEST) return;
    this.#shift = Math.max(0, this.#shift + pixels - (this.element.scrollTop - top));
  }

  reveal(index) {
    const [first, last] = this.window;
    const top = this.element.scrollTop + this.#shift;
    const inner = this.element.clientHeight - this.head.height;
    if (index <= first) this.#moveBy(index * this.height - top);
    else if (index >= last) this.#moveBy((index + 1) * this.height - inner - top);
  }

  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    // Near an end of the scrollbar that isn't one of the rows, the rows are moved by half of it.
    const isEnd = this.#shift + scrollHeight >= this.#pages.length * this.height;
    if (scrollTop + clientHeight > scrollHeight * 0.9 && !isEnd) {
      this.#shift += TALLEST / 2;
      this.element.scrollTop = scrollTop - TALLEST / 2;
    } else if (scrollTop < TALLEST * 0.1 && this.#shift > 0) {
      const by = Math.min(this.#shift, TALLEST / 2);
      this.#shift -= by;
      this.element.scrollTop = scrollTop + by;
    }
    this.schedule();
  }

  #size() {
    const whole = this.#pages.length * this.height - this.#shift;
    this.body.style.height = `${Math.max(0, Math.min(whole, TALLEST))}px`;
  }

  // Drawing

  schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.draw();
    });
  }

  draw() {
    if (!this.#pages || !this.element.isConnected) return;
    const columns = this.columns.visible;
    this.element.style.setProperty("--columns", this.columns.template);
    this.element.style.setProperty("--width", `${this.columns.totalWidth}px`);
    this.element.setAttribute("aria-colcount", String(columns.length + 1));
    const isCounted = this.#pages.isWhole || this.total !== null;
    const count = this.#pages.isWhole ? this.#pages.length : this.total;
    this.element.setAttribute("aria-rowcount", isCounted ? String(Math.max(count, this.#pages.length) + 1) : "-1");
    this.element.setAttribute("aria-busy", String(this.#pages.isBusy));
    this.#size();
    const [first, last] = this.window;
    this.#pages.need(first, last);
    const from = Math.max(0, first - AROUND), to = Math.min(this.#pages.length - 1, last + AROUND);
    const wanted = new Map();
    for (let index = from; index <= to; index += 1) {
      const row = this.#pages.row(index);
      wanted.set(row ? identity(row) : `\u0000${index}`, { index, row });
    }
    this.#keepHeld(wanted);
    for (const [key, element] of this.#elements) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#elements.delete(key);
    }
    let before = null;
    for (const [key, { index, row }] of wanted) before = this.#drawRow(key, index, row, columns, before);
    this.#settleFocus(columns);
    this.dispatchEvent(new CustomEvent("drawn"));
  }

  // The row with the focus, and one that is edited, stay in the document though they are not seen.
  #keepHeld(wanted) {
    const edited = [...this.body.querySelectorAll("[data-editing]")];
    const held = edited.map((cell) => cell.closest("[role=row]").dataset.id);
    if (this.#focus.id !== null && this.body.contains(document.activeElement)) held.push(this.#focus.id);
    for (const id of held) {
      if (wanted.has(id)) continue;
      const index = this.#pages.indexOf(id);
      const row = index < 0 ? this.focusedRow : this.#pages.row(index);
      if (row && identity(row) === id) wanted.set(id, { index: index < 0 ? this.#focus.index : index, row });
    }
  }

  // New elements stand behind the one before them, so that readers of the document find them in order.
  #drawRow(key, index, row, columns, before) {
    let element = this.#elements.get(key);
    if (!element) {
      element = el("div", { role: "row", class: "row" });
      this.#elements.set(key, element);
      if (before) before.after(element);
      else this.body.prepend(element);
    }
    if (element.index !== index || element.shift !== this.#shift) {
      element.index = index;
      element.shift = this.#shift;
      element.style.transform = `translateY(${index * this.height - this.#shift}px)`;
      element.setAttribute("aria-rowindex", String(index + 2));
    }
    if (element.row === row && element.revision === this.#revision) return element;
    element.row = row;
    element.revision = this.#revision;
    paintRow(element, key, row, columns, this);
    return element;
  }

  // Focus

  focusColumn(name) {
    const { visible } = this.columns;
    return visible.find((column) => column.name === name) ?? visible.find(({ isSystem }) => !isSystem) ?? visible[0];
  }

  // Goes to a cell; the head is row -1.
  focusCell(index, name, { reveals = true } = {}) {
    const column = this.focusColumn(name);
    if (!column || !this.#pages) return;
    const place = Math.max(-1, Math.min(index, this.#pages.length - 1));
    const row = this.#pages.row(place);
    this.#focus = { index: place, id: row ? identity(row) : null, column: column.name };
    this.focusedRow = row;
    if (place >= 0 && reveals) this.reveal(place);
    this.#revision += 1;
    this.draw();
    const cell = this.#focusedElement();
    // A row that is still to come gets the focus when it is there.
    (cell ?? this.element).focus({ preventScroll: true });
    if (cell && reveals) this.#revealColumn(cell);
    this.redraw();
    this.dispatchEvent(new CustomEvent("focuscell", { detail: this.focused }));
  }

  #focusedElement() {
    const { index, id, column } = this.#focus;
    if (index < 0) return this.head.cell(this.focusColumn(column)?.name);
    const element = this.#elements.get(id ?? `\u0000${index}`);
    const name = this.focusColumn(column)?.name;
    return [...element?.children ?? []].find((cell) => cell.dataset.column === name) ?? null;
  }

  #revealColumn(cell) {
    const { offsetLeft: left, offsetWidth: width } = cell;
    const { scrollLeft, clientWidth } = this.element;
    if (left - 34 < scrollLeft) this.element.scrollLeft = left - 34;
    else if (left + width > scrollLeft + clientWidth) {
      this.element.scrollLeft = Math.min(left - 34, left + width - clientWidth);
    }
  }

  // One cell can be reached by the tabulator, and a row that came where the focus waits takes it.
  #settleFocus() {
    if (this.#focus.index >= 0 && this.#focus.id === null) {
      const row = this.#pages.row(this.#focus.index);
      if (row) {
        this.#focus.id = identity(row);
        this.focusedRow = row;
      }
    }
    const own = this.#focusedElement();
    const focused = own ?? this.head.cell(this.focusColumn(null)?.name);
    for (const cell of this.element.querySelectorAll("[tabindex='0']")) if (cell !== focused) cell.tabIndex = -1;
    if (focused && focused.tabIndex !== 0) focused.tabIndex = 0;
    if (document.activeElement === this.element) own?.focus({ preventScroll: true });
  }

  #refocus() {
    const hadFocus = this.body.contains(document.activeElement);
    this.#focus.id = null;
    if (hadFocus) this.focusCell(this.#focus.index, this.#focus.column, { reveals: false });
  }
}
