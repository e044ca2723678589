// Files of a project that are none: folders called so, links to nothing, to themselves or to what is around them, pipes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, requireOurs, tableWith, Worker } from './kit.mjs';

const INSERT = 'function insert(item, user, request) { request.execute(); }';
const GET = 'exports.get = function (request, response) { response.send(200, {}); };';
const NOWHERE = { link: 'nowhere' };
const request = { method: 'GET', url: '/', fields: '', address: '127.0.0.1', parameters: {} };

test('a service with such files is served without them, and each is named', async (context) => {
  const worker = await Worker.start(context, {
    'service/package.json/a': '',
    'service/shared/date.js/index.js': '',
    'service/shared/gone.js': NOWHERE,
    'service/shared/.#date.js': { link: 'root@host.1:2' },
    'service/table/folder.insert.js/a': '',
    'service/table/gone.insert.js': NOWHERE,
    'service/table/.#good.insert.js': { link: 'root@host.1:2' },
    'service/table/loop.read.js': { link: 'loop.read.js' },
    'service/table/good.insert.js': INSERT,
    'service/table/ruled.insert.js': INSERT,
    'service/table/ruled.json/a': '',
    'service/table/lost.json': NOWHERE,
    'service/api/folder.js/a': '',
    'service/api/gone.js': NOWHERE,
    'service/api/ruled.js': GET,
    'service/api/ruled.json/a': '',
    'service/api/good.js': GET,
    'service/scheduler/good.js': 'function good() {}',
    'service/extensions/startup.js/a': '',
  }, { form: 'service', reports: true });
  const { apis, faults, jobs, tables } = worker.inventory;
  assert.deepEqual(faults.filter(({ fatal }) => fatal), []);
  const told = (file) => faults.filter((each) => each.file === file).map(({ message }) => message);
  for (const [file, status] of [
    ['table/folder.insert.js', 500], ['api/folder.js', 500], ['table/ruled.json', 405], ['api/ruled.json', 500],
  ]) {
    assert.equal(told(`service/${file}`).length, 1, file);
    assert.match(told(`service/${file}`)[0], new RegExp(`it is a folder; whoever asks for it is answered ${status}`), file);
  }
  for (const [file, status] of [['table/gone.insert.js', 500], ['table/lost.json', 405], ['api/gone.js', 500]]) {
    assert.equal(told(`service/${file}`).length, 1, file);
    assert.match(told(`service/${file}`)[0], new RegExp(`ENOENT.*; whoever asks for it is answered ${status}`), file);
  }
  assert.match(told('service/table/loop.read.js')[0], /ELOOP.*; whoever asks for it is answered 500/);
  assert.match(told('service/shared/date.js')[0], /can't be read for the tables that it names: it is a folder/);
  assert.match(told('service/shared/gone.js')[0], /can't be read for the tables that it names: ENOENT/);
  assert.match(told('service/extensions/startup.js')[0], /it is a folder/);
  assert.match(told('service/package.json')[0], /it is a folder/);
  assert.equal(faults.length, 12);
  const names = (list) => list.map(({ name }) => name).sort();
  assert.deepEqual(names(tables), ['folder', 'gone', 'good', 'loop', 'lost', 'ruled']);
  assert.deepEqual(names(apis), ['folder', 'gone', 'good', 'ruled']);
  assert.deepEqual(names(jobs), ['good']);
  const insert = (table) => worker.call({
    kind: 'table', generation: 'v1', table, operation: 'insert', item: { id: 'a' }, user: { level: 'admin' }, request,
  });
  assert.equal((await insert('good')).kind, 'execute');
  for (const table of ['folder', 'gone']) assert.equal((await insert(table)).kind, 'failed', table);
  const closed = tables.filter(({ definition }) => definition.access === 'disabled');
  assert.deepEqual(names(closed), ['lost', 'ruled']);
});

test('a project of the SDK with such files is served without them', async (context) => {
  const worker = await Worker.start(context, {
    'app.js': "const m = require('azure-mobile-apps')();\nm.tables.import('./tables');\nm.api.import('./api');\n",
    'index.js': { link: 'index.js' },
    'lib/gone.js': NOWHERE,
    'lib/folder.js/a': '',
    'tables/.#TodoItem.js': { link: 'root@host.1:2' },
    'tables/TodoItem.js': tableWith(''),
    'tables/README': NOWHERE,
    'tables/around': { link: '../tables' },
    'tables/deep/gone.js': NOWHERE,
    'tables/data.js': tableWith(''),
    'tables/data.json': NOWHERE,
    'api/loop.js': { link: 'loop.js' },
    'api/hours.js': 'exports.get = (req, res) => res.json({});',
  }, { form: 'app', reports: true });
  const { apis, faults, tables } = worker.inventory;
  assert.deepEqual(faults.map(({ file, fatal, message }) => [file, fatal, /ENOENT|ELOOP|a link/.exec(message)?.[0]]).sort(), [
    ['api/loop.js', false, 'ELOOP'], ['tables/around', false, 'a link'], ['tables/data.json', false, 'ENOENT'],
    ['tables/deep/gone.js', false, 'ENOENT'],
  ]);
  assert.deepEqual(tables.map(({ name, broken }) => [name, broken ?? false]).sort(),
    [['TodoItem', false], ['data', true], ['gone', true]]);
  assert.deepEqual(apis.map(({ name, broken }) => [name, broken ?? false]).sort(), [['hours', false], ['loop', true]]);
});

test('a pipe is no file, and nobody waits for its end', async (context) => {
  const root = folder(context, { 'a.js': 'x' });
  execFileSync('mkfifo', [join(root, 'pipe.js')]);
  const { isFile, textIn } = requireOurs('./source-files');
  assert.throws(() => textIn(join(root, 'pipe.js')), /it is no file/);
  assert.deepEqual([isFile(join(root, 'pipe.js')), isFile(join(root, 'a.js')), textIn(join(root, 'a.js'))], [false, true, 'x']);
});

test('what keeps devices from registering for push is asked about where it can\'t be read', async (context) => {
  for (const name of ['push.json', 'push.js']) {
    const files = { [`service/extensions/${name}`]: NOWHERE, 'service/table/note.json': '{}' };
    const { faults } = (await Worker.start(context, files, { form: 'service' })).inventory;
    assert.deepEqual(faults.map((each) => [each.file, each.name]), [[`service/extensions/${name}`, 'push-registration']]);
  }
});
