// What a project says of its application when that has been read: done, or an error.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tableWith, Worker } from './kit.mjs';

const APP = "const app = require('express')();\nconst mobile = require('azure-mobile-apps')();\n";
const start = (t, text, files = {}) => Worker.start(t, { 'app.js': APP + text, ...files }, { form: 'app' });
const names = ({ inventory }) => inventory.tables.map(({ name }) => name);

test('what the callback of listen does counts', async (t) => {
  const text = `app.listen(1, () => {
  mobile.tables.import('tables');
  mobile.tables.add('more');
  mobile.tables.use((req, res, next) => next());
  app.use(mobile);
});`;
  const worker = await start(t, text, { 'tables/items.js': tableWith('') });
  assert.deepEqual([names(worker), worker.inventory.hasChain], [['items', 'more'], true]);
});

for (const line of [
  "mobile.tables.import('tables')", "mobile.tables.add('more')", "mobile.api.import('api')",
  'mobile.tables.use(guard)', 'mobile.api.use(guard)', 'mobile.use(guard)', 'app.use(guard)', "app.get('/tables/*', guard)",
]) {
  test(`${line} comes too late`, async (t) => {
    const text = `app.use(mobile);
app.listen(1);
const guard = (req, res, next) => next();
const wait = setInterval(() => { if (require('fs').existsSync('read')) { clearInterval(wait); ${line}; } }, 5);`;
    const worker = await start(t, text, { 'tables/items.js': tableWith('') });
    assert.deepEqual([names(worker), worker.inventory.hasChain], [[], false]);
    writeFileSync(join(worker.root, 'read'), '');
    const { stack } = await worker.next(({ t: kind }) => kind === 'broken');
    assert.match(stack, /comes when the project has been read/);
    assert.match(stack, /app\.js:6/);
  });
}

test('where requests come through an application it takes more', async (t) => {
  const text = `app.use((req, res, next) => next());
app.use(mobile);
app.listen(1);
setTimeout(() => { app.get('/late', (req, res) => res.send(String(app.get('x')))); console.log('added'); }, 300);`;
  const worker = await start(t, text);
  assert.equal(worker.inventory.hasChain, true);
  await worker.next(({ t: kind, text: words }) => kind === 'log' && words === 'added');
  const address = { method: 'GET', url: '/late', address: '127.0.0.1' };
  const answer = await worker.call({ kind: 'http', body: '', request: address });
  assert.deepEqual([answer.kind, answer.status], ['http', 200]);
});

test('a promise that fails behind listen takes nothing from the application', async (t) => {
  const text = `mobile.tables.import('tables');
mobile.tables.initialize().then(() => {
  app.use(mobile);
  app.listen(1);
  missing.begin();
});`;
  const worker = await start(t, text, { 'tables/items.js': tableWith('') });
  assert.deepEqual(names(worker), ['items']);
  const [fault] = worker.inventory.faults;
  assert.deepEqual([fault.file, fault.line, fault.fatal], ['app.js', 7, false]);
  assert.match(fault.message, /leaves an error to nobody when it is started: missing is not defined/);
});

test('what is added late to a mobile app that is mounted nowhere harms nobody', async (t) => {
  const text = `mobile.tables.import('tables');
app.use(mobile);
app.listen(1);
const other = require('azure-mobile-apps')();
setTimeout(() => { other.tables.add('more').import('none'); console.log('added'); }, 300);`;
  const worker = await start(t, text, { 'tables/items.js': tableWith('') });
  await worker.next(({ t: kind, text: words }) => kind === 'log' && words === 'added');
  assert.deepEqual(names(worker), ['items']);
  assert.equal(worker.messages.some(({ t: kind }) => kind === 'broken'), false);
});

test('a mobile app that a router leads to is mounted', async (t) => {
  const text = `const inner = require('express').Router();
inner.use(mobile);
app.use(inner);
app.listen(1);
setTimeout(() => mobile.tables.add('more'), 300);`;
  const worker = await start(t, text);
  const { stack } = await worker.next(({ t: kind }) => kind === 'broken');
  assert.match(stack, /comes when the project has been read/);
});
