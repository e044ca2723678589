// Somebody else wrote the row meanwhile: what it was, what they made of it, what one meant, and a choice by column.
import { el, freshId } from "./dom.js";
import { button, openDialog } from "./editdom.js";
import { same } from "./json.js";
import { shown } from "./review.js";
import { valuesOf } from "./staging.js";
import { timeElement } from "./times.js";

// Resolves with the change to send now, null to give the own change up, or "later".
export function resolveConflict(view, change, theirs) {
  return new Promise((resolve) => {
    const said = view.words.edit;
    let choice = "later";
    const finish = (value) => {
      choice = value;
      dialog.close();
    };
    const rows = theirs === null || change.values.size === 0 ? null : new ConflictColumns(view, change, theirs);
    const buttons = [button(said.later, () => finish("later")), button(said.takeTheirs, () => finish(null)),
      button(said.keepMine, () => finish(mine(change, theirs)))];
    if (rows) buttons.push(button(said.saveChoice, () => finish(rows.change()), { class: "primary" }));
    const dialog = openDialog(view,
      { title: said.conflict, className: "conflict-dialog", closed: () => resolve(choice) },
      el("p", {}, about(said, change, theirs), " ", theirs ? timeElement(theirs.updatedAt) : null),
      rows?.element ?? null,
      el("div", { class: "dialog-buttons" }, buttons));
    (rows?.element.querySelector("input") ?? buttons.at(-1)).focus();
  });
}

function about(said, change, theirs) {
  if (theirs === null) return said.gone;
  if (theirs.deleted === true && change.kind !== "undelete") return said.deletedMeanwhile;
  if (change.kind === "insert") return said.idTaken;
  return change.kind === "delete" ? said.changedBeforeDelete : said.changedMeanwhile;
}

// The whole change again, over theirs, which the person has seen now; null where nothing is left to do.
function mine(change, theirs) {
  const { key, id, values } = change;
  const isGone = theirs === null || theirs.deleted === true;
  if (isGone && change.next?.kind === "delete") return null;
  if (theirs === null) {
    const all = new Map(Object.entries(change.base ?? {})
      .filter(([name, value]) => value !== null && !SYSTEM.has(name)));
    for (const [name, value] of valuesOf(change)) all.set(name, value);
    return { key, kind: "insert", id, base: null, values: all };
  }
  if (change.kind === "delete") return { ...change, base: theirs };
  if (change.kind === "undelete") return isGone ? { ...change, base: theirs } : null;
  // A tombstone comes back first, and is changed then.
  if (isGone) return { key, kind: "undelete", id, base: theirs, values: new Map(), next: { kind: "update", values } };
  return { ...change, kind: "update", base: theirs };
}

const SYSTEM = new Set(["id", "createdAt", "updatedAt", "version", "deleted"]);

class ConflictColumns {
  constructor(view, change, theirs) {
    this.change0 = change;
    this.theirs = theirs;
    const said = view.words.edit;
    // A column that only they wrote is theirs; there is nothing to choose.
    const names = view.table.columns.filter(({ isSystem }) => !isSystem).map(({ name }) => name)
      .filter((name) => change.values.has(name)
        || (change.base && !same(change.base[name] ?? null, theirs[name] ?? null)));
    this.choices = new Map();
    this.element = el("div", { class: "conflict-columns" }, el("table", {},
      el("thead", {}, el("tr", {}, [said.column, said.base, said.theirs, said.mine, said.choice].map((head) =>
        el("th", { scope: "col" }, head)))),
      el("tbody", {}, names.map((name) => this.#row(said, name)))));
  }

  #row(said, name) {
    const { base, values } = this.change0;
    const theirs = this.theirs[name] ?? null;
    const isMine = values.has(name);
    const group = freshId("choice");
    const radio = (label, isChecked) => {
      const input = el("input", { type: "radio", name: group, value: label, checked: isChecked });
      return [input, el("label", { class: "tick" }, input, label)];
    };
    let choice = el("span", { class: "quiet" }, said.theirs);
    if (isMine) {
      const [, theirsLabel] = radio(said.theirs, false);
      const [mineInput, mineLabel] = radio(said.mine, true);
      this.choices.set(name, mineInput);
      choice = el("fieldset", { "aria-label": said.choiceOf(name) }, theirsLabel, mineLabel);
    }
    const isTheirs = !same(base?.[name] ?? null, theirs);
    const cell = (label, isNew, ...content) =>
      el("td", { class: isNew ? "new" : null, "data-label": label }, ...content);
    return el("tr", {}, el("th", { scope: "row" }, name), cell(said.base, false, shown(said, base?.[name])),
      cell(said.theirs, isTheirs, shown(said, theirs)),
      cell(said.mine, isMine, isMine ? shown(said, values.get(name)) : "–"), cell(said.choice, false, choice));
  }

  // What is left to write over theirs; null where all is theirs.
  change() {
    const values = new Map([...this.change0.values].filter(([name]) => this.choices.get(name)?.checked));
    return values.size === 0 ? null : mine({ ...this.change0, values }, this.theirs);
  }
}
