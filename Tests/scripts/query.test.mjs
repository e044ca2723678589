// Conditions of scripts as the filters that they become.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

const { Query } = requireOurs('./query');
const where = (...values) => new Query('items').where(...values).filter;

const CONDITIONS = [
  [[{ complete: false }], '((complete eq false))'],
  [[{ text: "it's", n: 1.5 }], "((text eq 'it''s') and (n eq 1.5))"],
  [[{ at: new Date(0), gone: null }], "((at eq datetime'1970-01-01T00:00:00.000Z') and (gone eq null))"],
  [['a eq 1'], '(a eq 1)'],
  [["a eq ? and b eq '?' and c eq ?", "x' or 1 eq 1", 2], "(a eq 'x'' or 1 eq 1' and b eq '?' and c eq 2)"],
  [[function () { return this.complete; }], '(complete)'],
  [[function () { return !this.complete && this.n > 1; }], '((not(complete) and (n gt 1)))'],
  [[function (x, y) { return this.a === x || this.b !== y; }, "o'", null], "(((a eq 'o''') or (b ne null)))"],
  [[function (x) { return this.text.toLowerCase().indexOf(x) >= 0; }, 'q'], "((indexof(tolower(text),'q') ge 0))"],
  [[function (ids) { return ids.indexOf(this.id) !== -1; }, ['a', 'b']], "(((id eq 'a') or (id eq 'b')))"],
  [[function (ids) { return ids.indexOf(this.id) < 0; }, ['a']], "(not((id eq 'a')))"],
  [[function (ids) { return ids.includes(this.id); }, []], '((false))'],
  [[function (x) { return this.n + 1 * 2 < x.most; }, { most: 9 }], '(((n add (1 mul 2)) lt 9))'],
  [[function () { return this.at.getFullYear() === 2020; }], '((year(at) eq 2020))'],
  [[function () { return this.text === 'a\'b"c\u0041'; }], "((text eq 'a''b\"cA'))"],
  // One of two conditions, by what was handed over or by the row itself.
  [[function (mine, id) { return mine ? this.owner === id : this.shared === true; }, true, 'u'], "((owner eq 'u'))"],
  [[function (mine, id) { return mine ? this.owner === id : this.shared === true; }, 0, 'u'], '((shared eq true))'],
  [[function (x) { return this.a ? this.b > x : this.c === x; }, 1],
    '(((a and (b gt 1)) or ((not(a) or ((a) eq null)) and (c eq 1))))'],
  [[function (x) { return this.n === (x > 1 ? 'many' : x ? 'one' : 'none'); }, 1], "((n eq 'one'))"],
  [[function () { return (this.n > 1 ? this.a : this.b) === 2; }],
    '((((n gt 1) and (a eq 2)) or ((not((n gt 1)) or (((n gt 1)) eq null)) and (b eq 2))))'],
  // What stands on no column has its value at once.
  [[function (x) { return !x || this.a === x; }, null], '(true)'],
  [[function (x) { return !x || this.a === x; }, 'v'], "((a eq 'v'))"],
  [[function (x) { return x.length > 0 && this.a === x[0].trim().toUpperCase(); }, [' v ']], "((a eq 'V'))"],
  [[function (x) { return this.n > 7 / 2 && this.n < Math.max(x, 2) * 10; }, 1], '(((n gt 3.5) and (n lt 20)))'],
  [[function (at) { return this.at > new Date(at) && this.n === parseInt('0x10'); }, 0],
    "(((at gt datetime'1970-01-01T00:00:00.000Z') and (n eq 16)))"],
  [[function (x) { return this.n === -x && this.a === `t` && this.b === typeof x; }, 3],
    "((((n eq -3) and (a eq 't')) and (b eq 'number')))"],
  [[function (x) { return ['a', x].indexOf(this.id) >= 0; }, "o'"], "(((id eq 'a') or (id eq 'o''')))"],
  [[function () { return [1, 2].includes(this.n); }], '(((n eq 1) or (n eq 2)))'],
  [[function () { return this.n === 9007199254740993; }], '((n eq 9007199254740993))'],
  // Texts are joined, and looked for in texts that were handed over.
  [[function (x) { return this.first + ' ' + this.last === x; }, 'A B'], "((concat(concat(first,' '),last) eq 'A B'))"],
  [[function (x) { return x.indexOf(this.word) >= 0; }, 'words'], "((indexof('words',word) ge 0))"],
  [[function (name, x) { return this['text'] === x && this[name] === x; }, 'other', 1],
    '(((text eq 1) and (other eq 1)))'],
  [[function () { return Math.floor(this.n) === 1 && this.text.charAt(0) === 'a'; }],
    "(((floor(n) eq 1) and (substring(text,0,1) eq 'a')))"],
];

