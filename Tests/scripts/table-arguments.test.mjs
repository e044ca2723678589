// Arguments that would narrow what is done with other tables, and aren't known: errors, and nothing is asked of the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, tableWith, Worker } from './kit.mjs';

const { Query } = requireOurs('./query');

/** What a line of a script asks of the server, and the words of its error. */
async function trial(context, lines, rows = []) {
  const source = lines.map((line) => `[${JSON.stringify(line)}, async (t, queries) => ${line}]`).join(',\n');
  const code = `const { queries } = require('azure-mobile-apps');
    const lines = [${source}];
    table.insert(async (c) => {
      try {
        return { value: await lines[c.item.n][1](c.tables('other'), queries) ?? null };
      } catch (error) {
        return { error: error.message };
      }
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, {
    answer: ({ rowID, item }) => (rowID === undefined && item === undefined
      ? { ok: true, rows, dates: [] } : { ok: true, row: { id: 'a', version: 'v1', owner: 'x' }, dates: [] }),
  });
  const results = [];
  for (let n = 0; n < lines.length; n++) {
    const before = worker.asks.length;
    const { body } = await worker.table('insert', { item: { n } });
    results.push({ line: lines[n], ...body, asks: worker.asks.slice(before) });
  }
  return results;
}

const REFUSED = [
  't.update({ id: "a", text: "x" }, queries.create("other").where({ owner: undefined }))',
  't.update({ id: "a", text: "x" }, { owner: undefined })', 't.update({ id: "a" }, 0)', 't.update({ id: "a" }, [])',
  't.update({ id: "a" }, { a: 1 }, "x")', 't.update({ text: "x" })', 't.update()',
  't.update(null)', 't.update([{ id: "a" }])', 't.update("a")', 't.update({ id: { owner: "x" } })',
  't.update({ id: "a", version: 1 })', 't.update({ id: "" })',
  't.delete({ id: "a", owner: undefined })', 't.delete({ id: "a", owner: {} })', 't.delete({ owner: "x" }, 5)',
  't.delete({ n: Number("x") })', 't.delete(t.where({ n: undefined }))',
  't.delete(t.where("n eq ?", undefined))', 't.delete(t.where(function (n) { return this.n === n; }, NaN).take(3))',
  't.delete(null)', 't.delete()', 't.delete(undefined)', 't.delete({})',
  't.delete([])', 't.delete(["a"])', 't.delete("")', 't.delete(NaN)', 't.delete(true)', 't.delete("a", 5)',
  't.delete("a", { owner: "x" })', 't.delete("a", "v1", "x")', 't.delete({ id: "a", version: "v1" }, "v2")',
  't.delete({ owner: undefined })', 't.delete(queries.create("other"))', 't.delete(t.where({}))', 't.delete(new Date(0))',
  't.delete({ id: undefined })', 't.delete({ id: null, version: "v1" })', 't.del({ id: "a", owner: NaN })',
  't.undelete({ id: "a", owner: undefined })', 't.undelete({})', 't.undelete()', 't.undelete("a", 5)',
  't.undelete(t.where({ owner: undefined }))', 't.undelete("a", "v1", {})',
  't.read([])', 't.read([{ owner: "x" }])', 't.read(5)', 't.read(null)', 't.read(t.where({ a: 1 }), { owner: "x" })',
  't.read({ owner: "x" }, 1)', 't.where({ a: 1 }).read({ owner: "x" })', 't.where([])', 't.where({ a: 1 }, { b: 2 })',
  't.where("a eq ? and b eq ?", 1)', 't.where("a eq ?", 1, 2)', 't.where(new Date(0))', 't.where(null)',
  't.find({ id: "a", owner: "x" })', 't.find(["a"])', 't.find("a", { owner: "x" })', 't.find("a", "x")',
  't.find("a", {}, "x")', 't.lookup("a", { owner: "x" })', 't.find(false)',
  't.find("a", t.where({ owner: undefined }))', 't.insert({ a: 1 }, { b: 2 })', 't.insert()', 't.insert(null)', 't.insert([{ text: "x" }])', 't.insert("x")', 't.truncate({ owner: "x" })',
  't.truncate(t.where({ owner: "x" }))',
  // As the query of a request for one row, which is copied.
  't.delete(Object.assign(t.where({ owner: undefined }), { id: "a" }))',
  't.undelete(Object.assign(t.where("n eq ?", NaN), { id: "a" }))',
  't.update({ id: "a" }, Object.assign(t.where({ owner: undefined }), { id: "a" }))',
  // Of one row.
  't.update({ id: "a" }, t.where({ a: 1 }).take(0))', 't.update({ id: "a" }, t.skip(1))', 't.find("a", t.take(0))',
  // Objects that say something, and none of it in names.
  't.update({ id: "a" }, Promise.resolve({ owner: "x" }))', 't.update({ id: "a" }, new Map([["owner", "x"]]))',
  't.read(Promise.resolve({ owner: "x" }))', 't.where(new Set(["x"])).read()', 't.find("a", t.where(new (class Own {})()))',
];

test('an argument that narrows and isn\'t known is an error, and nothing is done', async (context) => {
  for (const { line, error, asks } of await trial(context, REFUSED)) {
    assert.ok(error, `${line} was taken`);
    assert.deepEqual(asks, [], `${line} asked the server`);
    assert.doesNotMatch(error, /undefined \(reading|is not a function/, line);
  }
});

test('what is known asks for just that', async (context) => {
  const taken = [
    ['t.delete("a")', 'delete', { rowID: 'a', version: null }],
    ['t.delete(7)', 'delete', { rowID: 7, version: null }],
    ['t.delete("a", "v1")', 'delete', { rowID: 'a', version: 'v1' }],
    ['t.delete({ id: "a" }, "v1")', 'delete', { rowID: 'a', version: 'v1' }],
    ['t.delete({ id: "a", version: "v1" })', 'delete', { rowID: 'a', version: 'v1' }],
    ['t.del({ id: "a" })', 'delete', { rowID: 'a', version: null }],
    ['t.find("a").then((row) => t.delete(row))', 'delete', { rowID: 'a', version: 'v1' }],
    ['t.undelete("a")', 'undelete', { rowID: 'a', version: null }],
    ['t.undelete({ id: "a", version: "v1" })', 'undelete', { rowID: 'a', version: 'v1' }],
    ['t.update({ id: "a", text: "x" })', 'update', { rowID: 'a', version: null }],
    ['t.update({ id: "a", version: "v1" })', 'update', { rowID: 'a', version: 'v1' }],
    ['t.find("a", { includeDeleted: true })', 'read', { rowID: 'a', query: { includeDeleted: true } }],
    ['t.truncate()', 'truncate', {}],
    ['t.update({ id: "a", text: "x" }, t.where({ owner: "x" }))', 'update', { rowID: 'a', added: ["(owner eq 'x')"] }],
    ['t.update({ id: "a" }, queries.create("other").where({ owner: "x" }))', 'update', { added: ["(owner eq 'x')"] }],
    ['t.update({ id: "a", version: "v1" }, { owner: "x" })', 'update', { version: 'v1', added: ["(owner eq 'x')"] }],
    ['t.update({ id: "a" }, function () { return this.n > 1; })', 'update', { rowID: 'a', added: ['(n gt 1)'] }],
    ['t.delete({ id: "a", owner: "x" })', 'delete', { rowID: 'a', version: null, added: ["(owner eq 'x')"] }],
    ['t.delete({ id: "a", owner: "x" }, "v1")', 'delete', { rowID: 'a', version: 'v1', added: ["(owner eq 'x')"] }],
    ['t.delete({ owner: "x" }, "v1")', 'delete', { rowID: undefined, version: 'v1', added: ["(owner eq 'x')"] }],
    ['t.delete(t.where({ owner: "x" }), "v1")', 'delete', { version: 'v1', added: ["(owner eq 'x')"] }],
    ['t.delete(function () { return this.owner === "x"; })', 'delete', { version: null, added: ["(owner eq 'x')"] }],
    ['t.undelete({ id: "a", owner: "x" })', 'undelete', { rowID: 'a', added: ["(owner eq 'x')"] }],
    ['t.undelete({ owner: "x" })', 'undelete', { rowID: undefined, added: ["(owner eq 'x')"] }],
    ['t.undelete(t.where({ owner: "x" }), "v1")', 'undelete', { version: 'v1', added: ["(owner eq 'x')"] }],
    ['t.find("a", t.where({ owner: "x" }))', 'read', { rowID: 'a', added: ["(owner eq 'x')"] }],
  ];
  const results = await trial(context, taken.map(([line]) => line));
  for (const [index, [line, operation, members]] of taken.entries()) {
    const { error, asks } = results[index];
    assert.equal(error, undefined, line);
    const { operation: asked, ...last } = asks.at(-1);
    assert.equal(asked, operation, line);
    for (const [name, value] of Object.entries(members)) {
      const had = name === 'added' ? last.query.added : last[name];
      assert.deepEqual(had, value, `${line}: ${name}`);
    }
  }
});

test('conditions of every form reach the server, and a row without an id is none', async (context) => {
  const lines = [
    't.read({ owner: "x" })', 't.read("owner eq \'x\'")', 't.read(t.where({ owner: "x" }))',
    't.read(function () { return this.owner === "x"; })', 't.where({ owner: "x" }).read()', 't.read()',
    't.find(undefined)',
  ];
  const results = await trial(context, lines);
  for (const { line, error } of results) assert.equal(error, undefined, line);
  for (const { asks } of results.slice(0, 5)) assert.match(asks[0].query.added.join(), /owner eq 'x'/);
  assert.deepEqual([results[5].asks[0].query.own, results[5].asks[0].query.added], [null, []]);
  assert.deepEqual(results[6].asks, []);
});

test('a delete by a condition is one request, whatever it selects, and gives what is gone', async (context) => {
  const line = 't.delete(t.where({ owner: "x" }).select("text"))';
  for (const [rows, value] of [[[{ id: 'a' }], { id: 'a' }], [[{ id: 'a' }, { id: 'b' }], [{ id: 'a' }, { id: 'b' }]]]) {
    const [{ error, asks, value: given }] = await trial(context, [line], rows);
    assert.equal(error, undefined);
    assert.deepEqual([asks.length, asks[0].operation, asks[0].query.select], [1, 'delete', null]);
    assert.deepEqual(given, value);
  }
});

test('a row that the server gave stands for itself whatever became of its list, and no other object does', async (context) => {
  const code = `let kept;
    table.insert(async (c) => {
      const t = c.tables('other');
      if (kept) {
        await t.delete(kept);
        return [{}];
      }
      const rows = await t.read();
      kept = rows[0];
      rows.push({ id: 'own', owner: 'x' });
      rows[1] = { ...rows[1] };
      const [third] = rows.splice(2, 1);
      third.text = 'changed';
      const one = await t.find('a');
      const seen = [...Reflect.ownKeys(one), ...Object.getOwnPropertySymbols(kept)];
      const given = [kept, third, Object.freeze(one)];
      const copies = [structuredClone(kept), JSON.parse(JSON.stringify(kept))];
      const others = [rows[1], rows.at(-1), Object.create(kept), new Proxy(kept, {}), ...copies];
      for (const row of [...given, ...others]) await t.delete(row);
      return [seen];
    });`;
  const row = (id) => ({ id, owner: 'x' });
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, {
    answer: ({ operation, rowID }) => (operation === 'read' && rowID === undefined
      ? { ok: true, rows: [row('a'), row('b'), row('c'), row('d')], dates: [] } : { ok: true, row: row('a'), dates: [] }),
  });
  const { body } = await worker.table('insert', { item: {} });
  assert.deepEqual(body, [['id', 'owner']]);
  await worker.table('insert', { item: {} });
  const deletes = worker.asks.filter((ask) => ask.operation === 'delete');
  const asked = deletes.map(({ rowID, query }) => [rowID, query?.added ?? []]);
  const condition = ["(owner eq 'x')"];
  assert.deepEqual(asked, [
    ['a', []], ['c', []], ['a', []], ['b', condition], ['own', condition], ['a', condition], ['a', condition],
    ['a', condition], ['a', condition], ['a', []],
  ]);
});

test('a table that nobody has defined throws, with its name', async (context) => {
  const code = `table.insert((c) => [['ITEMS', 'other', 'nope', '', undefined].map((name) => {
      try { c.tables(name); return null; } catch (error) { return error.message; }
    })]);`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const { body } = await worker.table('insert', { item: {}, tables: 'items other' });
  assert.deepEqual(body[0], [
    null, null, "The table 'nope' does not exist.", "The table '' does not exist.", "The table 'undefined' does not exist.",
  ]);
});

test('includeDeleted(false) includes none', () => {
  assert.equal(new Query('items').includeDeleted(false).toMessage().includeDeleted, false);
  assert.equal(new Query('items').includeDeleted().toMessage().includeDeleted, true);
});

test('tables of Mobile Services take callbacks and options that they know', async (context) => {
  const refused = [
    't.update({ id: "a" }, { where: { owner: "x" } })', 't.update({ id: "a" }, t.where({ owner: "x" }))',
    't.update({ id: "a" }, {}, { owner: "x" })', 't.update([])', 't.del("a", { owner: "x" })', 't.del({ owner: "x" })',
    't.del([])', 't.del()', 't.del(t.where({ owner: "x" }))', 't.del("a", "v1")', 't.undelete("a", { owner: "x" })',
    't.read({ owner: "x" })', 't.read([])', 't.read(null, { success: function () {} })',
    't.where({ owner: "x" }).read({ where: "a eq 1" })', 't.where({ a: 1 }, { b: 2 })', 't.lookup("a", { owner: "x" })',
    't.lookup({ id: "a" })', 't.insert([])', 't.insert()', 'mssql.query("SELECT 1", [], {}, { owner: "x" })',
    'mssql.queryRaw("SELECT 1", [1], function () {}, 5)',
  ];
  const code = `exports.get = function (request, response) {
      var lines = [${refused.map((line) => `function (t) { return ${line}; }`).join(',\n')}];
      var told = lines.map(function (line) {
        try { line(tables.getTable('other')); return null; } catch (error) { return error.message; }
      });
      response.send(200, told);
    };`;
  const worker = await Worker.start(context, { 'service/api/tried.js': code }, { form: 'service' });
  const user = { level: 'admin' };
  const answer = await worker.call({ kind: 'api', name: 'tried', path: [], body: '', user });
  assert.equal(answer.status, 200);
  const told = JSON.parse(Buffer.from(answer.body, 'base64').toString());
  for (const [index, line] of refused.entries()) assert.ok(told[index], `${line} was taken`);
  assert.deepEqual(worker.asks, []);
});
