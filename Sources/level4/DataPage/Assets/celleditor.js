// One cell, edited in its place.
import { cellText, parseCell } from "./cells.js";
import { el, freshId } from "./dom.js";

export class CellEditor {
  #now = null;

  constructor(view, staging) {
    this.view = view;
    this.staging = staging;
    this.words = view.words.edit;
  }

  begin(row, column, typed) {
    this.end();
    const cell = this.view.grid.cellElement(row, column);
    if (!cell) return;
    const staged = this.staging.get(row.id)?.values;
    const value = staged?.has(column.name) ? staged.get(column.name) : row[column.name] ?? null;
    const error = el("div", { class: "cell-error", role: "alert", id: freshId("cell-error") });
    const input = el("input", { class: "cell-editor", type: "text", autocomplete: "off", spellcheck: "false",
      "aria-label": this.words.cell(column.name), "aria-describedby": error.id,
      placeholder: value === null ? this.words.null : null });
    input.value = typed ?? cellText(value);
    this.#now = { row, column, cell, input, error, isNull: value === null && typed === undefined };
    cell.dataset.editing = "";
    cell.replaceChildren(input);
    document.body.append(error);
    input.addEventListener("keydown", (event) => this.#keyDown(event));
    input.addEventListener("input", () => this.#typed());
    input.addEventListener("blur", () => this.#leave());
    input.focus();
    if (typed === undefined) input.select();
  }

  // Ends without taking what was typed.
  end() {
    const now = this.#now;
    if (!now) return;
    this.#now = null;
    now.error.remove();
    delete now.cell.dataset.editing;
    now.cell.replaceChildren();
    this.view.grid.redraw();
  }

  #typed() {
    const { input } = this.#now;
    this.#now.isNull = false;
    input.placeholder = "";
    input.removeAttribute("aria-invalid");
    this.#now.error.textContent = "";
  }

  #keyDown(event) {
    event.stopPropagation();
    const far = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") {
      event.preventDefault();
      this.#close();
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      this.#take(event.key === "Tab" ? (event.shiftKey ? "left" : "right") : event.shiftKey ? "up" : "down");
    } else if (event.key === "Backspace" && far && event.shiftKey) {
      event.preventDefault();
      this.#setNull();
    }
  }

  #setNull() {
    const { input } = this.#now;
    input.value = "";
    this.#typed();
    this.#now.isNull = true;
    input.placeholder = this.words.null;
  }

  // Leaving a cell takes what is right and leaves out what is not.
  #leave() {
    if (this.#now && !this.#commit()) this.end();
  }

  #take(way) {
    const { row, column } = this.#now;
    if (!this.#commit()) return;
    this.#focus(row, column, way);
  }

  #close() {
    const { row, column } = this.#now;
    this.end();
    this.#focus(row, column, null);
  }

  #commit() {
    const { row, column, input, isNull, error } = this.#now;
    const isEmpty = input.value === "" && column.kind !== "string";
    const parsed = isNull || isEmpty ? { value: null } : parseCell(column.kind, input.value);
    if (parsed.problem) {
      input.setAttribute("aria-invalid", "true");
      const place = input.getBoundingClientRect();
      error.style.left = `${place.left}px`;
      error.style.top = `${place.bottom + 2}px`;
      error.textContent = parsed.problem;
      return false;
    }
    this.end();
    this.staging.set(row, column.name, parsed.value);
    return true;
  }

  #focus(row, column, way) {
    const { grid } = this.view;
    const index = grid.pages.indexOf(String(row.id));
    const names = grid.columns.visible.map(({ name }) => name);
    const place = names.indexOf(column.name);
    const next = way === "right" ? names[place + 1] ?? column.name : way === "left" ? names[place - 1] ?? column.name
      : column.name;
    const step = way === "down" ? 1 : way === "up" ? -1 : 0;
    grid.focusCell(Math.max(0, Math.min(index + step, grid.pages.length - 1)), next);
  }
}
