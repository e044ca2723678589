// What a worker says to its server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, tableWith, Worker } from './kit.mjs';

test('frames are read wherever they are cut', () => {
  const { Channel } = requireOurs('./channel');
  const sent = [];
  const out = { write: (bytes) => sent.push(bytes), on() {} };
  new Channel(out).send({ text: 'é'.repeat(300) });
  new Channel(out).send({ n: 2 });
  const bytes = Buffer.concat(sent);
  for (const size of [1, 2, 3, 5, 7, 64, bytes.length]) {
    const heard = [];
    const channel = new Channel({ on() {} }, (message) => heard.push(message));
    for (let at = 0; at < bytes.length; at += size) channel.take(bytes.subarray(at, at + size));
    assert.deepEqual(heard, [{ text: 'é'.repeat(300) }, { n: 2 }], `cut each ${size}`);
  }
});

test('only what a script has changed is written', async (context) => {
  const code = "table.insert((c) => { c.item.a = 1; delete c.item.b; c.item.date = new Date(0); return c.execute(); });";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const answer = await worker.table('insert', { item: { id: 'x', a: 0, b: 2, big: 1e300, kept: 'k' } });
  assert.deepEqual([answer.kind, answer.set, answer.unset],
    ['execute', { a: 1, date: '1970-01-01T00:00:00.000Z' }, ['b']]);
});

test('an operation that is returned is the server\'s to do, and one that is looked at is not', async (context) => {
  const code = `table.read((c) => c.execute());
    table.update(async (c) => { const row = await c.execute(); return row; });
    table.insert(async (c) => { const row = await c.execute(); row.more = 1; return row; });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, {
    answer: () => ({ ok: true, row: { id: 'x', at: '1970-01-01T00:00:00.000Z' }, dates: ['at'] }),
  });
  assert.equal((await worker.table('read', { query: {} })).kind, 'execute');
  assert.equal((await worker.table('update', { rowID: 'x', item: {} })).kind, 'result');
  const changed = await worker.table('insert', { item: {} });
  assert.deepEqual([changed.kind, changed.body],
    ['value', { id: 'x', at: '1970-01-01T00:00:00.000Z', more: 1 }]);
});

test('a thousand calls are under way at once', async (context) => {
  const code = "table.insert(async (c) => { await new Promise((r) => setTimeout(r, 20)); return { n: c.item.n }; });";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => worker.table('insert', { item: { n } })));
  assert.deepEqual(answers.map((answer) => answer.body.n), Array.from({ length: 1000 }, (_, n) => n));
});

test('an error that nobody takes is told, and ends the process', async (context) => {
  const worker = await Worker.start(context, {
    'tables/items.js': tableWith("table.insert((c) => { Promise.reject(new Error('lost')); return new Promise(() => {}); });"),
  });
  const id = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: {} });
  const broken = await worker.next((message) => message.t === 'broken');
  assert.equal(broken.id, id);
  assert.match(broken.stack, /tables\/items\.js:2/);
  assert.equal(await worker.exit, 1);
});

test('members by any name are values', async (context) => {
  const code = "table.insert((c) => { if (({}).polluted) throw new Error('polluted'); return c.execute(); });";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const item = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":"x","hasOwnProperty":2}');
  assert.equal((await worker.table('insert', { item })).kind, 'execute');
  assert.equal((await worker.table('insert', { item: {} })).kind, 'execute');
});

test('lines know their call, and there are not too many of them', async (context) => {
  const code = "table.insert((c) => { for (let i = 0; i < 1000; i++) console.log('line %d', i); return c.execute(); });";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const id = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: {} });
  await worker.next((message) => message.t === 'done');
  const lines = worker.messages.filter((message) => message.t === 'log');
  assert.equal(lines[0].text, 'line 0');
  assert.ok(lines.every((line) => line.id === id));
  assert.ok(lines.length <= 201, `${lines.length}`);
});

test('a call that is given up asks for nothing more, and its answer is not sent', async (context) => {
  const code = `table.insert(async (c) => {
      await c.tables('other').find('a');
      await c.tables('other').insert({ id: 'b' });
      return {};
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, { answer: () => undefined });
  const id = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: {} });
  const ask = await worker.next((message) => message.t === 'ask');
  worker.send({ t: 'cancel', id });
  worker.send({ t: 'reply', id, k: ask.k, ok: true, row: null, dates: [] });
  worker.send({ t: 'ping', n: 7 });
  await worker.next((message) => message.t === 'pong');
  assert.equal(worker.asks.length, 1);
  assert.ok(!worker.messages.some((message) => message.t === 'done'));
});

test('what is wrong with scripts is told by file and line', async (context) => {
  const worker = await Worker.start(context, {
    'tables/good.js': tableWith('table.insert((c) => c.execute());'),
    'tables/syntax.js': 'const a = 1;\nconst b = ;\n',
    'tables/throws.js': '\n\nthrow new Error("at its start");\n',
    'tables/empty.js': '',
    'api/needs.js': "exports.get = (req, res) => {\n  require('not-there');\n};\n",
  });
  const { faults, tables } = worker.inventory;
  assert.deepEqual(tables.map((table) => table.name), ['good']);
  const told = faults.map(({ file, line, fatal }) => [file, line, fatal]).sort();
  assert.deepEqual(told, [
    ['api/needs.js', 2, false], ['tables/empty.js', null, true], ['tables/syntax.js', 2, true],
    ['tables/throws.js', 3, true],
  ]);
});
