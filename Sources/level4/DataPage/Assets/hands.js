// What keys, clicks and the clipboard do with a grid.
import { STEP } from "./columns.js";
import { exactText } from "./look.js";
import { identity } from "./pages.js";

export class GridHands {
  // Where a selection by Shift begins.
  #anchor = null;

  constructor(grid) {
    this.grid = grid;
    const { element } = grid;
    element.addEventListener("keydown", (event) => this.#keyDown(event));
    element.addEventListener("mousedown", (event) => this.#mouseDown(event));
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("dblclick", (event) => {
      if (this.#isCell(event.target)) this.#edit();
    });
    element.addEventListener("contextmenu", (event) => {
      const head = event.target.closest("[role=columnheader]");
      if (!head) return;
      event.preventDefault();
      grid.head.openMenu(grid.columns.named(head.dataset.column));
    });
    element.addEventListener("focusin", (event) => this.#focusIn(event));
    element.addEventListener("focusout", () => grid.redraw());
    element.addEventListener("copy", (event) => this.#copy(event));
    element.addEventListener("paste", (event) => this.#paste(event));
  }

  // A click or the tabulator brought the focus to a cell by another way than the arrows.
  #focusIn({ target }) {
    if (!this.#isCell(target) && !target.matches("[role=columnheader]")) return;
    const { index, id, column } = this.grid.focusPlace;
    const row = target.closest("[role=row]");
    const isSame = target.dataset.column === column
      && (row === this.grid.head.row ? index === -1 : id !== null && row.dataset.id === id);
    if (!isSame) this.grid.focusCell(row === this.grid.head.row ? -1 : row.index, target.dataset.column);
    else this.grid.redraw();
  }

  #isCell(target) {
    return target.matches?.("[role=gridcell]");
  }

  #mouseDown(event) {
    const row = event.target.closest("[role=row]");
    if (!row || event.button !== 0 || event.target.closest("input, textarea, select, button")) return;
    if (event.shiftKey && row !== this.grid.head.row) event.preventDefault();
  }

  #click(event) {
    const { grid } = this;
    const head = event.target.closest("[role=columnheader]");
    if (head && !event.target.closest("button")) return grid.head.toggle(grid.columns.named(head.dataset.column));
    const row = event.target.closest("[role=row]");
    if (!row || row === grid.head.row || !row.row) return;
    if (event.target.closest(".marker") || event.ctrlKey || event.metaKey) this.#toggle(row.row);
    else if (event.shiftKey) {
      this.#selectTo(row.index);
      grid.focusCell(row.index, event.target.closest("[role=gridcell]")?.dataset.column ?? grid.focusPlace.column);
    } else if (!event.target.closest("[data-editing]")) this.#anchor = row.index;
  }

  #keyDown(event) {
    const { grid } = this;
    if (event.defaultPrevented || !event.target.matches("[role=gridcell], [role=columnheader], [role=grid]")) return;
    const { index, column: name } = grid.focusPlace;
    const column = grid.focusColumn(name);
    const isHead = index < 0;
    if (event.altKey && !event.ctrlKey && !event.metaKey) {
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
        grid.head.resize(column, event.key === "ArrowRight" ? STEP : -STEP);
      } else if (event.key === "ArrowDown") grid.head.openMenu(column);
      else return;
      return event.preventDefault();
    }
    const goal = this.#goal(event, index, name);
    if (goal) {
      event.preventDefault();
      if (event.shiftKey && goal[0] !== index && goal[0] >= 0) {
        this.#anchor ??= Math.max(0, index);
        this.#selectTo(Math.min(goal[0], grid.pages.length - 1));
      } else if (!event.shiftKey) this.#anchor = null;
      return grid.focusCell(...goal);
    }
    if (this.#act(event, isHead, column)) event.preventDefault();
  }

  // Where a key goes, or null where it goes nowhere.
  #goal({ key, ctrlKey, metaKey }, index, name) {
    const { grid } = this;
    const names = grid.columns.visible.map((column) => column.name);
    const place = names.indexOf(grid.focusColumn(name)?.name);
    const far = ctrlKey || metaKey;
    const last = grid.pages.length - 1;
    switch (key) {
      case "ArrowDown": return [far ? last : index + 1, name];
      case "ArrowUp": return [far ? Math.min(0, last) : index - 1, name];
      case "ArrowRight": return [index, names[far ? names.length - 1 : Math.min(place + 1, names.length - 1)]];
      case "ArrowLeft": return [index, names[far ? 0 : Math.max(place - 1, 0)]];
      case "PageDown": return [index + grid.rowsOnPage, name];
      case "PageUp": return [Math.max(Math.min(0, last), index - grid.rowsOnPage), name];
      case "Home": return [far ? Math.min(0, last) : index, names[0]];
      case "End": return [far ? last : index, names.at(-1)];
      default: return null;
    }
  }

  // Whether the key did something.
  #act(event, isHead, column) {
    const { grid } = this;
    const { key } = event;
    const far = event.ctrlKey || event.metaKey;
    if (isHead) {
      if (key === "Enter") grid.head.toggle(column);
      else if (key === " " || key === "F2" || key === "ContextMenu" || (key === "F10" && event.shiftKey)) {
        grid.head.openMenu(column);
      } else return false;
      return true;
    }
    if (far && key.toLowerCase() === "a") {
      for (const row of grid.pages.loaded()) grid.selected.set(identity(row), row);
      this.#selectionChanged();
      return true;
    }
    if (key === "Escape") {
      if (grid.selected.size === 0) return false;
      grid.selected.clear();
      this.#selectionChanged();
      return true;
    }
    const { focused } = grid;
    if (!focused || far) return false;
    if (key === "Enter" || key === "F2") this.#edit();
    else if (key === "Delete") grid.dispatchEvent(new CustomEvent("delete", { detail: focused }));
    else if (key === " ") this.#toggle(focused.row);
    else if ([...key].length === 1 && key !== "/") this.#edit(key);
    else return false;
    return true;
  }

