// The text of a filter: where a byte of it is, and what can be written at a place. Nothing of the document here.

// The index in a JavaScript text of a byte of its UTF-8. A byte within a character is that character's.
export function indexOfByte(text, byte) {
  let bytes = 0, index = 0;
  for (const character of text) {
    const code = character.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > byte) return index;
    index += character.length;
  }
  return text.length;
}

// The text in three: before the error, what is wrong (a word, or one character), and what follows.
export function splitAtError(text, byte) {
  const at = indexOfByte(text, byte);
  const rest = text.slice(at);
  const wrong = /^(?:[\p{L}_][\p{L}\p{N}_]*|[0-9][0-9.]*|'(?:[^']|'')*'?)/u.exec(rest)?.[0]
    ?? (rest === "" ? "" : String.fromCodePoint(rest.codePointAt(0)));
  return [text.slice(0, at), wrong, rest.slice(wrong.length)];
}

const TOKEN = /\s+|'(?:[^']|'')*'?|[\p{L}_][\p{L}\p{N}_]*|[0-9][0-9.a-zA-Z]*|./guy;
const COMPARISONS = ["eq", "ne", "gt", "ge", "lt", "le"];
const JOINTS = ["and", "or"];
const CALCULATIONS = ["add", "sub", "mul", "div", "mod"];
const OPERATORS = [...COMPARISONS, ...JOINTS, ...CALCULATIONS];

// What may be written at the caret: {from, to, word, items: [{kind, name, insert}]}; null within a quoted text.
export function completionsAt(text, caret, columns, functions) {
  const before = tokens(text.slice(0, caret));
  const last = before.at(-1) ?? "";
  if (last.startsWith("'") && !isClosed(last)) return null;
  const isWord = /^[\p{L}_]/u.test(last);
  const word = isWord ? last : "";
  const from = caret - word.length;
  const rest = /^[\p{L}\p{N}_]*/u.exec(text.slice(caret))[0];
  const solid = before.slice(0, isWord ? -1 : undefined).filter((token) => token.trim() !== "");
  const wanted = word.toLowerCase();
  const items = isOperand(solid.at(-1)) ? operatorsFor(solid) : operandsFor(solid, columns, functions);
  const fitting = items.filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one, wanted) - rank(other, wanted));
  return { from, to: caret + rest.length, word, items: fitting };
}

function tokens(text) {
  return text.match(TOKEN) ?? [];
}

function isClosed(token) {
  return token.length > 1 && token.endsWith("'") && (token.match(/'/g).length % 2 === 0);
}

// Whether a value has just ended, so that an operator has to follow.
function isOperand(token) {
  if (token === undefined || OPERATORS.includes(token) || token === "not") return false;
  return token === ")" || token.startsWith("'") || /^[\p{L}\p{N}_]/u.test(token);
}

function operatorsFor(solid) {
  const item = (name) => ({ kind: "operator", name, insert: name + " " });
  // Behind a comparison only the next condition is likely.
  const isCompared = COMPARISONS.includes(solid.at(-2)) || solid.at(-1) === ")";
  return (isCompared ? [...JOINTS, ...COMPARISONS, ...CALCULATIONS] : OPERATORS).map(item);
}

function operandsFor(solid, columns, functions) {
  const value = (name) => ({ kind: "value", name, insert: name });
  const compared = COMPARISONS.includes(solid.at(-1)) ? columns.find(({ name }) => name === solid.at(-2)) : undefined;
  const values = compared?.kind === "boolean" ? ["true", "false", "null"] : ["null"];
  const calls = functions.map((name) => ({ kind: "function", name,
    insert: name === "datetimeoffset" ? "datetimeoffset'" : name + "(" }));
  const names = columns.map(({ name, kind }) => ({ kind: "column", type: kind, name, insert: name }));
  if (compared) {
    const instants = compared.kind === "date" ? calls.filter(({ name }) => name === "datetimeoffset") : [];
    return [...instants, ...values.map(value), ...names, ...calls.filter((call) => !instants.includes(call))];
  }
  return [...names, ...calls, { kind: "operator", name: "not", insert: "not " }];
}

// Names that begin so stand before those that only have it in them.
function rank({ name }, wanted) {
  return name.toLowerCase().startsWith(wanted) ? 0 : 1;
}

// A value as a literal of the filter beside a column of this kind; null where there is none.
export function literal(value, kind) {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "object") return typeof value.text === "string" ? value.text : null;
  if (kind === "date") return `datetimeoffset'${value}'`;
  return `'${value.replaceAll("'", "''")}'`;
}
