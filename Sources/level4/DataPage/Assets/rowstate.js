// What a view of rows shows, as its address tells it, and back.
import { encode } from "./api.js";

// {filter, order: {name, isDown}, deleted, hidden} of an address's query. Without an order the newest changes come
// first.
export function stateOf(query) {
  const [, name, , way] = /^\s*(\S+)(\s+(asc|desc))?\s*$/i.exec(query.get("order") ?? "") ?? [];
  return {
    filter: (query.get("filter") ?? "").trim(),
    order: { name: name ?? null, isDown: /^desc$/i.test(way ?? "") },
    deleted: query.get("deleted") === "1",
    hidden: (query.get("hide") ?? "").split(",").filter((column) => column !== ""),
  };
}

// The query of the view's own address; of its twin with all rows without what is hidden. Where no order was chosen the
// twin has none either, and walks by id: by the last change, rows that are written meanwhile would be left out.
export function queryOf({ filter, order, deleted, hidden }, { isTwin = false } = {}) {
  const parts = [];
  if (filter !== "") parts.push(`filter=${encode(filter)}`);
  if (order.name !== null) parts.push(`order=${encode(orderText(order))}`);
  if (deleted) parts.push("deleted=1");
  if (!isTwin && hidden.length > 0) parts.push(`hide=${hidden.map(encode).join(",")}`);
  return parts.length ? "?" + parts.join("&") : "";
}

export function orderText({ name, isDown }) {
  return name === null ? "updatedAt desc" : isDown ? `${name} desc` : name;
}

// The query that the table API takes.
export function rowsQuery({ filter, order, deleted }) {
  return [`$orderby=${encode(orderText(order))}`, ...filter === "" ? [] : [`$filter=${encode(filter)}`],
    ...deleted ? ["__includeDeleted=true"] : []].join("&");
}

export function needsOtherRows(one, other) {
  return one.filter !== other.filter || one.deleted !== other.deleted
    || orderText(one.order) !== orderText(other.order);
}

// Which of two rows comes first, as far as that can be told here: where a row that arrives is put.
export function comes(one, other, { name, isDown }) {
  const column = name ?? "updatedAt";
  const order = compare(one[column], other[column]) * (name === null || isDown ? -1 : 1);
  return order !== 0 ? order : compare(one.id, other.id);
}

function compare(one, other) {
  const ranks = [rank(one), rank(other)];
  if (ranks[0] !== ranks[1]) return ranks[0] - ranks[1];
  if (ranks[0] === 0) return 0;
  if (ranks[0] === 2) return compareDigits(one.text, other.text);
  const texts = [String(one), String(other)].map((text) => text.toLowerCase());
  return texts[0] < texts[1] ? -1 : texts[0] > texts[1] ? 1 : 0;
}

function rank(value) {
  return value === null || value === undefined ? 0 : typeof value === "boolean" ? 1 : typeof value === "object" ? 2 : 3;
}

// Numbers by their digits where they are written without an exponent; the rest as doubles.
function compareDigits(one, other) {
  const parts = [one, other].map((text) => /^(-?)(\d+)(?:\.(\d+))?$/.exec(text));
  if (parts.includes(null)) return Math.sign(Number(one) - Number(other));
  const length = Math.max(...parts.map(([, , , fraction]) => (fraction ?? "").length));
  const [first, second] = parts.map(([, sign, whole, fraction]) =>
    BigInt(sign + whole + (fraction ?? "").padEnd(length, "0")));
  return first < second ? -1 : first > second ? 1 : 0;
}
