// Editing the rows of a view: cells in place, and the tools above the grid. The way to the server is outbox.js.
import { CellEditor } from "./celleditor.js";
import { cellText } from "./cells.js";
import { button, el } from "./editdom.js";
import { openForm } from "./form.js";
import { Outbox, Turn } from "./outbox.js";
import { openPaste } from "./paste.js";
import { openReview } from "./review.js";
import { openSetColumn } from "./setcolumn.js";
import { Staging } from "./staging.js";
import { UndoSteps } from "./undo.js";

// By table: what is staged outlives a look at another view, and a session.
const kept = new Map();

addEventListener("beforeunload", (event) => {
  if ([...kept.values()].some(({ staging, turn }) => staging.size > 0 || turn.isBusy)) event.preventDefault();
});

export function attachEditing(view) {
  return new Editing(view);
}

class Editing {
  #stop = new AbortController();

  constructor(view) {
    this.view = view;
    this.words = view.words.edit;
    const { name } = view.table;
    if (!kept.has(name)) kept.set(name, { staging: new Staging(), steps: new UndoSteps(), turn: new Turn() });
    this.staging = kept.get(name).staging;
    this.columns = view.table.columns.filter(({ isSystem }) => !isSystem);
    this.editor = new CellEditor(view, this.staging);
    this.outbox = new Outbox(view, kept.get(name), { names: this.columns.map((column) => column.name),
      say: (text) => this.#say(text) });
    this.#tools();
    this.#listen();
    view.grid.overlay = (row, column) => this.#overlay(row, column);
    view.grid.rowClass = (row) => this.#rowClass(row);
    this.#refreshTools();
    view.grid.redraw();
  }

  leave() {
    this.#stop.abort();
    this.editor.end();
  }

  #tools() {
    const said = this.words;
    this.buttons = {
      insert: button(said.newRow, () => this.#newRow()),
      form: button(said.editRow, () => this.#editRow()),
      column: button(said.setColumn, () => openSetColumn(this.view, this.columns, (column, value) => {
        this.staging.together(() => {
          for (const row of this.#rows()) if (row.deleted !== true) this.staging.set(row, column, value);
        });
      })),
      remove: button(said.delete, () => this.#remove()),
      undelete: button(said.undelete, () => this.#undelete()),
      paste: button(said.paste, () => this.#paste("")),
      undo: button(said.undo, () => this.#undo()),
      review: button("", () => this.review(), { class: "primary" }),
    };
    this.said = el("span", { class: "edit-word" });
    this.view.toolbar.replaceChildren(...Object.values(this.buttons), this.said);
  }

  // What became of the last sending, to be heard and seen until the next edit.
  #say(text) {
    this.said.textContent = text;
    this.view.announce(text);
  }

  #listen() {
    const { grid } = this.view;
    const { signal } = this.#stop;
    this.staging.addEventListener("change", () => {
      this.said.textContent = "";
      this.#refreshTools();
      grid.redraw();
    }, { signal });
    this.outbox.turn.addEventListener("change", () => this.#refreshTools(), { signal });
    grid.addEventListener("edit", ({ detail }) => this.#edit(detail), { signal });
    grid.addEventListener("delete", () => this.#remove(), { signal });
    grid.addEventListener("paste", ({ detail }) => this.#paste(typeof detail === "string" ? detail : detail.text ?? ""),
      { signal });
    grid.addEventListener("selection", () => this.#refreshTools(), { signal });
    grid.addEventListener("focuscell", () => this.#refreshTools(), { signal });
  }

  // What the tools work on: what is selected, or else the row with the focus.
  #rows() {
    const { grid } = this.view;
    if (grid.selectedRows.length > 0) return grid.selectedRows;
    return grid.focused ? [grid.focused.row] : [];
  }

  #refreshTools() {
    const { buttons, staging, view } = this;
    const rows = this.#rows();
    const count = staging.size;
    buttons.review.hidden = count === 0;
    buttons.review.textContent = this.words.review(count);
    buttons.undo.disabled = !this.outbox.canUndo;
    buttons.form.disabled = rows.length !== 1;
    buttons.column.disabled = rows.every(({ deleted }) => deleted === true);
    buttons.remove.disabled = rows.every(({ deleted }) => deleted === true);
    buttons.undelete.hidden = !view.table.softDelete;
    buttons.undelete.disabled = !rows.some((row) => row.deleted === true || staging.get(row.id)?.kind === "delete");
  }

  #overlay(row, column) {
    const change = this.staging.get(row.id);
    if (!change?.values.has(column.name)) return undefined;
    const value = change.values.get(column.name);
    const text = value === null ? this.words.null : cellText(value);
    return { text, className: value === null ? "is-staged is-null" : "is-staged",
      label: this.words.staged(text, cellText(change.base?.[column.name])) };
  }

  #rowClass(row) {
    const kind = this.staging.get(row.id)?.kind;
    return kind ? `is-staged-${kind}` : "";
  }

  #edit({ row, column, typed }) {
    if (column.isSystem) return this.view.announce(this.words.systemColumn(column.name));
    if (row.deleted === true) return this.view.announce(this.words.tombstone);
    const value = this.staging.get(row.id)?.values.get(column.name) ?? row[column.name];
    // A text of several lines has no place in a cell.
    if (typeof value === "string" && (value.includes("\n") || value.length > 500)) return this.#editRow(column.name);
    return this.editor.begin(row, column, typed);
  }

  #editRow(column = null) {
    const [row] = this.#rows();
    if (!row) return;
    if (row.deleted === true) return void this.view.announce(this.words.tombstone);
    openForm(this.view, this.columns, { row, staged: this.staging.get(row.id), column, save: (values) => {
      for (const [name, value] of values) this.staging.set(row, name, value);
    } });
  }

  #newRow() {
    const isNumbered = this.view.table.idKind === "number";
    openForm(this.view, this.columns, { row: null, isNumbered, isStaged: (id) => this.staging.get(id) !== undefined,
      save: (values, id) => {
        this.staging.insert(values, id ? { id } : { isNumbered });
      } });
  }

  #remove() {
    const rows = this.#rows().filter(({ deleted }) => deleted !== true);
    this.staging.together(() => rows.forEach((row) => this.staging.remove(row)));
    if (rows.length > 0) this.view.announce(this.words.deleteStaged(rows.length));
  }

  #undelete() {
    const rows = this.#rows().filter((row) => row.deleted === true || this.staging.get(row.id)?.kind === "delete");
    this.staging.together(() => rows.forEach((row) => this.staging.undelete(row)));
  }

  #paste(text) {
    openPaste(this.view, this.columns, { text, isStaged: (id) => this.staging.get(id) !== undefined, save: (rows) => {
      const isNumbered = this.view.table.idKind === "number";
      this.staging.together(() => {
        for (const { id, values } of rows) this.staging.insert(values, id ? { id } : { isNumbered });
      });
      this.view.announce(this.words.pasted(rows.length));
    } });
  }

  review() {
    openReview(this.view, this.staging, { send: (changes, progress) => this.outbox.send(changes, progress) });
  }

  async #undo() {
    // What could not be taken back waits for another try.
    if (await this.outbox.undo() && this.staging.size > 0) this.review();
  }
}
