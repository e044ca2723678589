// What modules and the JSON files of their names say together.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { requireOurs, tableWith, Worker } from './kit.mjs';

const { dataOf, definitionOf } = requireOurs('./table-definition');
const { makeTable } = requireOurs('./v2-table');
const here = dirname(fileURLToPath(import.meta.url));
const TABLE = JSON.parse(readFileSync(join(here, '../Data/permissions.json'), 'utf8'));

/** A table's module, with what a text of code does with it. */
const coded = (code) => {
  const table = makeTable();
  new Function('table', code)(table);
  return { file: 'tables/x.js', value: table, source: code };
};
const written = (text) => ({ file: 'tables/x.json', value: dataOf(text), source: text, isData: true });
const levels = (kind, ...parts) => Object.fromEntries(
  Object.entries(definitionOf(kind, parts).permissions).map(([word, { level }]) => [word, level]));

for (const { name, code, data, levels: expected } of TABLE) {
  test(`who may do what with a table: ${name}`, () => {
    const parts = [...(code === undefined ? [] : [coded(code)]), ...(data ? [written(JSON.stringify(data))] : [])];
    const [read, insert, update, remove, undelete] = expected;
    assert.deepEqual(levels('table', ...parts), { read, insert, update, delete: remove, undelete });
  });
}

test('each permission names the file and the line that say it', () => {
  const code = 'table.access = "authenticated";\ntable.read.access = \'disabled\';\n\ntable.update.authorize = false;';
  const text = '{\n  "columns": { "access": "string" },\n  "delete": {\n    "access": "anonymous"\n  }\n}';
  const { permissions } = definitionOf('table', [coded(code), written(text)]);
  const places = Object.entries(permissions).map(([word, { key, file, line }]) => [word, key, file, line]);
  assert.deepEqual(places, [
    ['read', 'read.access', 'tables/x.js', 2],
    ['insert', 'access', 'tables/x.js', 1],
    ['update', 'update.authorize', 'tables/x.js', 4],
    ['delete', 'delete.access', 'tables/x.json', 4],
    ['undelete', 'access', 'tables/x.js', 1],
  ]);
});

test('the place in an object of code is found, and none where nothing is said', () => {
  const source = "module.exports = {\n  columns: {},\n  read: {\n    access: 'disabled' },\n  authorize: true };";
  const value = { columns: {}, read: { access: 'disabled' }, authorize: true };
  const { permissions } = definitionOf('table', [{ file: 'a.js', value, source }]);
  assert.deepEqual([permissions.read.line, permissions.insert.line], [4, 5]);
  const silent = definitionOf('table', [{ file: 'a.js', value: {}, source: '' }]).permissions.read;
  assert.deepEqual(silent, { level: 'anonymous', key: null, file: 'a.js', line: null });
});

test('what nobody understands lets nobody in, and is told of by file and line', () => {
  const cases = [
    ['{\n "access": "authentcated"\n}', 'disabled', 2],
    ['{\n\n "acess": "authenticated"\n}', 'disabled', 3],
    ['{\n "permission": "user" }', 'disabled', 2],
    ['{\n "authorise": true }', 'disabled', 2],
    ['{ "read": "authenticated" }', 'disabled', 1],
    ['{\n "raed": { "access": "authenticated" } }', 'disabled', 2],
    ['{ "read": {\n "acces": "authenticated" } }', 'disabled', 2],
    ['{ "authorize": "no" }', 'authenticated', undefined],
    ['{ "description": "of the shed",\n "author": "nora" }', 'anonymous', 1],
    ['{ "read": null }', 'anonymous', undefined],
  ];
  for (const [text, level, line] of cases) {
    const { permissions, faults } = definitionOf('table', [written(text)]);
    assert.equal(permissions.read.level, level, text);
    assert.deepEqual([faults[0]?.file, faults[0]?.line], line ? ['tables/x.json', line] : [undefined, undefined], text);
  }
  const code = definitionOf('table', [coded('table.read.authorise = true;')]);
  assert.match(code.faults[0].message, /`read.authorise` is no key of a table, and counts for nothing/);
});

test('a property whose name is written otherwise is told of, and closes its table where data was to keep rows from others', () => {
  for (const [key, meant, level] of [
    ['peruser', 'perUser', 'disabled'], ['perUsr', 'perUser', 'disabled'], ['per_user', 'perUser', 'disabled'],
    ['Visible', 'visible', 'disabled'], ['softdelete', 'softDelete', 'anonymous'], ['useridcolumn', 'userIdColumn', 'anonymous'],
    ['recordExpire', 'recordsExpire', 'anonymous'], ['colunms', 'columns', 'anonymous'],
  ]) {
    const code = definitionOf('table', [coded(`\ntable.${key} = true;`)]);
    const message = `\`${key}\` is no key of a table, and counts for nothing: \`${meant}\` is one`;
    assert.deepEqual(code.faults, [{ file: 'tables/x.js', line: 2, message }], key);
    assert.equal(code.permissions.read.level, 'anonymous');
    const data = definitionOf('table', [written(`{ "${key}": true }`)]);
    assert.equal(data.permissions.read.level, level, key);
    assert.equal(data.faults[0].message, level === 'disabled' ? `\`${key}\` is no key of a table; nobody is let in` : message);
  }
  // Code may keep what it likes with its table.
  const own = coded('table.owner = 1; table.names = []; table.index = 2; table.perUserCount = 3; table.softDelete = () => {};');
  assert.deepEqual(definitionOf('table', [own]).faults, []);
  assert.deepEqual(definitionOf('api', [{ file: 'api/x.js', value: { peruser: true }, source: '' }]).faults, []);
});

