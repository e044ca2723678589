'use strict';

// A condition that is written as a JavaScript function, as the filter that it means: its source is read, never run.

const TOKEN = new RegExp(
  [
    /\s+|\/\/[^\n]*|\/\*[^]*?\*\//, // white space and comments
    /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
    /(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/,
    /(?<name>[A-Za-z_$][\w$]*)/,
    /(?<mark>=>|===|!==|==|!=|<=|>=|&&|\|\||[-+*\/%<>!().,;{}[\]])/,
  ].map((part) => part.source).join('|'),
  'y',
);

function tokensOf(source) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new SyntaxError(`a condition can't hold '${source.slice(at, at + 12)}'`);
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (kind) tokens.push({ kind, text: match[0] });
  }
  return tokens;
}

const RELATIONS = [['<=', 'le'], ['>=', 'ge'], ['<', 'lt'], ['>', 'gt']];
const BINARY = [
  [['||', 'or']],
  [['&&', 'and']],
  [['===', 'eq'], ['!==', 'ne'], ['==', 'eq'], ['!=', 'ne']],
  RELATIONS,
  [['+', 'add'], ['-', 'sub']],
  [['*', 'mul'], ['/', 'div'], ['%', 'mod']],
];

/** Methods and properties of a column's value, and the function of the query language that each is. */
const METHODS = {
  toLowerCase: (text) => `tolower(${text})`,
  toUpperCase: (text) => `toupper(${text})`,
  trim: (text) => `trim(${text})`,
  indexOf: (text, part) => `indexof(${text},${part})`,
  startsWith: (text, part) => `startswith(${text},${part})`,
  endsWith: (text, part) => `endswith(${text},${part})`,
  includes: (text, part) => `substringof(${part},${text})`,
  concat: (text, part) => `concat(${text},${part})`,
  substring: (text, ...places) => `substring(${[text, ...places].join(',')})`,
  substr: (text, ...places) => `substring(${[text, ...places].join(',')})`,
  replace: (text, part, other) => `replace(${text},${part},${other})`,
  getFullYear: (date) => `year(${date})`,
  getUTCFullYear: (date) => `year(${date})`,
  // JavaScript counts months from 0.
  getMonth: (date) => `(month(${date}) sub 1)`,
  getUTCMonth: (date) => `(month(${date}) sub 1)`,
  getDate: (date) => `day(${date})`,
  getUTCDate: (date) => `day(${date})`,
  getHours: (date) => `hour(${date})`,
  getUTCHours: (date) => `hour(${date})`,
  getMinutes: (date) => `minute(${date})`,
  getUTCMinutes: (date) => `minute(${date})`,
  getSeconds: (date) => `second(${date})`,
  getUTCSeconds: (date) => `second(${date})`,
};
const MATH = { floor: 'floor', ceil: 'ceiling', round: 'round' };
const CONSTANTS = { true: 'true', false: 'false', null: 'null', undefined: 'null' };

class Reader {
  constructor(tokens, values, literal) {
    this.tokens = tokens;
    this.place = 0;
    this.values = values;
    this.literal = literal;
  }

  get next() {
    return this.tokens[this.place]?.text;
  }

  take(text) {
    if (this.next !== text) {
      throw new SyntaxError(`a condition has '${this.next ?? 'its end'}' where '${text}' belongs`);
    }
    this.place += 1;
  }

  takes(text) {
    if (this.next !== text) return false;
    this.place += 1;
    return true;
  }

  /** The names of the parameters, and the reader behind them. */
  head() {
    if (this.next !== 'function') {
      const reason = 'an arrow function has no this, which the columns are of';
      throw new SyntaxError(`a condition is a function () {…}: ${reason}`);
    }
    this.take('function');
    if (this.next !== '(') this.place += 1;
    this.take('(');
    const names = [];
    while (!this.takes(')')) {
      names.push(this.tokens[this.place++].text);
      this.takes(',');
    }
    return names;
  }

  body() {
    this.take('{');
    this.take('return');
    const text = this.binary(0);
    this.takes(';');
    this.take('}');
    return text;
  }

