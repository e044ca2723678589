// What a cell shows of a value, and the exact text behind it.
import { Numeral, write } from "./json.js";
import { ago, versionWords } from "./times.js";
import { words } from "./words.js";

// Longer texts are cut in cells; their title says a little more, and the form of the row all.
const MOST_SHOWN = 4000, MOST_TITLE = 1000;

// The text of a value as the server has it.
export function exactText(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Numeral) return value.text;
  return write(value);
}

// {text, title, className}: in a person's words where the column is one that the server keeps.
export function look(column, row) {
  const value = row[column.name];
  const exact = exactText(value);
  const text = exact.length > MOST_SHOWN ? exact.slice(0, MOST_SHOWN) + "…" : exact;
  if (value === null || value === undefined) return { text: "", title: "", className: "is-null" };
  if (!column.isSystem) {
    const isNumber = value instanceof Numeral;
    return { text, title: exact.slice(0, MOST_TITLE), className: isNumber ? "is-number" : classOf(column.kind, value) };
  }
  if (column.name === "deleted") {
    return { text: value === true ? words.rows.deleted : words.rows.notDeleted, title: exact, className: "is-mark" };
  }
  if (column.name === "version") return { text: versionWords(exact), title: exact, className: "is-code", exact };
  if (column.kind === "date") return { text: ago(exact), title: exact, className: "is-stamp", exact };
  return { text, title: exact.slice(0, MOST_TITLE), className: "is-code" };
}

function classOf(kind, value) {
  if (typeof value === "boolean") return value ? "is-true" : "is-false";
  return kind === "date" || kind === "dateOnly" || kind === "timeOnly" ? "is-code" : "";
}
