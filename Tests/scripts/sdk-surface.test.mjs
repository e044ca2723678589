// What the SDK's own objects and modules can do, as projects use them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

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
