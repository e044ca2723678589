'use strict';

// A condition that is written as a JavaScript function, as the filter that it means. What stands on no column has its
// value at once, whatever it is made of; what is of columns is written in the query language.

const vm = require('vm');
const { readCondition } = require('./where-source');

const COMPARED = {
  '===': 'eq', '!==': 'ne', '==': 'eq', '!=': 'ne', '<=': 'le', '>=': 'ge', '<': 'lt', '>': 'gt',
};
const CALCULATED = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'mod' };
const JOINED = { '&&': 'and', '||': 'or' };

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
  charAt: (text, place) => `substring(${text},${place},1)`,
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
const TEXTS = ['toLowerCase', 'toUpperCase', 'trim', 'concat', 'charAt', 'substring', 'substr', 'replace'];
const MATH = { floor: 'floor', ceil: 'ceiling', round: 'round' };

/** What a condition may name beside its parameters, all of it JavaScript's own. */
const OWN = [
  'Array', 'Boolean', 'Date', 'Infinity', 'JSON', 'Math', 'NaN', 'Number', 'Object', 'String', 'false', 'isNaN', 'null',
  'parseFloat', 'parseInt', 'true', 'undefined',
];

/** What is asked of a place in a text or an array: whether something is in it. */
const FOUND = { '>= 0': true, '> -1': true, '!== -1': true, '!= -1': true, '< 0': false, '=== -1': false, '== -1': false };

/** Makes something of a text once: a script has the same conditions with each request. */
function remembering(make) {
  const known = new Map();
  return (text, names) => {
    const key = names ? `${names}\n${text}` : text;
    if (!known.has(key)) {
      // Scripts that make their conditions as they go must not fill the memory.
      if (known.size >= 500) known.clear();
      known.set(key, make(text, names));
    }
    return known.get(key);
  };
}

const functionOf = remembering((text, names) => vm.compileFunction(`return (${text}\n);`, names));
const read = remembering(readCondition);

class Writer {
  /** @param {(value: unknown) => string} literal writes a value in the query language */
  constructor(source, parameters, given, literal) {
    this.source = source;
    this.parameters = parameters;
    this.given = given;
    this.literal = literal;
  }

  /** The value of what stands on no column. */
  value(part) {
    for (const name of part.names) {
      if (!this.parameters.includes(name) && !OWN.includes(name)) {
        throw new SyntaxError(`a condition can't know '${name}': hand it over as an argument behind the function`);
      }
    }
    if (part.kind === 'number' && !/^0\d/.test(part.text)) return Number(part.text);
    if (part.kind === 'string' && !part.text.includes('\\')) return part.text.slice(1, -1);
    const used = this.parameters.filter((name) => part.names.has(name));
    const values = used.map((name) => this.given[this.parameters.indexOf(name)]);
    if (part.kind === 'name' && used.length) return values[0];
    try {
      return functionOf(this.source.slice(part.start, part.end), used)(...values);
    } catch (error) {
      if (part.kind !== 'member') throw error;
      throw new SyntaxError(`a condition asks for .${part.name ?? 'a member'} of a value that has none`);
    }
  }

  /** The same where it becomes part of the filter: nothing is not what anything was meant to equal. */
  valued(part) {
    const value = this.value(part);
    if (part.kind === 'name') return value ?? null;
    if (part.kind === 'member' && value === undefined) {
      throw new SyntaxError(`a condition asks for .${part.name ?? 'a member'} of a value that has none`);
    }
    if (Number.isNaN(value) || value === undefined && part.names.size > 0) {
      throw new SyntaxError(`a condition holds ${this.source.slice(part.start, part.end)}, which is ${value}`);
    }
    return value;
  }

  write(part) {
    if (!part.ofRow) {
      // As it stands, with all of its digits.
      if (part.kind === 'number' && /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(part.text)) return part.text;
      if (this.isPlain(part)) return this.calculated(part);
      return this.literal(this.valued(part));
    }
    switch (part.kind) {
      case 'binary': return this.binary(part);
      case 'choice': return this.choice(part, (one) => this.write(one));
      case 'unary': return this.unary(part);
      case 'member': return this.member(part);
      case 'call': return this.call(part);
      case 'row': throw new SyntaxError('a condition compares columns, such as this.complete');
      default: throw new SyntaxError(`a condition can't hold ${this.source.slice(part.start, part.end)}`);
    }
  }

  /** Whether it is a calculation of numbers alone that the server does as JavaScript would. */
  isPlain({ kind, operator, left, right }) {
    const isNumber = (side) => side.kind === 'number' || this.isPlain(side);
    return kind === 'binary' && ['+', '-', '*'].includes(operator) && isNumber(left) && isNumber(right);
  }

  calculated({ operator, left, right }) {
    return `(${this.write(left)} ${CALCULATED[operator]} ${this.write(right)})`;
  }

  unary({ operator, inner }) {
    if (operator === '!') return `not(${this.write(inner)})`;
    if (operator === '-') return `-${this.write(inner)}`;
    if (operator === '+') return this.write(inner);
    throw new SyntaxError(`a condition can't hold '${operator}' of a column`);
  }

