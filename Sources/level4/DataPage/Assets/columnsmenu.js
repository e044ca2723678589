// Which columns are shown, and the way to a column's values for those who don't use its head.
import { el, popover } from "./dom.js";

export function columnsMenu(anchor, { columns, words, hide, values }) {
  const hidden = new Set(columns.hidden);
  const line = (column) => el("li", {},
    el("label", { class: "tick", title: column.name },
      el("input", { type: "checkbox", checked: !hidden.has(column.name), disabled: column.name === "id",
        "aria-label": words.rows.showColumn(column.name),
        change: ({ target }) => {
          if (target.checked) hidden.delete(column.name);
          else hidden.add(column.name);
          hide([...hidden]);
        } }),
      el("span", {}, column.isSystem ? words.grid.system[column.name] ?? column.name : column.name)),
    el("button", { type: "button", class: "plain", "aria-label": words.grid.values(column.name), click: () => {
      panel.close();
      values(column);
    } }, words.rows.values));
  const panel = popover(anchor, el("ul", { class: "columns-list" }, columns.all.map(line)),
    { className: "columns-menu", label: words.rows.columns });
}