  #edit(typed) {
    const { focused } = this.grid;
    if (focused) this.grid.dispatchEvent(new CustomEvent("edit", { detail: { ...focused, typed } }));
  }

  #toggle(row) {
    const id = identity(row);
    if (!this.grid.selected.delete(id)) this.grid.selected.set(id, row);
    this.#anchor = this.grid.pages.indexOf(id);
    this.#selectionChanged();
  }

  // From where the selection began to here, as far as the rows are in memory.
  #selectTo(index) {
    const { grid } = this;
    const from = this.#anchor ?? Math.max(0, grid.focusPlace.index);
    grid.selected.clear();
    for (let place = Math.min(from, index); place <= Math.max(from, index); place += 1) {
      const row = grid.pages.row(place);
      if (row) grid.selected.set(identity(row), row);
    }
    this.#selectionChanged();
  }

  #selectionChanged() {
    const { grid } = this;
    grid.redraw();
    grid.announce(grid.words.rows.selected(grid.selected.size));
    grid.dispatchEvent(new CustomEvent("selection", { detail: grid.selectedRows }));
  }

  // The cell's exact text, or the selected rows as text that a spreadsheet takes.
  #copy(event) {
    const { grid } = this;
    if (!this.#isCell(document.activeElement) || String(getSelection()) !== "") return;
    const { focused } = grid;
    const text = (row, { name }) => exactText(row[name]);
    const guarded = (value) => (/[\t\r\n"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const columns = grid.columns.visible;
    if (grid.selected.size > 0) {
      const lines = [columns.map(({ name }) => name),
        ...grid.selectedRows.map((row) => columns.map((column) => text(row, column)))];
      event.clipboardData.setData("text/plain", lines.map((line) => line.map(guarded).join("\t")).join("\r\n"));
    } else if (focused) event.clipboardData.setData("text/plain", text(focused.row, focused.column));
    event.preventDefault();
  }

  #paste(event) {
    if (!this.#isCell(document.activeElement) && document.activeElement !== this.grid.element) return;
    const text = event.clipboardData.getData("text/plain");
    if (text === "") return;
    event.preventDefault();
    this.grid.dispatchEvent(new CustomEvent("paste", { detail: text }));
  }
}