for (const [values, filter] of CONDITIONS) {
  test(`${values[0].toString().slice(0, 60)} becomes ${filter}`, () => assert.equal(where(...values), filter));
}

const REFUSED = [
  [[() => true], /arrow function/],
  [[function () { return this.a === outside; }], /can't know 'outside'/],
  [[function () { const a = 1; return a; }], /can't hold '= 1/],
  [[function () { return this.text.match(/a/); }], /./],
  [[function (name) { return this[name] === 1; }, 'a or 1'], /'a or 1' is no name of a column/],
  [[function () { return this.n === process.exit(); }], /can't know 'process'/],
  [[function (x) { return this.n === x.a.b; }, {}], /asks for \.b of a value that has none/],
  [[function (x) { return this.n === x.b; }, {}], /asks for \.b of a value that has none/],
  [[function (x) { return this.n === parseInt(x); }, 'q'], /parseInt\(x\), which is NaN/],
  [[function () { return (this.n & 4) === 4; }], /can't hold '&' of a column/],
  [[function (x) { return this.n === x[this.m]; }, [1]], /look for a member by a column/],
  [[function () { return this.a = 1; }], /can't hold '= 1/],
  [[function () { return this; }], /compares columns/],
  [[function () { return Math.sqrt(this.n) > 1; }], /can't call Math.sqrt/],
  [[{ 'a or 1 eq 1': 2 }], /is no name of a column/],
  [[{ a: { b: 1 } }], /can't compare with an object/],
  [[5], /takes an object, a text or a function/],
];

for (const [values, words] of REFUSED) {
  test(`${values[0].toString().slice(0, 60)} is refused`, () => assert.throws(() => where(...values), words));
}

test('conditions are added to the client\'s own, which stays what it is', () => {
  const query = Query.from({ filter: "a eq 'x' or b" });
  query.where({ c: 1 }).where({ d: 2 });
  assert.equal(query.filter, "(a eq 'x' or b) and ((c eq 1)) and ((d eq 2))");
});

test('a text stays one condition, whatever a client had a script put into it', () => {
  const texts = ["a eq 1) or (1 eq 1", "a eq 'x' or 'y", ') or (', '(a eq 1', 'a eq 1)', "a eq ')' or (b eq '('"];
  for (const text of texts) {
    const query = new Query('items').where({ owner: 'me' }).where(text);
    // The server reads each by itself, and refuses this one.
    assert.deepEqual(query.toMessage().added, ["(owner eq 'me')", text]);
    assert.throws(() => query.filter, /no condition by itself/, text);
    assert.throws(() => query.toOData(), /no condition by itself/, text);
  }
  for (const text of ["a eq ')'", "a eq 'it''s (' and (b or not(c))"]) assert.equal(where(text), `(${text})`);
});

test('conditions are handed over apart', () => {
  const query = Query.from({ filter: 'b or c' }).where({ a: 1 }).where('d');
  const { own, added } = query.toMessage();
  assert.deepEqual([own, added], ['b or c', ['(a eq 1)', 'd']]);
  assert.equal(query.filter, '(b or c) and ((a eq 1)) and (d)');
});

test('the other options are checked', () => {
  const query = new Query('items').orderBy('a', 'b desc').orderByDescending('c').skip(1).take('2').select('a,b');
  const { orderby, skip, top, select } = query.toMessage();
  assert.deepEqual([orderby, skip, top, select], ['a,b desc,c desc', 1, 2, 'a,b']);
  assert.throws(() => query.skip(-1));
  assert.throws(() => query.take('many'));
  assert.throws(() => query.select('a b'));
  assert.throws(() => query.orderBy('a); drop'));
});

test('a query is seen and set in its parts', () => {
  const query = Query.from({ filter: "a eq 'x)' or b", top: 4, orderby: 'c desc,d', select: 'id,a' }).where({ e: 1 });
  query.usualTake = 50;
  assert.deepEqual(query.getComponents(), {
    table: undefined, filters: "((a eq 'x)' or b) and (e eq 1))", ordering: { c: false, d: true }, skip: null, take: 4,
    selections: ['id', 'a'], projection: null, includeTotalCount: false, includeDeleted: false, id: undefined, single: undefined,
  });
  const parts = new Query('items');
  parts.usualTake = 50;
  assert.deepEqual([parts.getComponents().take, parts.getComponents().filters, parts.toMessage().top], [50, null, null]);
  // What was looked at and is set again changes nothing.
  const before = query.toMessage();
  assert.deepEqual(query.setComponents(query.getComponents()).toMessage(), before);
  query.setComponents({ filters: 'f eq 2', ordering: { g: true }, selections: [], skip: 3, take: null, includeDeleted: true });
  const { own, added, orderby, select, skip, top, includeDeleted } = query.toMessage();
  assert.deepEqual([own, added, orderby, select, skip, top, includeDeleted], [null, ['f eq 2'], 'g', null, 3, null, true]);
  for (const wrong of [null, [], { filter: 'a' }, { filters: { type: 'x' } }, { projection: () => {} }, { skip: -1 }]) {
    assert.throws(() => query.setComponents(wrong), TypeError, JSON.stringify(wrong));
  }
});

test('a row that is meant is part of the filter that is shown, and none that is sent', () => {
  const query = new Query('items').where({ a: 1 });
  Object.assign(query, { id: "it's", single: true });
  assert.equal(query.getComponents().filters, "((id eq 'it''s') and (a eq 1))");
  assert.deepEqual(query.toMessage().added, ['(a eq 1)']);
  assert.deepEqual([query.copy().id, query.copy().single], ["it's", true]);
});

test('OData of the SDK is a query in texts', () => {
  const { queries } = requireOurs('./azure-mobile-apps');
  const query = Query.from({ filter: 'n gt 2', skip: 1, select: 'a' }, 'items').where({ b: 'x' }).orderBy('a').take(3);
  assert.deepEqual(queries.toOData(query), {
    table: 'items', filters: "((n gt 2) and (b eq 'x'))", ordering: 'a', orderClauses: 'a', skip: 1, take: 3,
    selections: 'a', includeTotalCount: false, includeDeleted: false,
  });
  assert.throws(() => queries.toOData(new Query('items').where('a eq 1) or (1 eq 1')), /no condition by itself/);
});

test('what a script selects is added to what is selected', () => {
  const query = Query.from({ select: 'shelf, id' }).select('id', 'title').select('weight');
  assert.equal(query.toMessage().select, 'shelf,id,title,weight');
});

test('a value too many is an error', () => {
  for (const method of ['skip', 'take', 'top']) assert.throws(() => new Query('items')[method](1, 2), /takes one value/);
  for (const method of ['includeTotalCount', 'includeDeleted']) {
    assert.throws(() => new Query('items')[method](true, { a: 1 }), /takes one value/);
  }
  assert.throws(() => new Query('items').orderBy({ a: 1 }), /named by texts/);
  assert.throws(() => new Query('items').select(5), /named by texts/);
});
