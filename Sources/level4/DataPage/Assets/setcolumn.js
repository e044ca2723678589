// One column of many rows at once.
import { el } from "./dom.js";
import { button, openDialog } from "./editdom.js";
import { ValueField } from "./field.js";

export function openSetColumn(view, columns, save) {
  const said = view.words.edit;
  const count = Math.max(1, view.grid.selectedRows.length);
  const choice = el("select", { "aria-label": said.column },
    columns.map(({ name }) => el("option", { value: name }, name)));
  const place = el("div", {});
  let field;
  const show = () => {
    field = new ValueField(view.words, columns.find(({ name }) => name === choice.value) ?? columns[0], null);
    place.replaceChildren(field.element);
  };
  choice.addEventListener("change", show);
  show();
  const form = el("form", { method: "dialog" }, el("div", { class: "value-field" }, choice), place,
    el("div", { class: "dialog-buttons" }, button(said.cancel, () => dialog.close()),
      el("button", { type: "submit", class: "primary" }, said.stageRows(count))));
  const dialog = openDialog(view, { title: said.setColumnTitle(count) }, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const read = field.read();
    if (!read) return field.input.focus();
    dialog.close();
    save(field.column.name, read.value);
  });
}
