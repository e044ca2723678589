// The rules of a table's definition: they narrow, change and hear, and one that is none is an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, tableWith, Worker } from './kit.mjs';

const { Query } = requireOurs('./query');
const { filtered, hasRules, tell, transformed } = requireOurs('./table-rules');

test('filters narrow a copy of the query, each the one before', () => {
  const table = { filters: [(query) => query.where({ a: 1 }), () => undefined, (query) => { query.where({ b: 2 }); }] };
  const query = new Query('items').where({ c: 3 });
  assert.deepEqual(filtered(table, query, {}).added, ['(c eq 3)', '(a eq 1)', '(b eq 2)']);
  assert.deepEqual(query.added, ['(c eq 3)']);
  assert.equal(filtered({}, query, {}), query);
});

test('what is no filter opens nothing', () => {
  const query = new Query('items');
  for (const filter of [() => Promise.resolve(query), () => 'a eq 1', () => ({ where: 1 }), () => { throw new Error('no'); }]) {
    assert.throws(() => filtered({ filters: filter }, query, {}));
  }
  for (const filters of ['a eq 1', [null], [{}], 5]) assert.throws(() => hasRules({ filters }), /are functions/);
});

test('transforms change an item or give another one', () => {
  const table = { transforms: [(item) => { item.a = 1; }, (item) => ({ ...item, b: item.a + 1 })] };
  assert.deepEqual(transformed(table, { c: 3 }, {}), { c: 3, a: 1, b: 2 });
});

test('hooks hear what came of it, an insert as a create, and of which table', () => {
  const heard = [];
  const table = { name: 'items', hooks: (results, context) => heard.push([results, context.operation, context.table.name, context.user]) };
  const context = { operation: 'read', table: { name: 'other' }, user: 'u' };
  tell(table, 1, context, 'insert');
  tell(table, 2, context);
  tell(table, 3, undefined, 'delete');
  assert.deepEqual(heard, [[1, 'create', 'items', 'u'], [2, 'read', 'items', 'u'], [3, 'delete', 'items', undefined]]);
  assert.deepEqual([context.operation, context.table.name], ['read', 'other']);
});

test('an id that is taken shows the row in the way as the filters do', async (context) => {
  const code = `table.insert(async (c) => {
    try {
      await c.tables('other').insert({ id: 'a' });
    } catch (error) {
      return { duplicate: error.duplicate, item: error.item ?? null };
    }
  });`;
  const filter = 'table.filters = [(query) => query.where({ owner: "me" })];';
  const row = { id: 'a', owner: 'them' };
  for (const [rules, found, item] of [[filter, null, null], [filter, row, row], ['', null, row]]) {
    const files = { 'tables/items.js': tableWith(code), 'tables/other.js': tableWith(rules) };
    const worker = await Worker.start(context, files, {
      answer: ({ operation }) => (operation === 'read' ? { ok: true, row: found, dates: [] }
        : { ok: false, error: { code: 'duplicate', status: 409, message: 'taken', row, dates: [] } }),
    });
    const { body } = await worker.table('insert', { item: {} });
    assert.deepEqual(body, { duplicate: true, item });
    const read = worker.asks.find(({ operation }) => operation === 'read');
    assert.deepEqual(read?.query.added, rules ? ["(owner eq 'me')"] : undefined);
  }
});

test('an operation that hooks want to hear of is not handed over', async (context) => {
  const code = 'table.hooks = [(results) => { results.heard = true; }];';
  const files = { 'tables/items.js': tableWith(code), 'tables/plain.js': tableWith('table.insert((c) => c.execute());') };
  const worker = await Worker.start(context, files, { answer: () => ({ ok: true, row: { id: 'a' }, dates: [] }) });
  const answer = await worker.table('insert', { item: {} });
  assert.deepEqual([answer.kind, answer.body], ['value', { id: 'a', heard: true }]);
  assert.equal((await worker.table('insert', { table: 'plain', item: {} })).kind, 'execute');
});

test('a table whose filter breaks answers nothing of it', async (context) => {
  const code = "table.filters = [() => { throw new Error('closed'); }];";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  for (const [operation, message] of [['read', { query: {} }], ['read', { rowID: 'a' }], ['update', { rowID: 'a', item: {} }],
    ['delete', { rowID: 'a' }], ['undelete', { rowID: 'a' }]]) {
    const answer = await worker.table(operation, message);
    assert.ok(['failed', 'error', 'http'].includes(answer.kind) && (answer.status ?? 500) === 500, `${operation}: ${JSON.stringify(answer)}`);
  }
  assert.deepEqual(worker.asks, []);
});

test('a statement is run as it says, and none that says what isn\'t known', async (context) => {
  const code = `table.insert(async (c) => {
      const lines = [
        () => c.data.execute('SELECT 1'), () => c.data.execute({ sql: 's', parameters: { a: 1 } }),
        () => c.data.execute({ sql: 's', parameters: [{ name: '@a', value: undefined, type: 'int' }] }),
        () => c.data.execute({ sql: 's', multiple: true }), () => c.data.execute({ sql: 's', transform: (rows) => rows.length }),
        () => c.data.execute({ sql: 's', noop: 1 }), () => c.data.execute({ sql: 's' }, 1), () => c.data.execute(),
        () => c.data.execute({ sql: 's', transform: 1 }), () => c.data.execute({ sql: 's', parameters: [{ value: 1, nmae: 'a' }] }),
      ];
      return { told: await Promise.all(lines.map((line) => line().catch((error) => error.message))) };
    });`;
  const results = [
    { columns: ['a'], rows: [{ a: 1 }], dates: [], affected: 0 }, { columns: [], rows: [], dates: [], affected: 3 },
    { columns: ['b'], rows: [], dates: [], affected: 0 },
  ];
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, { answer: () => ({ ok: true, results }) });
  const { told } = (await worker.table('insert', { item: {} })).body;
  assert.deepEqual(told.slice(0, 5), [[], [], [], [[{ a: 1 }], []], 0]);
  for (const words of told.slice(5)) assert.match(words, /data\.execute/);
  assert.deepEqual(worker.asks.map(({ parameters }) => parameters), [{}, { a: 1 }, { a: null }, {}, {}]);
});

test('SQL finds a table by the name that it had in the old database, and leaves texts alone', async (context) => {
  const sql = "SELECT s.n, [shed_stock].n, 'shed_stock' AS t /* shed_stock */ FROM Shed_Stock AS s WHERE @shed_stock = other -- shed_stock";
  const code = `table.databaseTableName = 'shed_stock';
    table.insert((c) => c.data.execute({ sql: ${JSON.stringify(sql)} }));`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, { answer: () => ({ ok: true, results: [] }) });
  await worker.table('insert', { item: {} });
  assert.equal(worker.asks[0].sql,
    "SELECT s.n, items.n, 'shed_stock' AS t /* shed_stock */ FROM items AS s WHERE @shed_stock = other -- shed_stock");
});