test('a configuration is told of what its code misspells, and of its data by the server', async (context) => {
  const { faults, tables } = (await Worker.start(context, {
    'tables/x.js': tableWith("table.acces = 'admin';\ntable.peruser = true;"), 'tables/x.json': '{ "acces": "admin" }',
  })).inventory;
  assert.deepEqual(faults.map(({ file, line, fatal }) => [file, line, fatal]), [['tables/x.js', 2, false], ['tables/x.js', 3, false]]);
  assert.equal(tables[0].definition.access, 'disabled');
});

test('data counts over code key by key, and takes no function away', () => {
  const value = makeTable();
  value.columns = { a: 'string', b: 'string' };
  value.softDelete = true;
  const read = value.read;
  const text = '{ "columns": { "b": "number", "c": "date" }, "softDelete": false, "name": "renamed", "insert": null,'
    + ' "read": { "access": "disabled" }, "seed": [{ "id": "1" }], "__proto__": { "access": "anonymous" } }';
  const defined = definitionOf('table', [{ file: 'x.js', value, source: '' }, written(text)]);
  assert.deepEqual(defined.definition, {
    columns: { a: 'string', b: 'number', c: 'date' }, softDelete: false, seed: [{ id: '1' }], name: 'renamed',
    read: { access: 'disabled' }, access: 'disabled',
  });
  assert.deepEqual([defined.name, defined.value, value.read, value.columns.b], ['renamed', value, read, 'number']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(typeof value.insert, 'function');
});

test('the verbs of an API are as its files say', () => {
  const get = () => {};
  const value = { get, post: [get], put: { 0: get, authorize: false }, access: 'authenticated' };
  const text = '{ "get": { "access": "anonymous" }, "patch": { "disable": true } }';
  const { get: g, post, put, patch, delete: remove } = levels(
    'api', { file: 'api/x.js', value, source: '' }, { ...written(text), file: 'api/x.json' });
  assert.deepEqual([g, post, put, patch, remove],
    ['anonymous', 'authenticated', 'anonymous', 'disabled', 'authenticated']);
  const router = Object.assign(() => {}, Object.create({ get() {} }));
  const guarded = levels('api', { file: 'x.js', value: router, source: '' }, written('{ "access": "admin" }'));
  assert.equal(guarded.get, 'admin');
});

test('a project has its tables as code, as data, as both, renamed and in folders of folders', async (context) => {
  const app = "const m = require('azure-mobile-apps')();\nm.tables.import('./tables');\nm.api.import('api');\n";
  const worker = await Worker.start(context, {
    'app.js': app,
    'tables/both.js': tableWith("table.access = 'authenticated';\ntable.read((c) => c.execute());"),
    'tables/Both.json': '{ "insert": { "access": "disabled" } }',
    'tables/data.json': '\uFEFF{ "name": "renamed", "perUser": true }',
    'tables/deep/er/kept.js': tableWith("table.columns = { a: 'string' };"),
    'tables/deep/kept.json': '{ "access": "admin" }',
    'tables/README.md': 'not read',
    'api/hours.js': 'exports.get = (req, res) => res.json({});\nexports.post = exports.get;',
    'api/hours.json': '{\n "post": { "access": "authenticated" }\n}',
    'api/more/deep.js': 'exports.get = (req, res) => res.json({});',
  }, { form: 'app' });
  const { tables, apis, faults } = worker.inventory;
  assert.deepEqual(faults, []);
  assert.deepEqual(tables.map(({ name, definition }) => [name, definition]).sort(), [
    ['both', { access: 'authenticated', insert: { access: 'disabled' } }],
    ['kept', { columns: { a: 'string' }, access: 'admin' }],
    ['renamed', { name: 'renamed', perUser: true }],
  ]);
  assert.deepEqual(tables.find(({ name }) => name === 'both').places, {
    access: { file: 'tables/both.js', line: 2 }, 'insert.access': { file: 'tables/Both.json', line: 1 },
  });
  assert.deepEqual(apis.map(({ name, verbs }) => [name, verbs]).sort(),
    [['deep', { get: 'anonymous' }], ['hours', { get: 'anonymous', post: 'authenticated' }]]);
});

test('data that can\'t be read keeps its table from being served, and no other', async (context) => {
  for (const text of ['{ "access": "disabled", }', '[]', '"disabled"', '']) {
    const worker = await Worker.start(context, {
      'app.js': "require('azure-mobile-apps')().tables.import('tables');",
      'tables/x.js': tableWith(''), 'tables/x.json': text, 'tables/y.js': tableWith(''),
    }, { form: 'app' });
    const { faults, tables } = worker.inventory;
    assert.deepEqual(faults.map(({ file, fatal }) => [file, fatal]), [['tables/x.json', false]], text);
    assert.deepEqual(tables.map(({ name }) => name), ['x', 'y']);
    const answer = await worker.table('read', { table: 'x', query: {} });
    assert.equal(answer.status ?? 500, 500, text);
    assert.notEqual(answer.kind, 'execute', text);
  }
});
