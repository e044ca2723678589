// What somebody types into a cell, as the value of its column, and back. Numbers stay text all the way.
import { Numeral, write } from "./json.js";
import { words } from "./words.js";

const LEAST = -(2n ** 63n), MOST = 2n ** 63n - 1n;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,3})?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const YES = ["true", "yes", "1"], NO = ["false", "no", "0"];

// {value} or {problem}, a sentence.
export function parseCell(kind, text) {
  const said = words.edit.problems;
  const trimmed = text.trim();
  switch (kind) {
    case "integer": return integer(trimmed, said);
    case "number":
      if (!NUMBER.test(trimmed)) return { problem: said.number };
      return Number.isFinite(Number(trimmed)) ? { value: new Numeral(numeral(trimmed)) } : { problem: said.tooLarge };
    case "decimal":
      return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(trimmed) ? { value: new Numeral(numeral(trimmed)) }
        : { problem: said.decimal };
    case "boolean":
      if (YES.includes(trimmed.toLowerCase())) return { value: true };
      return NO.includes(trimmed.toLowerCase()) ? { value: false } : { problem: said.boolean };
    case "date": return date(trimmed, said);
    case "dateOnly":
      return /^\d{4}-\d{2}-\d{2}$/.test(trimmed) && isDay(trimmed) ? { value: trimmed } : { problem: said.dateOnly };
    case "timeOnly":
      return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(trimmed) ? { value: trimmed }
        : { problem: said.timeOnly };
    default: return { value: text };
  }
}

// What an editor shows of a value; nothing of null.
export function cellText(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return value instanceof Numeral ? value.text : write(value);
}

// A number as JSON has it: no plus, no point without digits, no zeros before it.
function numeral(text) {
  const [, sign, digits, exponent] = /^([+-]?)([\d.]+)(.*)$/.exec(text);
  const [whole, fraction = ""] = digits.split(".");
  const plain = whole.replace(/^0+(?=\d)/, "") || "0";
  return (sign === "-" ? "-" : "") + plain + (fraction === "" ? "" : "." + fraction) + exponent;
}

function integer(text, said) {
  if (!/^[+-]?\d{1,40}$/.test(text)) return { problem: said.integer };
  const number = BigInt(text.replace("+", ""));
  return number < LEAST || number > MOST ? { problem: said.tooLarge } : { value: new Numeral(String(number)) };
}

// A time without a zone is taken as UTC, as the server keeps all.
function date(text, said) {
  const [all, day, minutes = "00:00", seconds = "00", fraction = "", zone = "Z"] = DATE.exec(text) ?? [];
  if (!all || !isDay(day)) return { problem: said.date };
  const wire = `${day}T${minutes}:${seconds}${fraction}${zone.toUpperCase()}`;
  return Number.isNaN(Date.parse(wire)) ? { problem: said.date } : { value: wire };
}

function isDay(day) {
  const date = new Date(day + "T00:00:00Z");
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
