// A whole row in a form.
import { el } from "./dom.js";
import { button, openDialog } from "./editdom.js";
import { ValueField } from "./field.js";
import { exactText } from "./look.js";

// `row` is null for a new one. `save(values, id)` takes the columns that somebody wrote in; `isStaged(id)` says whether
// something is staged under an id already.
export function openForm(view, columns, { row, staged = null, column = null, isNumbered = false, isStaged, save }) {
  const { words } = view;
  const said = words.edit;
  const title = row ? said.editTitle(exactText(row.id)) : said.newTitle(view.table.name);
  const fields = columns.map((one) => {
    const value = staged?.values.has(one.name) ? staged.values.get(one.name) : row?.[one.name] ?? null;
    return new ValueField(words, one, value, { isUntouched: !staged?.values.has(one.name) });
  });
  const id = !row && !isNumbered ? el("input", { type: "text", autocomplete: "off", spellcheck: "false",
    "aria-label": said.id, placeholder: said.idHint }) : null;
  const idProblem = el("p", { class: "problem", role: "alert" });
  const form = el("form", { method: "dialog", class: "row-form" },
    id ? el("div", { class: "value-field" }, el("label", {}, said.id), id, idProblem) : null,
    fields.map(({ element }) => element),
    row ? systemValues(view, row) : null,
    el("div", { class: "dialog-buttons" }, button(said.cancel, () => dialog.close()),
      el("button", { type: "submit", class: "primary" }, said.stage)));
  const dialog = openDialog(view, { title, className: "form-dialog" }, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = new Map();
    let isRight = true;
    for (const field of fields.filter(({ isTouched }) => isTouched)) {
      const read = field.read();
      if (read) values.set(field.column.name, read.value);
      else isRight = false;
    }
    const isTaken = id !== null && id.value.trim() !== "" && isStaged(id.value.trim());
    idProblem.textContent = isTaken ? said.wrongLines.idStaged : "";
    if (isTaken) return id.focus();
    if (!isRight) return form.querySelector("[aria-invalid=true]")?.focus();
    dialog.close();
    save(values, id?.value.trim() || null);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  const wanted = fields.find((field) => field.column.name === column) ?? fields[0];
  wanted?.input.focus();
}

// What the server keeps, to be read only.
function systemValues(view, row) {
  const system = view.table.columns.filter(({ isSystem }) => isSystem);
  return el("dl", { class: "system-values" },
    system.map(({ name }) => [el("dt", {}, name), el("dd", {}, exactText(row[name]))]));
}
