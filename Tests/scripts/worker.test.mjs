// What a worker says to its server.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('what a script has read and gives nobody back is shown to nobody, and what it forgets to return is', async (context) => {
  const bodies = {
    looked: 'async (c) => { const row = await c.execute(); if (row.at === 1) return row; }',
    filtered: '(c) => c.execute().then((row) => (row.at === 1 ? row : undefined))',
    forgotten: '(c) => { c.execute(); }',
    later: '(c) => { c.execute().then(() => setTimeout(() => c.res.json({ seen: 1 }), 20)); }',
  };
  const files = Object.fromEntries(Object.entries(bodies).map(
    ([name, body]) => [`tables/${name}.js`, tableWith(`table.read(${body}); table.update(${body});`)]));
  const worker = await Worker.start(context, files, {
    answer: () => ({ ok: true, row: { id: 'x', at: 2 }, rows: [{ id: 'x', at: 2 }], dates: [] }),
  });
  for (const table of ['looked', 'filtered']) {
    const answer = await worker.table('read', { table, rowID: 'x' });
    assert.deepEqual([answer.kind, answer.status], ['error', 404], table);
    assert.equal((await worker.table('read', { table, query: {} })).body ?? null, null, table);
    assert.equal((await worker.table('update', { table, rowID: 'x', item: {} })).kind, 'result', table);
  }
  assert.equal((await worker.table('read', { table: 'forgotten', rowID: 'x' })).kind, 'result');
  // It answers later.
  assert.deepEqual((await worker.table('read', { table: 'later', query: {} })).body, { seen: 1 });
  assert.deepEqual((await worker.table('update', { table: 'later', rowID: 'x', item: {} })).body, { seen: 1 });
});

test('how many lines were left out is said where no other line follows', async (context) => {
  const code = "table.read((c) => { for (let n = 0; n < 2000; n += 1) console.log(n); return []; });";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  await worker.table('read', { query: {} });
  const { level, id } = await worker.next(({ t, text }) => t === 'log' && text === '1800 more lines were left out');
  assert.deepEqual([level, id], ['warning', null]);
});

test('a thousand calls are under way at once', async (context) => {
  const code = "table.insert(async (c) => { await new Promise((r) => setTimeout(r, 20)); return { n: c.item.n }; });";
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => worker.table('insert', { item: { n } })));
  assert.deepEqual(answers.map((answer) => answer.body.n), Array.from({ length: 1000 }, (_, n) => n));
});

// What would end a process, by the word of an item, with what the call ends with.
const LEFT = {
  rejection: "Promise.reject(new Error('lost'))",
  'rejection of nothing': 'Promise.reject()',
  'error in a timer': "setTimeout(() => { throw new Error('lost'); }, 1)",
  'error in an interval': "{ let n = 0; const t = setInterval(() => { if (++n > 3) clearInterval(t); throw new Error('lost'); }, 1); }",
  'error after a tick': "process.nextTick(() => { throw new Error('lost'); })",
  'error in an immediate': "setImmediate(() => { throw new Error('lost'); })",
  'error in a microtask': "queueMicrotask(() => { throw new Error('lost'); })",
  'error of an emitter': "setTimeout(() => new (require('events'))().emit('error', new Error('lost')), 1)",
  'error behind a wait': "(async () => { await new Promise((r) => setTimeout(r, 2)); throw new Error('lost'); })()",
  'error behind the system': "require('fs').stat('/', () => { throw new Error('lost'); })",
  exit: 'process.exit(3)',
  'exit later': 'setTimeout(() => process.exit(0), 1)',
  abort: 'process.abort()',
  kill: "process.kill(process.pid, 'SIGKILL')",
};

