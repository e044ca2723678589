// Columns of the server's own that a project names in its definitions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, Worker } from './kit.mjs';

const { withoutKept } = requireOurs('./kept-columns');

const read = (definition) => {
  const told = [];
  return { ...withoutKept(definition, (message) => told.push(message)), told };
};

test('columns and first rows without what the server keeps', () => {
  const columns = { id: 'string', Title: 'string', CreatedAt: 'date', updatedAt: 'date', version: 'string', deleted: 'boolean' };
  const seed = [
    { id: 'a', Title: 'x', createdAt: '2016-01-01T00:00:00.000Z', version: 'MQ==', deleted: false },
    { id: 'b', Title: 'gone', deleted: true },
    { Title: 'y' },
  ];
  const { told, ...made } = read({ columns, seed, softDelete: true });
  assert.deepEqual(made, { columns: { Title: 'string' }, seed: [{ id: 'a', Title: 'x' }, { Title: 'y' }], softDelete: true });
  assert.equal(told.length, 2);
  assert.match(told[0], /names id, CreatedAt, updatedAt, version, deleted among its columns/);
});

test('what names none of them stays as it is', () => {
  for (const definition of [{}, { columns: { versions: 'string' }, seed: [{ id: 'a', deletedBy: 'b' }] }, { seed: 'rows.jsonl' }, { columns: [] }]) {
    assert.deepEqual(read(definition), { ...definition, told: [] });
  }
});

test('a project is told of them and served', async (t) => {
  const app = "const app = require('express')(), mobile = require('azure-mobile-apps')();\n"
    + "mobile.tables.add('items', { columns: { id: 'string', text: 'string' } });\napp.use(mobile);\napp.listen(1);";
  const { inventory } = await Worker.start(t, { 'app.js': app }, { form: 'app' });
  assert.deepEqual(inventory.tables[0].definition.columns, { text: 'string' });
  const [{ file, fatal, message }] = inventory.faults;
  assert.deepEqual([file, fatal], ['app.js', false]);
  assert.match(message, /names id among its columns/);
});
