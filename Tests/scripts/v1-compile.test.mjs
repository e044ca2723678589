// What scripts of Mobile Services may do around their functions, as bodies of modules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

const { Script } = requireOurs('./v1-compile');

const run = (source) => new Script({ root: '/service' }, 'table/t.insert.js', source, ['insert']).run();
const insert = (source) => run(source).insert();

test('a name that scripts are given keeps its value where it is declared again', () => {
  const own = 'var _r = require; var require = function (name) { return _r(name); };';
  assert.equal(insert(`${own} function insert() { return require('path').sep; }`), '/');
  assert.equal(insert('var _r = require;\nvar require = _r; function insert() { return require("path").sep; }'), '/');
  for (const name of ['tables', 'push', 'mssql', 'statusCodes', 'console', 'module', 'exports', 'setTimeout']) {
    assert.notEqual(insert(`var ${name} = ${name}; function insert() { return typeof ${name}; }`), 'undefined', name);
    assert.notEqual(insert(`var ${name}; function insert() { return typeof ${name}; }`), 'undefined', name);
  }
});

test('what a script declares itself is its own, by var, let, const, class and function', () => {
  for (const word of ['var', 'let', 'const']) {
    assert.deepEqual(insert(`${word} push = 3, console = 4; function insert() { return [push, console]; }`), [3, 4]);
  }
  assert.equal(insert('class tables { } function insert() { return new tables() instanceof tables; }'), true);
  assert.equal(insert('function push() { return 8; } function insert() { return push(); }'), 8);
  assert.equal(insert('var request = require("path"); function insert() { return request.sep; }'), '/');
  assert.equal(typeof run('const push = 3; function insert() { return tables; }').insert().getTable, 'function');
  assert.throws(() => run('let a = 1;\nlet a = 2;'), /Identifier 'a' has already been declared/);
});

test('functions are hoisted, assigned, or there behind a return', () => {
  assert.equal(insert('var early = insert(); function insert() { return 5; }'), 5);
  assert.equal(insert('insert = function () { return 6; };'), 6);
  assert.equal(insert('var insert = insert || function () { return 7; };'), 7);
  assert.equal(insert('function insert() { return 8; }\nreturn;\nthrow new Error("never");'), 8);
  assert.equal(run('var insert = 9;').insert, undefined);
  assert.equal(run('').insert, undefined);
});

test('a script is a module\'s body: this, exports and module', () => {
  assert.deepEqual(run('exports.a = 1; this.b = 2; module.exports.c = 3;').exports, { a: 1, b: 2, c: 3 });
  assert.deepEqual(run('module.exports = { d: 4 };').exports, { d: 4 });
  assert.equal(insert('var mine = this === exports; function insert() { return mine; }'), true);
});

test('a script is strict where it says so, and sloppy elsewhere', () => {
  const strict = 'function insert() { return (function () { return this; })() === undefined; }';
  assert.equal(insert(`'use strict'; ${strict}`), true);
  assert.equal(insert(`// a comment\n/* and another */ "use strict"\n${strict}`), true);
  assert.equal(insert(strict), false);
  assert.equal(insert('var octal = 010; function insert() { return octal; }'), 8);
  assert.throws(() => run("'use strict'; var octal = 010;"), SyntaxError);
});

test('an error has the line and the column of its script', () => {
  const place = (source) => {
    try {
      return run(source);
    } catch (error) {
      return /t\.insert\.js:\d+(?::\d+)?/.exec(error.stack)[0];
    }
  };
  assert.equal(place('total = 1; throw new Error("x");'), 't.insert.js:1:18');
  assert.equal(place("'use strict';\nvar push = push;\n  throw new Error('x');"), 't.insert.js:3:9');
  assert.equal(place('const push = 1;\nvar a = (;'), 't.insert.js:2');
});