  /** `test ? yes : no`, of which one is left where the test stands on no column. */
  choice({ test, yes, no }, write) {
    if (!test.ofRow) return write(this.value(test) ? yes : no);
    const asked = this.write(test);
    // What is asked of a column without a value is false to JavaScript.
    return `((${asked} and ${write(yes)}) or ((not(${asked}) or ((${asked}) eq null)) and ${write(no)}))`;
  }

  binary(part) {
    const { operator, left, right } = part;
    if (JOINED[operator]) return this.joined(part);
    if (operator === 'in') return this.isOneOf(this.write(left), this.value(right));
    if (COMPARED[operator]) {
      for (const side of [left, right]) {
        if (side.kind !== 'choice' || !side.ofRow) continue;
        return this.choice(side, (one) => this.write({ ...part, [side === left ? 'left' : 'right']: one, ofRow: true }));
      }
      return this.found(part) ?? `(${this.write(left)} ${COMPARED[operator]} ${this.write(right)})`;
    }
    if (operator === '+' && (this.isText(left) || this.isText(right))) {
      return `concat(${this.write(left)},${this.write(right)})`;
    }
    if (CALCULATED[operator]) return this.calculated(part);
    throw new SyntaxError(`a condition can't hold '${operator}' of a column`);
  }

  /** `and` and `or`, of which one side may stand on no column: it decides, or says nothing. */
  joined({ operator, left, right }) {
    for (const [side, other] of [[left, right], [right, left]]) {
      if (side.ofRow) continue;
      if (Boolean(this.value(side)) === (operator === '&&')) return this.write(other);
      return operator === '&&' ? 'false' : 'true';
    }
    return `(${this.write(left)} ${JOINED[operator]} ${this.write(right)})`;
  }

  /** Whether something is surely a text, which `+` joins. */
  isText(part) {
    if (!part.ofRow) return typeof this.value(part) === 'string';
    if (part.kind === 'call') return part.of.kind === 'member' && TEXTS.includes(part.of.name);
    return part.kind === 'binary' && part.operator === '+' && (this.isText(part.left) || this.isText(part.right));
  }

  member(part) {
    const name = part.key ? this.nameOf(part.key) : part.name;
    if (part.of.kind === 'row') {
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new SyntaxError(`'${name}' is no name of a column`);
      return name;
    }
    if (!part.of.ofRow) throw new SyntaxError('a condition can\'t look for a member by a column');
    if (name === 'length') return `length(${this.write(part.of)})`;
    throw new SyntaxError(`a condition can't ask for .${name} of a column`);
  }

  nameOf(key) {
    if (key.ofRow) throw new SyntaxError('a condition can\'t look for a member by a column');
    return String(this.value(key));
  }

  call({ of, values }) {
    if (of.kind !== 'member') throw new SyntaxError('a condition can\'t call a function with a column');
    const name = of.key ? this.nameOf(of.key) : of.name;
    if (of.of.kind === 'name' && of.of.text === 'Math' && !this.parameters.includes('Math')) {
      if (!Object.hasOwn(MATH, name)) throw new SyntaxError(`a condition can't call Math.${name}`);
      return `${MATH[name]}(${values.map((value) => this.write(value)).join(',')})`;
    }
    const given = of.of.ofRow ? undefined : this.value(of.of);
    if (Array.isArray(given)) {
      if (name === 'includes') return this.isOneOf(this.write(values[0]), given);
      throw new SyntaxError('a condition may ask only whether an array holds a value');
    }
    if (!Object.hasOwn(METHODS, name)) throw new SyntaxError(`a condition can't call .${name}`);
    if (!of.of.ofRow && typeof given !== 'string') {
      throw new SyntaxError(`a condition asks for .${name} of a value that has none`);
    }
    return METHODS[name](this.write(of.of), ...values.map((value) => this.write(value)));
  }

  /** `values.indexOf(this.x) >= 0` and its like, which ask whether it is one of them; nothing where it isn't that. */
  found({ operator, left, right }) {
    const isPlace = left.kind === 'call' && left.of.kind === 'member' && left.of.name === 'indexOf';
    if (!isPlace || left.of.of.ofRow || right.ofRow) return undefined;
    const values = this.value(left.of.of);
    if (!Array.isArray(values)) return undefined;
    const answer = FOUND[`${operator} ${this.value(right)}`];
    if (answer === undefined) throw new SyntaxError('a condition may ask only whether an array holds a value');
    const isOne = this.isOneOf(this.write(left.values[0]), values);
    return answer ? isOne : `not${isOne}`;
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
}

/**
 * The filter that a function means.
 * @param {Function} condition its columns are members of `this`
 * @param {unknown[]} given the values of its parameters
 * @param {(value: unknown) => string} literal writes a value in the query language
 */
function filterOf(condition, given, literal) {
  const source = Function.prototype.toString.call(condition);
  const { parameters, returned } = read(source);
  return new Writer(source, parameters, given, literal).write(returned);
}

module.exports = { filterOf };