  binary(level) {
    if (level === BINARY.length) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      if (BINARY[level] === RELATIONS && this.takes('in')) {
        left = this.isOneOf(left, this.given());
        continue;
      }
      const operator = BINARY[level].find(([mark]) => mark === this.next);
      if (!operator) return left;
      this.place += 1;
      left = this.joined(left, operator[1], this.binary(level + 1));
    }
  }

  joined(left, operator, right) {
    // `'a'.indexOf(x) !== -1` and its like are how old JavaScript says that a text holds another.
    return `(${left} ${operator} ${right})`;
  }

  unary() {
    if (this.takes('!')) return `not(${this.unary()})`;
    if (this.takes('-')) return `-${this.unary()}`;
    return this.postfix();
  }

  postfix() {
    let value = this.primary();
    while (this.takes('.')) {
      const name = this.tokens[this.place++]?.text;
      if (value.isThis) {
        value = { text: name };
      } else if (value.isMath) {
        if (!MATH[name]) throw new SyntaxError(`a condition can't call Math.${name}`);
        this.take('(');
        value = { text: `${MATH[name]}(${this.list().join(',')})` };
      } else if (value.given !== undefined) {
        value = this.ofGiven(value.given, name);
      } else if (name === 'length') {
        value = { text: `length(${value.text})` };
      } else {
        if (!Object.hasOwn(METHODS, name)) throw new SyntaxError(`a condition can't call .${name}`);
        this.take('(');
        value = { text: METHODS[name](value.text, ...this.list()) };
      }
    }
    if (value.isThis || value.isMath) throw new SyntaxError('a condition compares columns, such as this.complete');
    return value.given !== undefined ? this.literal(value.given) : value.text;
  }

  /** A value that was handed over, or a member of it, as it is. */
  given() {
    const name = this.tokens[this.place++]?.text;
    if (!this.values.has(name)) throw new SyntaxError(`a condition can't know '${name}': hand it over as an argument`);
    let value = this.values.get(name);
    while (this.takes('.')) value = value?.[this.tokens[this.place++]?.text];
    return value;
  }

  /** Whether a column is one of some values, or of the only members of some rows. */
  isOneOf(column, values) {
    if (!Array.isArray(values)) throw new SyntaxError('a condition asks what is in something that is no array');
    const isRow = (value) => value && typeof value === 'object' && !(value instanceof Date);
    const terms = values
      .map((value) => (isRow(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value))
      .map((value) => `(${column} eq ${this.literal(value)})`);
    return `(${terms.join(' or ') || 'false'})`;
  }

  /** A member of a value that was handed over, or `values.indexOf(this.x)`, which asks whether it is one of them. */
  ofGiven(given, name) {
    if (Array.isArray(given) && (name === 'indexOf' || name === 'includes') && this.next === '(') {
      this.take('(');
      const [column] = this.list();
      const isOne = this.isOneOf(column, given);
      if (name === 'includes') return { text: isOne };
      return { text: this.foundBy() ? isOne : `not${isOne}` };
    }
    if (name === 'length') return { given: given.length };
    if (given === null || typeof given !== 'object' || !Object.hasOwn(given, name)) {
      throw new SyntaxError(`a condition asks for .${name} of a value that has none`);
    }
    return { given: given[name] };
  }

  /** What is asked of a place in an array: `>= 0`, `> -1`, `!== -1`, or the opposite. */
  foundBy() {
    const operator = this.tokens[this.place]?.text;
    const isNegative = this.tokens[this.place + 1]?.text === '-';
    const number = this.tokens[this.place + (isNegative ? 2 : 1)]?.text;
    const asked = `${operator} ${isNegative ? '-' : ''}${number}`;
    const found = { '>= 0': true, '> -1': true, '!== -1': true, '!= -1': true };
    const missing = { '< 0': false, '=== -1': false, '== -1': false };
    const answer = found[asked] ?? missing[asked];
    if (answer === undefined) throw new SyntaxError('a condition may ask only whether an array holds a value');
    this.place += isNegative ? 3 : 2;
    return answer;
  }

  list() {
    const values = [];
    while (!this.takes(')')) {
      values.push(this.binary(0));
      if (this.next !== ')') this.take(',');
    }
    return values;
  }

  primary() {
    const token = this.tokens[this.place++];
    if (!token) throw new SyntaxError('a condition ends too early');
    if (token.text === '(') {
      const text = this.binary(0);
      this.take(')');
      return { text };
    }
    if (token.kind === 'number') return { text: token.text };
    if (token.kind === 'string') return { text: this.literal(unquoted(token.text)) };
    if (token.text === 'this') return { isThis: true };
    if (token.text === 'Math') return { isMath: true };
    if (Object.hasOwn(CONSTANTS, token.text)) return { text: CONSTANTS[token.text] };
    if (token.kind === 'name' && this.values.has(token.text)) return { given: this.values.get(token.text) ?? null };
    throw new SyntaxError(
      `a condition can't know '${token.text}': hand it over as an argument behind the function`);
  }
}

/** What a string of JavaScript says. */
function unquoted(text) {
  const escapes = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };
  return text.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/g, (_, code) => {
    if (code.length > 1) return String.fromCharCode(parseInt(code.slice(1), 16));
    return escapes[code] ?? code;
  });
}

/**
 * The filter that a function means.
 * @param {Function} condition its columns are members of `this`
 * @param {unknown[]} given the values of its parameters
 * @param {(value: unknown) => string} literal writes a value in the query language
 */
function filterOf(condition, given, literal) {
  const reader = new Reader(tokensOf(Function.prototype.toString.call(condition)), new Map(), literal);
  reader.head().forEach((name, place) => reader.values.set(name, given[place]));
  return reader.body();
}

module.exports = { filterOf };
