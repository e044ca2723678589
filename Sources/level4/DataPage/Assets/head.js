// The heads of a grid's columns: a click orders, a drag or Alt and the arrows change the width, a menu has the rest.
import { NARROWEST, STEP, WIDEST } from "./columns.js";
import { el, popover } from "./dom.js";

export class HeadRow {
  constructor(grid) {
    this.grid = grid;
    this.row = el("div", { role: "row", class: "row head-row", "aria-rowindex": "1" });
    this.element = el("div", { class: "grid-head", role: "rowgroup" }, this.row);
  }

  get height() {
    return this.element.offsetHeight;
  }

  cell(name) {
    return [...this.row.children].find((cell) => cell.dataset.column === name) ?? null;
  }

  draw() {
    const { grid } = this;
    const focused = this.row.contains(document.activeElement) ? document.activeElement.dataset.column : null;
    this.row.replaceChildren(el("div", { class: "marker", "aria-hidden": "true" }),
      ...grid.columns.visible.map((column, place) => this.#head(column, place)));
    if (focused) this.cell(focused)?.focus();
  }

  #head(column, place) {
    const { grid } = this;
    const { name } = column;
    const said = grid.words.grid;
    const isOrdered = grid.order.name === name;
    const label = column.isSystem ? said.system[name] ?? name : name;
    const menu = el("button", { type: "button", class: "head-menu", tabindex: "-1", "aria-haspopup": "dialog",
      "aria-label": said.menuOf(name), click: (event) => {
        event.stopPropagation();
        this.openMenu(column);
      } }, "⋯");
    return el("div", { role: "columnheader", class: `head ${classOf(column)}`, "data-column": name, tabindex: "-1",
      "aria-colindex": String(place + 2), "aria-label": label, title: name,
      "aria-sort": isOrdered ? (grid.order.isDown ? "descending" : "ascending") : "none" },
    el("span", { class: "head-name" }, label),
    isOrdered ? el("span", { class: "head-order", "aria-hidden": "true" }, grid.order.isDown ? "↓" : "↑") : "",
    menu, el("span", { class: "head-edge", "aria-hidden": "true",
      pointerdown: (event) => this.#drag(event, column), click: (event) => event.stopPropagation(),
      dblclick: (event) => {
        event.stopPropagation();
        this.#choose("fit", column);
      } }));
  }

  openMenu(column) {
    const { grid } = this;
    const said = grid.words.grid;
    const anchor = this.cell(column.name);
    const item = (text, choice) => el("button", { type: "button", click: () => {
      menu.close();
      this.#choose(choice, column);
    } }, text);
    const menu = popover(anchor, el("div", { class: "menu" },
      item(said.ascending, "ascending"), item(said.descending, "descending"),
      grid.order.name === column.name ? item(said.noOrder, "none") : "", el("hr"),
      item(said.values(column.name), "values"), el("hr"),
      item(said.widen, "widen"), item(said.narrow, "narrow"), item(said.fit, "fit"),
      column.name === "id" ? "" : item(said.hide(column.name), "hide")), { label: said.menuOf(column.name) });
  }

  // The next order of a column that is clicked again and again: up, down, none.
  toggle(column) {
    const { name, isDown } = this.grid.order;
    this.#choose(name !== column.name ? "ascending" : isDown ? "none" : "descending", column);
  }

  resize(column, by) {
    this.#setWidth(column, this.grid.columns.width(column) + by);
    const said = this.grid.words.grid;
    this.grid.announce(said.width(column.name, `${this.grid.columns.width(column)}`));
  }

  #choose(choice, column) {
    if (choice === "widen") return this.resize(column, STEP * 3);
    if (choice === "narrow") return this.resize(column, -STEP * 3);
    this.grid.dispatchEvent(new CustomEvent("head", { detail: { choice, column, anchor: this.cell(column.name) } }));
  }

  #setWidth(column, width) {
    this.grid.columns.setWidth(column.name, Math.min(WIDEST, Math.max(NARROWEST, width)));
    this.grid.schedule();
  }

  #drag(event, column) {
    event.preventDefault();
    event.stopPropagation();
    const edge = event.currentTarget;
    const from = event.clientX, width = this.grid.columns.width(column);
    const sign = getComputedStyle(edge).direction === "rtl" ? -1 : 1;
    const move = ({ clientX }) => this.#setWidth(column, width + sign * (clientX - from));
    edge.setPointerCapture(event.pointerId);
    edge.addEventListener("pointermove", move);
    edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", move), { once: true });
  }
}

function classOf({ kind }) {
  return kind === "integer" || kind === "number" || kind === "decimal" ? "is-number" : "";
}
