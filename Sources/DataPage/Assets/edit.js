// Editing the rows of a view: cells in place, the tools above the grid, and the way from staged changes to sent ones.
import { CellEditor } from "./celleditor.js";
import { cellText } from "./cells.js";
import { resolveConflict } from "./conflict.js";
import { button, el } from "./editdom.js";
import { openForm } from "./form.js";
import { openPaste } from "./paste.js";
import { openReview } from "./review.js";
import { Sender } from "./sending.js";
import { openSetColumn } from "./setcolumn.js";
import { Staging } from "./staging.js";
import { reversal, UndoSteps } from "./undo.js";

// By table: what is staged outlives a look at another view, and a session.
const kept = new Map();

addEventListener("beforeunload", (event) => {
  if ([...kept.values()].some(({ staging }) => staging.size > 0)) event.preventDefault();
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
    if (!kept.has(name)) kept.set(name, { staging: new Staging(), steps: new UndoSteps() });
    Object.assign(this, kept.get(name));
    this.sender = new Sender(view.api, view.table);
    this.columns = view.table.columns.filter(({ isSystem }) => !isSystem);
    this.editor = new CellEditor(view, this.staging);
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
        for (const row of this.#rows()) if (row.deleted !== true) this.staging.set(row, column, value);
      })),
      remove: button(said.delete, () => this.#remove()),
      undelete: button(said.undelete, () => this.#undelete()),
      paste: button(said.paste, () => this.#paste("")),
      undo: button(said.undo, () => this.#undo()),
      review: button("", () => this.review(), { class: "primary" }),
    };
    this.view.toolbar.replaceChildren(...Object.values(this.buttons));
  }

  #listen() {
    const { grid } = this.view;
    const { signal } = this.#stop;
    this.staging.addEventListener("change", () => {
      this.#refreshTools();
      grid.redraw();
    }, { signal });
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
    buttons.undo.disabled = this.steps.size === 0;
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
    openForm(this.view, this.columns, { row: null, isNumbered, save: (values, id) => {
      this.staging.insert(values, id ? { id } : { isNumbered });
    } });
  }

  #remove() {
    const rows = this.#rows().filter(({ deleted }) => deleted !== true);
    for (const row of rows) this.staging.remove(row);
    if (rows.length > 0) this.view.announce(this.words.deleteStaged(rows.length));
  }

  #undelete() {
    for (const row of this.#rows()) {
      if (row.deleted === true || this.staging.get(row.id)?.kind === "delete") this.staging.undelete(row);
    }
  }

  #paste(text) {
    openPaste(this.view, this.columns, { text, save: (rows) => {
      const isNumbered = this.view.table.idKind === "number";
      for (const { id, values } of rows) this.staging.insert(values, id ? { id } : { isNumbered });
      this.view.announce(this.words.pasted(rows.length));
    } });
  }

  review() {
    openReview(this.view, this.staging, { send: (changes, progress) => this.send(changes, progress) });
  }

  // Sends changes and has the person decide where somebody else wrote meanwhile.
  // Returns what is left to tell: [{change, error}].
  async send(changes, progress = {}, keepsStep = true) {
    const results = await this.sender.sendAll(changes, progress);
    const writes = [], troubles = [];
    for (const change of changes) {
      const result = results.get(change.key);
      if (!result) continue;
      const end = await this.#settle(change, result);
      if (end.write) writes.push(end.write);
      if (end.error) troubles.push({ change, error: end.error });
    }
    if (keepsStep) this.steps.push(writes);
    this.#refreshTools();
    if (writes.length > 0) this.view.announce(this.words.sent(writes.length));
    return troubles;
  }

  // Goes on until a change is done or given up, as another write may come between each time.
  async #settle(first, firstResult) {
    let [change, result] = [first, firstResult];
    for (;;) {
      if (result.state === "done" && change.then?.size > 0) {
        const { key, id, then } = change;
        change = { key, kind: "update", id, base: result.row, values: then };
        this.staging.put(change);
        result = await this.sender.send(change);
        continue;
      }
      if (result.state !== "conflict" && result.state !== "gone") break;
      const choice = await resolveConflict(this.view, change, result.row);
      if (choice === "later") return { error: result.error };
      if (choice === null) {
        this.staging.discard(first.key);
        await this.#show(result.row, change.id);
        return {};
      }
      change = choice;
      this.staging.put(change);
      result = await this.sender.send(change);
    }
    if (result.state !== "done") return { error: this.words.states[result.state](result.error) };
    this.staging.discard(first.key);
    await this.#show(result.row, change.id, change.kind);
    return { write: { before: change.base, after: result.row } };
  }

  // Shows a row as it is now.
  async #show(row, id, kind = "update") {
    const { grid } = this.view;
    if (row === null) return void grid.removeRow(String(id));
    const showsDeleted = this.view.grid.columns.showsDeleted;
    if (row.deleted === true && !showsDeleted) return void grid.removeRow(String(row.id));
    if (!grid.replaceRow(row) && kind === "insert") grid.insertRow(row, 0);
  }

  async #undo() {
    const writes = this.steps.pop();
    if (!writes) return;
    const names = this.columns.map(({ name }) => name);
    const changes = writes.toReversed().map((write) => reversal(write, names));
    const isAnew = changes.some(({ kind }) => kind === "insert");
    const troubles = await this.send(changes, {}, false);
    this.view.announce(troubles.length > 0 ? troubles[0].error : isAnew ? this.words.undoneAnew
      : this.words.undone(changes.length));
    if (troubles.length > 0) {
      // What could not be taken back waits for another try.
      for (const { change } of troubles) this.staging.put(change);
      this.review();
    }
  }
}