test('what a call leaves to nobody ends it, and no other that is under way', async (context) => {
  const ways = Object.entries(LEFT).map(([how, code]) => `${JSON.stringify(how)}: () => { ${code}; }`).join(',\n');
  const code = `const ways = {\n${ways}\n};
    table.insert(async (c) => {
      const how = c.item.how;
      if (!how) { await new Promise((r) => setTimeout(r, 100)); return { fine: true }; }
      ways[how]();
      return new Promise(() => {});
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  for (const how of Object.keys(LEFT)) {
    const others = [1, 2, 3].map(() => worker.table('insert', { item: {} }));
    const answer = await worker.table('insert', { item: { how } });
    assert.equal(answer.kind, 'failed', how);
    if (how !== 'rejection of nothing') assert.match(answer.stack, /tables\/items\.js:|lost/, how);
    for (const other of others) assert.deepEqual((await other).body, { fine: true }, how);
  }
  assert.ok(!worker.messages.some((message) => message.t === 'broken'));
});

test('what is left to nobody behind an answer is a line of the log, and nothing goes on', async (context) => {
  const code = `table.insert((c) => {
      setTimeout(async () => { setTimeout(() => c.tables('other').insert({ id: 'b' }), 5); throw new Error('late'); }, 5);
      return { fine: true };
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  assert.deepEqual((await worker.table('insert', { item: {} })).body, { fine: true });
  const line = await worker.next((message) => message.t === 'log');
  assert.equal(line.level, 'error');
  assert.match(line.text, /late[^]*tables\/items\.js/);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(worker.asks.length, 0);
});

test('an error that is no call\'s is told once, and the calls under way end', async (context) => {
  // Once the call is under way.
  const code = `let isAsked = false;
    setInterval(() => { if (isAsked) throw new Error('lost'); }, 5);
    table.insert(async () => { isAsked = true; await new Promise((r) => setTimeout(r, 200)); return { fine: true }; });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) });
  const answer = worker.table('insert', { item: {} });
  const broken = await worker.next((message) => message.t === 'broken');
  assert.match(broken.stack, /tables\/items\.js:3/);
  assert.deepEqual((await answer).body, { fine: true });
  assert.equal(worker.messages.filter((message) => message.t === 'broken').length, 1);
  worker.send({ t: 'end' });
  assert.equal(await worker.exit, 0);
});

test('whose code runs is known while it does, and what another process has begun is not begun', async (context) => {
  const code = `table.insert(async (c) => {
      const { existsSync, writeFileSync } = require('fs');
      const spin = () => { writeFileSync('in ' + c.item.when, ''); while (!existsSync('over ' + c.item.when)); };
      if (c.item.when === 'at once') spin();
      if (c.item.when === 'in a timer') await new Promise((r) => setTimeout(() => { spin(); r(); }, 10));
      if (c.item.when === 'behind a wait') { await c.tables('other').find('a'); spin(); }
      return {};
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, { marks: true });
  for (const when of ['at once', 'in a timer', 'behind a wait']) {
    worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: {} });
    const id = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: { when } });
    while (!existsSync(join(worker.root, `in ${when}`))) await new Promise((resolve) => setTimeout(resolve, 2));
    // It is the same as long as that code runs.
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(worker.marks[0], id, when);
    writeFileSync(join(worker.root, `over ${when}`), '');
    await worker.next((message) => message.t === 'done' && message.id === id);
    assert.equal(worker.marks[1], id);
  }
  while (worker.marks[0] !== 0) await new Promise((resolve) => setTimeout(resolve, 2));
  worker.skip(worker.nextCall);
  const skipped = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: {} });
  await worker.next((message) => message.t === 'skipped' && message.id === skipped);
  assert.deepEqual((await worker.table('insert', { item: {} })).body, {});
});

test('what a script makes of rows is answered as JSON has it', async (context) => {
  const code = `table.read(async (c) => {
      const rows = await c.execute();
      if (c.query.parts.top === 1) return { toJSON: () => [...Array(60)].reduce((deep) => [deep], 0) };
      return rows.map((row) => ({ ...row, text: '$& "$1"', big: 10n ** 20n, at: new Date(0), gone: undefined }));
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, {
    answer: () => ({ ok: true, rows: [{ id: 'a' }, { id: 'b' }], count: null, dates: [] }),
  });
  const { kind, body } = await worker.table('read', { query: {} });
  const row = { text: '$& "$1"', big: '100000000000000000000', at: '1970-01-01T00:00:00.000Z' };
  assert.deepEqual([kind, body], ['value', [{ id: 'a', ...row }, { id: 'b', ...row }]]);
  assert.equal((await worker.table('read', { query: { top: 1 } })).kind, 'failed');
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
  worker.send({ t: 'ping' });
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
