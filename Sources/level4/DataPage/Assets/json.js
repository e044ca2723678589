// JSON without loss: numbers keep their text, since JavaScript's own are doubles and would round an Int64.

export class Numeral {
  constructor(text) {
    this.text = text;
    Object.freeze(this);
  }

  toString() {
    return this.text;
  }
}

export class JSONError extends Error {
  constructor(message, offset) {
    super(`${message} at character ${offset}`);
    this.offset = offset;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
const SPACE = /[ \t\n\r]*/y;
const DEEPEST = 500;

// A value: objects are maps without a prototype, so that a member may be called __proto__.
export function parse(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) throw new JSONError("There is something behind the value", reader.at);
  return value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return null;
    const from = this.at;
    this.at = pattern.lastIndex;
    return this.text.slice(from, this.at);
  }

  space() {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  fail(message) {
    throw new JSONError(message, this.at);
  }

  value(depth) {
    if (depth > DEEPEST) this.fail("Too deep");
    this.space();
    switch (this.text[this.at]) {
      case "{": return this.object(depth);
      case "[": return this.array(depth);
      case '"': return this.string();
      case "t": return this.word("true", true);
      case "f": return this.word("false", false);
      case "n": return this.word("null", null);
      default: {
        const number = this.take(NUMBER);
        return number === null ? this.fail("A value is expected") : new Numeral(number);
      }
    }
  }

  word(word, value) {
    if (!this.text.startsWith(word, this.at)) this.fail("A value is expected");
    this.at += word.length;
    return value;
  }

  string() {
    const plain = this.take(PLAIN_STRING);
    if (plain !== null) return plain.slice(1, -1);
    const text = this.long();
    return text ?? this.fail("A text that ends and has no control characters is expected");
  }

  // The engine's own parser reads escapes; strings hold no numbers that it could round.
  long() {
    const from = this.at;
    if (this.text[from] !== '"') return null;
    let end = from;
    do {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) return null;
    } while (isEscaped(this.text, end));
    const literal = this.text.slice(from, end + 1);
    try {
      const value = JSON.parse(literal);
      this.at = end + 1;
      return value;
    } catch {
      return null;
    }
  }

  array(depth) {
    const items = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === "]") {
      this.at += 1;
      return items;
    }
    for (;;) {
      items.push(this.value(depth + 1));
      if (!this.goesOn("]")) return items;
    }
  }

  object(depth) {
    const members = Object.create(null);
    this.at += 1;
    this.space();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return members;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail("A member's name is expected");
      const name = this.string();
      this.space();
      if (this.text[this.at] !== ":") this.fail("A colon is expected");
      this.at += 1;
      members[name] = this.value(depth + 1);
      if (!this.goesOn("}")) return members;
    }
  }

  goesOn(end) {
    this.space();
    const next = this.text[this.at];
    if (next !== "," && next !== end) this.fail(`A comma or ${end} is expected`);
    this.at += 1;
    return next === ",";
  }
}

function isEscaped(text, at) {
  let strokes = 0;
  while (text[at - 1 - strokes] === "\\") strokes += 1;
  return strokes % 2 === 1;
}

// The text of a value. Members that are undefined are left out, as the engine's own writer does.
export function write(value) {
  if (value === null || value === undefined) return "null";
  if (value instanceof Numeral) return value.text;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  if (Array.isArray(value)) return "[" + value.map(write).join(",") + "]";
  return "{" + Object.entries(value).filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => JSON.stringify(name) + ":" + write(inner)).join(",") + "}";
}

// Whether two values are the same JSON; numerals by their exact text, so 1.0 and 1.00 are two.
export function same(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (one instanceof Numeral || other instanceof Numeral) {
    return one instanceof Numeral && other instanceof Numeral && one.text === other.text;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length
    && names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
}
