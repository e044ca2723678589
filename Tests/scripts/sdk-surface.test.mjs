// What the SDK's own objects and modules can do, as projects use them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, Worker } from './kit.mjs';

const { makeTable } = requireOurs('./v2-table');
const { promises } = requireOurs('./azure-mobile-apps');

test('a definition of a table can be one chain', () => {
  const table = makeTable();
  const functions = Array.from({ length: 4 }, (_, place) => () => place);
  const [read, insert, before, around] = functions;
  assert.equal(table.read(read).insert(insert).read.use(before, table.operation).use(around, table.execute), table);
  assert.deepEqual([table.read.body, table.insert.body], [read, insert]);
  assert.deepEqual(table.read.middleware, [before, table.operation]);
  assert.deepEqual(table.middleware, [around, table.execute]);
  assert.equal(table.delete(), table);
  assert.equal(table.delete.body, undefined);
});

test('promises of the SDK', async () => {
  const { create, isPromise, resolved, rejected, series, sleep, wrap, getConstructor } = promises;
  assert.deepEqual([isPromise(resolved()), isPromise({ then() {} }), isPromise({}), isPromise(null)], [true, true, false, false]);
  assert.equal(await sleep(1, 'rested'), 'rested');
  assert.equal(await create((resolve) => resolve(7)), 7);
  await assert.rejects(rejected(new Error('no')), /no/);
  const order = [];
  const each = async (item, place) => { order.push(place); return item * 2; };
  assert.deepEqual([await series([1, 2, 3], each), order], [[2, 4, 6], [0, 1, 2]]);
  assert.deepEqual(await series(undefined, each), []);
  const adder = { by: 3, add(value, done) { done(null, value + this.by); } };
  assert.equal(await wrap(adder.add, adder)(4), 7);
  assert.equal(getConstructor(), Promise);
});

test('settings and devices have modules of their own', async (t) => {
  const code = `const configuration = require('azure-mobile-apps/src/configuration');
const notifications = require('azure-mobile-apps/src/notifications');
exports.get = async (req, res) => {
  const whole = configuration.from().defaults().file().environment().object({ pageSize: 7 }).apply();
  await notifications(whole.notifications).putInstallation('d1', { platform: 'gcm', tags: ['a'] }, undefined);
  res.json([whole.pageSize, whole.tableRootPath, configuration.defaults().apiRootPath]);
};`;
  const answer = () => ({ ok: true, result: {} });
  const worker = await Worker.start(t, { 'api/set.js': code }, { answer });
  const { body } = await worker.call({ kind: 'api', name: 'set', path: [], body: '' });
  assert.deepEqual(JSON.parse(Buffer.from(body, 'base64').toString()), [7, '/tables', '/api']);
  const [{ do: kind, message }] = worker.asks;
  assert.deepEqual([kind, message.method, message.arguments[0].installationId], ['push', 'createOrUpdateInstallation', 'd1']);
});
