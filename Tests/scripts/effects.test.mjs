// What scripts do beside what they ask of the server is noted before they do it: such a call is never begun anew.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker, tableWith } from './kit.mjs';

const EFFECTS = {
  'a file at once': "fs.appendFileSync('a', 'x')",
  'a file': "await util.promisify(fs.writeFile)('b', 'x')",
  'a file by promises': "await fs.promises.appendFile('c', 'x')",
  'a file of a module': "await (await import('node:fs/promises')).writeFile('d', 'x')",
  'a file that was opened': "fs.closeSync(fs.openSync('e', 'w'))",
  'a stream that another began': "stream.write('x')",
  'a folder': "fs.mkdirSync('f')",
  'a request': 'await new Promise((r) => http.get(c.item.url, (answer) => answer.resume().on(\'end\', r)))',
  'a request by a class': 'new http.ClientRequest(c.item.url).on(\'error\', () => {}).end()',
  fetch: 'await (await fetch(c.item.url)).text()',
  'a socket': 'net.connect(new URL(c.item.url).port).end()',
  'a datagram': "const s = dgram.createSocket('udp4'); s.send('x', 9, '127.0.0.1', () => s.close())",
  'a process': "childProcess.execSync('true')",
  'a process that goes on': "childProcess.spawn('true')",
  'a thread': "new workers.Worker('', { eval: true })",
};
const NONE = {
  'a file that is read': "fs.readFileSync(__filename); await fs.promises.readFile(__filename); fs.existsSync('a')",
  'a file that is opened to read': 'fs.closeSync(fs.openSync(__filename))',
  'a row that is read': "await c.tables('other').find('a')",
  'a wait': 'await new Promise((r) => setTimeout(r, 5))',
  'a line': "console.log('fine')",
};

const ways = Object.entries({ ...EFFECTS, ...NONE })
  .map(([how, code]) => `${JSON.stringify(how)}: async (c) => { ${code}; }`).join(',\n');
const code = `
  const childProcess = require('child_process'), dgram = require('dgram'), fs = require('fs'), http = require('http');
  const net = require('net'), util = require('util'), workers = require('worker_threads');
  const stream = fs.createWriteStream('stream');
  const ways = {\n${ways}\n};
  table.insert(async (c) => {
    if (c.item.after) await c.tables('other').find('a');
    await ways[c.item.how](c);
    return { done: c.item.how };
  });`;

async function served(test) {
  let count = 0;
  const server = createServer((request, answer) => { count += 1; answer.end('fine'); });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => { server.closeAllConnections(); server.close(); });
  return { url: `http://127.0.0.1:${server.address().port}/`, count: () => count };
}

test('a call that does what another can notice says so, and one that reads does not', async (context) => {
  const { url } = await served(context);
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(code) }, { marks: true });
  for (const how of [...Object.keys(NONE), ...Object.keys(EFFECTS)]) {
    const id = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: { how, url } });
    const end = await worker.next((message) => message.t === 'done' && message.id === id);
    assert.equal(end.answer.body?.done, how, JSON.stringify(end.answer));
    const { alone, withAll } = worker.hasActed(id);
    assert.equal(alone, how in EFFECTS, how);
    if (how in NONE) assert.ok(!withAll, how);
  }
});

test('a call that another worker does does nothing any more', async (context) => {
  const { url, count } = await served(context);
  const worker = await Worker.start(
    context, { 'tables/items.js': tableWith(code) }, { marks: true, answer: () => undefined });
  for (const how of Object.keys(EFFECTS)) {
    const id = worker.begin({ kind: 'table', table: 'items', operation: 'insert', item: { how, url, after: true } });
    const ask = await worker.next((message) => message.t === 'ask' && message.id === id);
    worker.move(id);
    worker.send({ t: 'reply', id, k: ask.k, ok: true, row: null, dates: [] });
  }
  worker.send({ t: 'ping' });
  await worker.next((message) => message.t === 'pong');
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(count(), 0);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) assert.ok(!existsSync(join(worker.root, name)), name);
  assert.equal(readFileSync(join(worker.root, 'stream'), 'utf8'), '');
  assert.ok(!worker.messages.some((message) => message.t === 'done'));
});

test('what goes by a connection that calls share is done by all of them', async (context) => {
  const { url } = await served(context);
  const shared = `
    const net = require('net');
    const waiting = [];
    let socket;
    table.insert(async (c) => {
      if (c.item.opens) {
        socket = net.connect(new URL(c.item.url).port);
        await new Promise((r) => socket.once('connect', r));
      } else if (c.item.waits) {
        waiting.push(c.item.waits);
        await new Promise((r) => setTimeout(r, 200));
      } else {
        for (const text of waiting) socket.write(text);
      }
      return {};
    });`;
  const worker = await Worker.start(context, { 'tables/items.js': tableWith(shared) }, { marks: true });
  const begin = (item) => worker.begin({ kind: 'table', table: 'items', operation: 'insert', item });
  const over = (id) => worker.next((message) => message.t === 'done' && message.id === id);
  await over(begin({ opens: true, url }));
  const first = begin({ waits: 'x' });
  await over(begin({}));
  assert.ok(worker.hasActed(first).withAll);
});
