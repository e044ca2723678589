// One row of a grid into its element; what is the same already is left alone.
import { el } from "./dom.js";
import { look } from "./look.js";

export function paintRow(element, key, row, columns, grid) {
  if (!row) {
    set(element, "className", "row is-coming");
    element.replaceChildren();
    return;
  }
  const mark = grid.marks.get(key);
  const names = ["row", row.deleted === true ? "is-deleted" : "", mark ?? "", grid.rowClass(row) ?? ""];
  set(element, "className", names.filter(Boolean).join(" "));
  if (element.dataset.id !== key) element.dataset.id = key;
  attribute(element, "aria-selected", String(grid.selected.has(key)));
  attribute(element, "aria-description", mark ? grid.words.live.marks[mark] : null);
  if (element.childElementCount === 0) element.append(el("div", { class: "marker", "aria-hidden": "true" }));
  while (element.childElementCount > columns.length + 1) element.lastElementChild.remove();
  columns.forEach((column, place) => paintCell(cellAt(element, place), column, row, grid));
}

function cellAt(element, place) {
  const cell = element.children[place + 1];
  if (cell) return cell;
  element.append(el("div", { role: "gridcell", tabindex: "-1", "aria-colindex": String(place + 2) }));
  return element.lastElementChild;
}

function paintCell(cell, column, row, grid) {
  if (cell.dataset.column !== column.name) cell.dataset.column = column.name;
  const focused = document.activeElement;
  // An editor in the cell belongs to somebody else.
  if (cell.dataset.editing !== undefined || (cell !== focused && cell.contains(focused))) return;
  const shown = look(column, row);
  const over = grid.overlay(row, column);
  const text = over?.text ?? (cell === focused ? shown.exact ?? shown.text : shown.text);
  if (cell.textContent !== text || cell.childElementCount > 0) cell.textContent = text;
  set(cell, "className", `cell ${over ? over.className ?? "" : shown.className}`);
  attribute(cell, "title", (over ? over.label ?? over.text : shown.title) || null);
  attribute(cell, "aria-label", over?.label ?? null);
}

function set(element, name, value) {
  if (element[name] !== value) element[name] = value;
}

function attribute(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
