// Rows from a text of a spreadsheet, shown with what each cell becomes before anything is staged.
import { parseCell } from "./cells.js";
import { columnsOf, parseCSV } from "./csv.js";
import { el } from "./dom.js";
import { button, openDialog } from "./editdom.js";
import { shown } from "./review.js";

const MOST_ROWS = 10_000, MOST_SHOWN = 100;

// `isStaged(id)` says whether something is staged for a row: two changes of one row can't both be sent.
export function openPaste(view, columns, { text, isStaged, save }) {
  const said = view.words.edit;
  const box = el("textarea", { rows: "6", "aria-label": said.csv, spellcheck: "false", placeholder: said.csvHint });
  box.value = text;
  const preview = el("div", { class: "paste-preview", role: "region", "aria-label": said.preview, tabindex: "0" });
  const problem = el("p", { class: "problem", role: "alert" });
  const take = el("button", { type: "submit", class: "primary" }, said.stageRows(0));
  let rows = [];
  const read = () => {
    const found = readRows(view, columns, box.value, isStaged);
    ({ rows } = found);
    problem.textContent = found.problem;
    take.textContent = said.stageRows(rows.length);
    take.disabled = rows.length === 0 || found.problem !== "";
    preview.replaceChildren(rows.length > 0 ? table(said, found) : "");
  };
  const form = el("form", { method: "dialog" }, box, problem, preview,
    el("div", { class: "dialog-buttons" }, button(said.cancel, () => dialog.close()), take));
  const dialog = openDialog(view, { title: said.pasteTitle(view.table.name), className: "paste-dialog" }, form);
  box.addEventListener("input", read);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (take.disabled) return;
    dialog.close();
    save(rows);
  });
  read();
  box.focus();
}

// {names, rows: [{id, values, cells}], problem}.
function readRows(view, columns, text, isStaged) {
  const said = view.words.edit;
  const lines = parseCSV(text);
  const isNumbered = view.table.idKind === "number";
  const names = [...columns.map(({ name }) => name), ...isNumbered ? [] : ["id"]];
  const { isHead, columns: order } = columnsOf(lines, names);
  const data = isHead ? lines.slice(1) : lines;
  if (data.length > MOST_ROWS) return { names: order, rows: [], problem: said.tooManyRows(MOST_ROWS) };
  const unknown = isHead ? lines[0].filter((_, place) => order[place] === null).map(({ text: name }) => name) : [];
  const ids = new Set();
  let wrong = 0;
  const rows = data.map((fields) => {
    const values = new Map();
    let id = null;
    const cells = order.map((name, place) => {
      const field = fields[place];
      if (name === null) return null;
      if (name === "id") {
        id = field?.text.trim() || null;
        const problem = idProblem(said.wrongLines, id, ids, isStaged);
        if (problem) wrong += 1;
        return { name, value: id, text: id, problem };
      }
      const { kind } = columns.find((column) => column.name === name);
      const isNull = !field || (field.text === "" && !field.isQuoted);
      const parsed = isNull ? { value: null } : parseCell(kind, field.text);
      if (parsed.problem) wrong += 1;
      else if (!isNull) values.set(name, parsed.value);
      return { name, text: field?.text, ...parsed };
    });
    return { id, values, cells };
  });
  const problems = [lineProblem(said.wrongLines, lines, order, isHead ? order.length : names.length),
    wrong > 0 ? said.wrongCells(wrong) : ""];
  return { names: order, rows, problem: problems.filter(Boolean).join(" "),
    note: unknown.length > 0 ? said.unknownColumns(unknown.join(", ")) : "" };
}

function idProblem(said, id, ids, isStaged) {
  if (id === null) return undefined;
  const isTwice = ids.has(id);
  ids.add(id);
  return isTwice ? said.idTwice : isStaged(id) ? said.idStaged : undefined;
}

// What would be lost of lines that don't fit the columns.
function lineProblem(said, lines, order, most) {
  if (lines.isOpen) return said.open;
  const twice = order.filter((name, place) => name !== null && order.indexOf(name) !== place);
  if (twice.length > 0) return said.twice(twice.join(", "));
  // Empty fields at the end are what spreadsheets leave of columns that were cleared.
  const filled = lines.map((fields) => fields.findLastIndex(({ text, isQuoted }) => text !== "" || isQuoted) + 1);
  const long = filled.findIndex((count) => count > most);
  return long < 0 ? "" : said.long(long + 1, filled[long]);
}

function table(said, { names, rows, note }) {
  const known = names.map((name, place) => [name, place]).filter(([name]) => name !== null);
  return el("div", {}, note ? el("p", { class: "quiet" }, note) : null,
    el("table", {}, el("thead", {}, el("tr", {}, known.map(([name]) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows.slice(0, MOST_SHOWN).map(({ cells }) => el("tr", {}, known.map(([, place]) => {
        const { problem, value, text } = cells[place];
        return problem
          ? el("td", { class: "wrong", title: problem }, text, " ", el("span", { class: "problem" }, problem))
          : el("td", {}, shown(said, value));
      }))))),
    rows.length > MOST_SHOWN ? el("p", { class: "quiet" }, said.more(rows.length - MOST_SHOWN)) : null);
}
