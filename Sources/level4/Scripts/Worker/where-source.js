'use strict';

// A condition that is written as a JavaScript function, taken apart: what it is made of, and where each part stands. Its
// source is read, never run.

const TOKEN = new RegExp(
  [
    /\s+|\/\/[^\n]*|\/\*[^]*?\*\//, // white space and comments
    /(?<number>0[xXoObB][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/,
    /(?<string>'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*")/,
    /(?<template>`(?:[^`\\]|\\[^])*`)/,
    /(?<name>[A-Za-z_$][\w$]*)/,
    /(?<mark>=>|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\*\*|>>>|<<|>>|[-+*\/%<>!().,;:?{}[\]~&|^])/,
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
    if (kind) tokens.push({ kind, text: match[0], start: at, end: TOKEN.lastIndex });
  }
  return tokens;
}

const BINARY = [
  ['||', '??'], ['&&'], ['|'], ['^'], ['&'], ['===', '!==', '==', '!='], ['<=', '>=', '<', '>', 'in'], ['<<', '>>', '>>>'],
  ['+', '-'], ['*', '/', '%'], ['**'],
];
const UNARY = ['!', '-', '+', '~', 'typeof'];

/**
 * A part of a condition, `{ kind, start, end, … }`. `ofRow` says whether a column is in it: what has none has a value
 * before any row is looked at. `names` are those that it stands on.
 */
class Reader {
  constructor(source) {
    this.source = source;
    this.tokens = tokensOf(source);
    this.place = 0;
    // Conditions that stand in one another: no deeper than the server takes them.
    this.depth = 0;
  }

  get token() {
    return this.tokens[this.place];
  }

  get next() {
    return this.token?.text;
  }

  take(text) {
    if (this.next !== text) {
      throw new SyntaxError(`a condition has '${this.next ?? 'its end'}' where '${text}' belongs`);
    }
    this.place += 1;
  }

  takes(text) {
    if (this.next !== text || this.token.kind === 'string') return false;
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
      names.push(this.tokens[this.place++]?.text);
      if (!this.takes(',') && this.next !== ')') this.take(')');
    }
    return names;
  }

  body() {
    this.take('{');
    if (this.token?.kind === 'string' && /^.use strict.$/.test(this.next)) {
      this.place += 1;
      this.takes(';');
    }
    this.take('return');
    const part = this.expression();
    this.takes(';');
    this.take('}');
    return part;
  }

  part(kind, start, parts, more) {
    const names = new Set(parts.flatMap((part) => [...part.names]));
    return {
      kind, start, end: this.tokens[this.place - 1].end, ofRow: parts.some((part) => part.ofRow), names, ...more,
    };
  }

  expression() {
    if ((this.depth += 1) > 200) throw new SyntaxError('a condition is nested too deep');
    const start = this.token?.start;
    const test = this.binary(0);
    let part = test;
    if (this.takes('?')) {
      const yes = this.expression();
      this.take(':');
      const no = this.expression();
      part = this.part('choice', start, [test, yes, no], { test, yes, no });
    }
    this.depth -= 1;
    return part;
  }

  binary(level) {
    if (level === BINARY.length) return this.unary();
    const start = this.token?.start;
    let left = this.binary(level + 1);
    while (BINARY[level].includes(this.next) && this.token.kind !== 'string') {
      const operator = this.tokens[this.place++].text;
      const right = this.binary(level + 1);
      left = this.part('binary', start, [left, right], { operator, left, right });
    }
    return left;
  }

  unary() {
    if (!UNARY.includes(this.next) || this.token.kind === 'string') return this.postfix();
    if ((this.depth += 1) > 200) throw new SyntaxError('a condition is nested too deep');
    const { start, text: operator } = this.tokens[this.place++];
    const inner = this.unary();
    this.depth -= 1;
    return this.part('unary', start, [inner], { operator, inner });
  }

  postfix() {
    const start = this.token?.start;
    let part = this.primary();
    for (;;) {
      if (this.takes('.') || this.takes('?.')) {
        if (this.next === '(' || this.next === '[') continue;
        const token = this.tokens[this.place++];
        if (token?.kind !== 'name') throw new SyntaxError(`a condition has '${token?.text ?? 'its end'}' behind a point`);
        part = this.part('member', start, [part], { of: part, name: token.text });
      } else if (this.takes('[')) {
        const key = this.expression();
        this.take(']');
        part = this.part('member', start, [part, key], { of: part, key });
      } else if (this.takes('(')) {
        const values = this.list(')');
        part = this.part('call', start, [part, ...values], { of: part, values });
      } else {
        return part;
      }
    }
  }

  list(end) {
    const values = [];
    while (!this.takes(end)) {
      values.push(this.expression());
      if (this.next !== end) this.take(',');
    }
    return values;
  }

  primary() {
    const token = this.tokens[this.place++];
    if (!token) throw new SyntaxError('a condition ends too early');
    const { kind, text, start } = token;
    if (kind === 'number' || kind === 'string') return this.part(kind, start, [], { text });
    if (kind === 'template') {
      if (/\$\{/.test(text)) throw new SyntaxError("a condition can't hold a template with values in it");
      return this.part('text', start, []);
    }
    if (text === '(') {
      const inner = this.expression();
      this.take(')');
      return { ...inner, start, end: this.tokens[this.place - 1].end };
    }
    if (text === '[') return this.part('array', start, this.list(']'));
    if (text === 'this') return this.part('row', start, [], { ofRow: true });
    if (text === 'new') {
      const made = this.postfix();
      return this.part('made', start, [made]);
    }
    if (kind === 'name' && !/^(?:function|class|async|await|yield|delete|void|super|import)$/.test(text)) {
      const part = this.part('name', start, [], { text });
      part.names.add(text);
      return part;
    }
    throw new SyntaxError(`a condition can't hold '${text}'`);
  }
}

/** @returns the parameters of a function, and what it returns */
function readCondition(source) {
  const reader = new Reader(source);
  const parameters = reader.head();
  return { parameters, returned: reader.body() };
}

module.exports = { readCondition };
