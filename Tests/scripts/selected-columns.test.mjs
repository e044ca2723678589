// Columns that a read script selects, of a list and of one row.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableWith, Worker } from './kit.mjs';

const row = { id: 'x', Name: 'Ann', password: 'p', version: 'AAEC' };

for (const [what, body] of Object.entries({
  'handed over': "c.query.select('id', 'name'); return c.execute();",
  'looked at': "c.query.select('id,name'); return c.execute().then((rows) => rows);",
})) {
  for (const form of ['config', 'app']) {
    test(`one row shows what is selected, ${what}, in the form ${form}`, async (t) => {
      const table = tableWith(`table.read((c) => { ${body} });`);
      const app = "const app = require('express')(), mobile = require('azure-mobile-apps')();\n"
        + "mobile.tables.import('tables');\napp.use(mobile);\napp.listen(1);";
      const files = { 'tables/items.js': table, ...(form === 'app' && { 'app.js': app }) };
      const worker = await Worker.start(t, files, { form, answer: () => ({ ok: true, row, dates: [] }) });
      const answer = await worker.table('read', { rowID: 'x' });
      assert.deepEqual([answer.kind, answer.body], ['value', { id: 'x', Name: 'Ann', version: 'AAEC' }]);
    });
  }
}

test('a row that is not narrowed is the server\'s to show, and one that is missing is missing', async (t) => {
  const files = {
    'tables/items.js': tableWith('table.read((c) => c.execute());'),
    'tables/other.js': tableWith("table.read((c) => { c.query.select('id'); return c.execute(); });"),
  };
  const worker = await Worker.start(t, files, { answer: () => ({ ok: true, row, dates: [] }) });
  assert.equal((await worker.table('read', { rowID: 'x' })).kind, 'result');
  worker.answer = () => ({ error: { code: 'missing', status: 404, message: 'none', dates: [] } });
  const missing = await worker.table('read', { table: 'other', rowID: 'x' });
  assert.deepEqual([missing.kind, missing.status], ['error', 404]);
});

test('the server gets the id and the version of a row, and all of one that it looks at itself', async (t) => {
  const files = { 'tables/items.js': tableWith("table.read((c) => { c.query.select('name'); return c.execute(); });") };
  const worker = await Worker.start(t, files, { answer: () => ({ ok: true, row, dates: [] }) });
  assert.deepEqual((await worker.table('read', { rowID: 'x' })).body, { id: 'x', Name: 'Ann', version: 'AAEC' });
  const request = { method: 'PATCH', url: '/tables/items/x', address: '127.0.0.1' };
  const aside = await worker.table('read', { rowID: 'x', aside: true, request });
  assert.equal(aside.kind === 'result' || aside.body?.password === 'p', true);
});
