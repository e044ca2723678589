// Which Node scripts run in, and what projects say of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, Worker } from './kit.mjs';

const { isWithin, refusal } = requireOurs('./node-version');

test('a Node that is too old is refused with a word', () => {
  for (const version of ['v10.24.1', 'v16.20.2', 'v18.4.0', 'v18.17.1']) {
    assert.match(refusal(version), /is too old for scripts: it has to be 18\.18\.0 or later/, version);
  }
  for (const version of ['v18.18.0', 'v18.20.4', 'v20.0.0', 'v24.1.0']) assert.equal(refusal(version), undefined);
});

test('ranges are read as package.json has them', () => {
  const cases = [
    ['>=18', 'v20.1.0', true], ['>= 6.0', 'v20.1.0', true], ['6.x', 'v20.1.0', false], ['~20.1', 'v20.1.9', true],
    ['~20.1', 'v20.2.0', false], ['^20.1.0', 'v20.9.0', true], ['^18', 'v20.0.0', false], ['20', 'v20.4.0', true],
    ['>=4.0.0 <7.0.0', 'v20.0.0', false], ['6 || 20', 'v20.0.0', true], ['4 - 8', 'v20.0.0', false],
    ['*', 'v20.0.0', true],
    ['18 - 20', 'v20.5.0', true], ['', 'v20.0.0', true], ['latest', 'v20.0.0', true], ['v20.0.0', 'v20.0.0', true],
    ['>20.0.0', 'v20.0.0', false], ['<=20', 'v20.7.0', true], ['~0.10', 'v20.0.0', false],
  ];
  for (const [range, version, expected] of cases) {
    assert.equal(isWithin(version, range), expected, `${range} ${version}`);
  }
});

test('what a project asks for is a warning, with its line', async (context) => {
  const files = {
    'app.js': "require('azure-mobile-apps')().tables.add('items', { columns: { a: 'string' } });",
    'package.json': '{\n  "name": "old",\n  "engines": {\n    "node": "~4.2"\n  }\n}',
  };
  const { faults, tables } = (await Worker.start(context, files, { form: 'app' })).inventory;
  assert.deepEqual(faults.map(({ file, line, fatal }) => [file, line, fatal]), [['package.json', 4, false]]);
  assert.match(faults[0].message, /asks for Node ~4\.2; this is v/);
  assert.equal(tables.length, 1);
});

test('that of a Mobile Service is beside its folders of scripts', async (context) => {
  const files = {
    'package.json': '{}', 'service/package.json': '{ "engines":\n{ "node": "~0.10" } }', 'service/table/items.json': '{}',
  };
  const { faults } = (await Worker.start(context, files, { form: 'service' })).inventory;
  assert.deepEqual(faults.map(({ file, line, fatal }) => [file, line, fatal]), [['service/package.json', 2, false]]);
});
