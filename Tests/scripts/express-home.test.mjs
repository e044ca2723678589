// The Express that scripts run on, and what becomes of them where there is none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequire } from 'node:module';
import { tableWith, Worker } from './kit.mjs';

const flags = ['--require', createRequire(import.meta.url).resolve('./without-express.cjs')];
const LACK = /needs Express, and neither the folder nor the system has it: .*apt-get install node-express/;

test('without Express a folder has no APIs, and tables as far as they look at no request', async (context) => {
  const files = {
    'tables/items.js': tableWith("table.insert((context) => { context.item.a = 1; return context.execute(); });"
      + 'table.read((context) => context.req.query);'),
    'tables/old.insert.js': 'function insert(item, user, request) { request.execute(); }',
    'api/first.js': 'exports.get = (req, res) => res.json({});',
    'api/second.js': 'exports.get = function (request, response) { response.send(200); };',
  };
  const worker = await Worker.start(context, files, { flags });
  const { faults, apis } = worker.inventory;
  assert.deepEqual(apis, []);
  assert.deepEqual(faults.map(({ file, fatal }) => [file, fatal]),
    [['tables/items.js', false], ['api/first.js', true], ['api/second.js', true]]);
  for (const { message } of faults) assert.match(message, LACK);
  assert.deepEqual(await worker.table('insert', { item: {} }), { kind: 'execute', set: { a: 1 }, unset: [] });
  const failed = await worker.table('read');
  assert.deepEqual([failed.kind, LACK.test(failed.message)], ['failed', true]);
  assert.equal((await worker.call({ kind: 'table', table: 'old', generation: 'v1', operation: 'insert', item: {} })).kind, 'execute');
});

test('without Express a project does not start', async (context) => {
  const worker = await Worker.start(context, { 'app.js': "require('express')();" }, { form: 'app', flags });
  const [{ file, fatal, message }, ...more] = worker.inventory.faults;
  assert.deepEqual([file, fatal, more.length], ['app.js', true, 0]);
  assert.match(message, LACK);
});

test('without Express a service with APIs does not start, and one without has its tables', async (context) => {
  const tables = { 'service/table/old.insert.js': 'function insert(item, user, request) { request.execute(); }' };
  const bare = await Worker.start(context, tables, { form: 'service', flags });
  assert.deepEqual([bare.inventory.faults, bare.inventory.tables.length], [[], 1]);
  const files = { ...tables, 'service/api/first.js': 'exports.get = function (q, r) { r.send(200); };' };
  const { inventory } = await Worker.start(context, files, { form: 'service', flags });
  assert.deepEqual(inventory.faults.map(({ file, fatal }) => [file, fatal]), [['service/api/first.js', true]]);
  assert.match(inventory.faults[0].message, LACK);
});

test('a folder may bring its own', async (context) => {
  const own = "const express = require('/usr/share/nodejs/express');\nexpress.request.own = true;\nmodule.exports = express;";
  const files = {
    'node_modules/express/index.js': own,
    'tables/items.js': tableWith('table.read((context) => ({ own: context.req.own }));'),
  };
  const worker = await Worker.start(context, files);
  assert.deepEqual((await worker.table('read')).body, { own: true });
});
