// Scripts of Mobile Services that are sloppy or broken, or ask for unusual things.

import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';
import { alice, nobody, projects, filterOf, Server } from './v1-server.mjs';

let server;

before(async () => { server = await Server.start(path.join(projects, 'v1-odd')); });

const early = (how, more) => server.post('early', { id: `early${server.count}`, how }, more);
const failed = ({ answer: { kind, file, line } }) => [kind, file, line];

test('files that can\'t be served are told of, and the others are served', async () => {
  const faults = server.inventory.faults.map(({ file, line, message, fatal }) => [file, line, fatal, message]);
  const of = (file) => faults.find(([name]) => name === file);
  // What can't be read fails for whoever asks for it.
  assert.deepEqual(of('table/syntax.insert.js').slice(0, 3), ['table/syntax.insert.js', 2, false]);
  for (const name of ['syntax', 'misnamed']) {
    assert.deepEqual(server.inventory.tables.find((table) => table.name === name).scripts, ['insert']);
    assert.equal((await server.post(name, { text: 'x' })).status, 500);
    assert.match(of(`table/${name}.insert.js`)[3], /is answered 500/);
  }
  assert.match(of('table/misnamed.insert.js')[3], /no function insert/);
  assert.deepEqual(of('table/needy.insert.js').slice(0, 3), ['table/needy.insert.js', 2, false]);
  assert.match(of('table/needy.insert.js')[3], /azure-storage-of-old/);
  assert.match(of('scheduler/slow.json')[3], /every 90 minutes/);
  assert.match(of('table/guarded.json')[3], /'aplication' is no level/);
  // Beside them tables that scripts name and that no file is about.
  assert.equal(faults.filter(([, , , message]) => !/names the table/.test(message)).length, 5);
  const { access } = server.inventory.tables.find(({ name }) => name === 'guarded').definition;
  assert.deepEqual([access.read, access.insert, access.update], ['anonymous', 'disabled', 'admin']);
  assert.deepEqual(Object.keys(server.inventory.apis.find(({ name }) => name === 'nofile').verbs).length, 5);
});

test('names that nobody declared are the script\'s own, and gone with the request', async () => {
  for (let times = 0; times < 2; times += 1) {
    const { body } = await server.post('leaky', { id: `l${times}`, text: 'x' });
    assert.deepEqual([body.names, body.total, body.other], [2, 8, 'undefined']);
  }
  assert.deepEqual((await server.read('leaky')).body, [{ seen: 'undefined', total: 'undefined', global: 'undefined' }]);
});

test('an error has its file and line', async () => {
  const { answer } = await server.post('broken', {});
  assert.deepEqual([answer.kind, answer.file, answer.line], ['failed', 'table/broken.insert.js', 3]);
  assert.match(answer.stack, /broken\.insert\.js:3/);
});

test('what a callback throws is the request\'s failure, and nobody else\'s', async () => {
  server.fill('other', { id: 'o', text: 'x' });
  assert.deepEqual(failed(await server.read('broken')), ['failed', 'table/broken.read.js', 4]);
  assert.deepEqual(failed(await server.patch('broken', 'x', {})), ['failed', 'table/broken.update.js', 3]);
  server.fill('broken', { id: 'row' });
  assert.deepEqual(failed(await server.delete('broken', 'row')), ['failed', 'table/broken.delete.js', 11]);
  for (const id of ['push', 'open', 'identities', 'status', 'text', 'nothing']) {
    assert.equal((await server.delete('broken', id)).answer.kind, 'failed', id);
  }
  assert.equal((await early('services')).status, 200);
});

test('a failure that nobody listens for ends the request', async () => {
  assert.deepEqual(failed(await server.delete('broken', 'unheard')), ['failed', 'table/broken.delete.js', 2]);
  server.sql = () => { throw new Error('no such column'); };
  const { answer } = await server.delete('broken', 'sql');
  assert.deepEqual([answer.kind, answer.message], ['failed', 'no such column']);
});

test('execute is for once', async () => {
  server.fill('broken', { id: 'twice' });
  const { answer } = await server.delete('broken', 'twice');
  assert.match(answer.message, /execute was called again/);
});

test('respond alone answers nothing that could be taken for done', async () => {
  const { answer } = await early('respond alone');
  assert.equal(answer.kind, 'failed');
  assert.match(answer.message, /execute/);
});

test('respond may come before execute is done', async () => {
  assert.equal((await early('execute and respond')).answer.kind, 'execute');
  const other = await early('execute and answer');
  assert.deepEqual([other.status, other.body], [202, { queued: true }]);
  assert.equal(other.asks.length, 1);
  const waiting = await early('respond while executing');
  assert.deepEqual([waiting.status, waiting.body.told], [201, true]);
});

test('the first answer counts', async () => {
  const twice = await early('twice');
  assert.deepEqual(twice.body, { first: true });
  assert.match(twice.logs[0], /answered more than once.*early\.insert\.js/);
  const behind = await early('behind');
  assert.deepEqual(behind.body, { first: true });
  assert.match(behind.logs[0], /execute was called behind respond/);
  assert.equal(behind.asks.length, 0);
});

test('respond answers what execute gave, with what the script adds', async () => {
  assert.equal((await early('same')).answer.kind, 'result');
  const changed = await early('changed');
  assert.deepEqual([changed.answer.kind, changed.status, changed.body.extra], ['value', 201, 1]);
});

test('respond takes errors, texts, objects and statuses, for later clients in their words', async () => {
  const later = { generation: 'v2' };
  assert.equal((await early('error', later)).answer.kind, 'failed');
  const known = await early('known error', later);
  assert.deepEqual([known.status, known.body], [413, 'too much']);
  const refused = { kind: 'error', status: 400, message: '', body: { field: 'how' } };
  assert.deepEqual((await early('object', later)).answer, refused);
  assert.equal((await early('bare', later)).body, 'Not Found');
  assert.equal((await early('zero', later)).body, 0);
});

test('respond answers clients of the old servers what those did: the status and the body in JSON', async () => {
  assert.deepEqual((await early('error')).answer, { kind: 'value', status: 500, body: {} });
  assert.deepEqual((await early('known error')).answer, { kind: 'value', status: 413, body: { statusCode: 413 } });
  assert.deepEqual((await early('object')).answer, { kind: 'value', status: 400, body: { field: 'how' } });
  assert.deepEqual((await early('bare')).answer, { kind: 'value', status: 404 });
  assert.equal((await early('zero')).body, 0);
});

test('an error handler that only responds answers the failure', async () => {
  server.fill('early', { id: 'taken' });
  const { answer, status } = await server.post('early', { id: 'taken', how: 'error handler' });
  assert.deepEqual([answer.kind, status], ['unchanged', 409]);
});

test('an insert may have an id of the script\'s own', async () => {
  assert.equal((await early('own id')).body.id, 'mine');
});

test('the server\'s columns are there for who asks', async () => {
  const { body } = await early('system');
  assert.deepEqual(body, { names: ['__createdAt', '__version', 'how', 'id'], isDate: true });
});

test('services, statuses and the request\'s own members', async () => {
  const parameters = { mine: '1', $top: '2', __systemProperties: '*' };
  const { body } = await early('services', { request: { parameters } });
  assert.deepEqual(body, {
    same: true, current: 'early', codes: [200, 201, 401, 409, 500, 413], nothing: 'function', operation: 'insert',
    parameters: { mine: '1' },
  });
});

test('promises work as well as callbacks', async () => {
  const { body } = await server.post('promised', { id: 'p', text: 'x' });
  assert.deepEqual([body.count >= 1, body.failed], [true, 'there is no such row']);
});

test('an undelete runs the update script, as it did', async () => {
  server.fill('undone', { id: 'u', text: 'x', __deleted: true });
  const { status, logs } = await server.undelete('undone', 'u');
  assert.deepEqual([status, logs], [200, ['back again: u false']]);
  assert.equal(server.rows('undone')[0].__deleted, undefined);
  const { answer } = await server.patch('undone', 'other', {});
  assert.match(answer.message, /may not change the id/);
});

test('one row is a list of one to its script, and one row to its client', async () => {
  server.fill('listed', { id: 'a', text: 'tea' }, { id: 'b', text: 'milk' });
  for (const how of ['', 'first', 'mapped']) {
    const { body } = await server.readOne('listed', 'a', { request: { parameters: { how } } });
    assert.equal(body.shout, 'TEA', how);
  }
  const missing = await server.readOne('listed', 'zz');
  assert.deepEqual([missing.status, missing.body], [410, 'there is no such row']);
});

test('a count stays with rows that were made anew', async () => {
  const mapped = { request: { parameters: { how: 'mapped' } } };
  const { count, body } = await server.read('listed', { count: true, top: 1 }, mapped);
  assert.deepEqual([count, body.length], [2, 1]);
  const deleted = await server.read('listed', {}, { request: { parameters: { all: 'yes' } } });
  assert.equal(deleted.asks[0].query.includeDeleted, true);
});

test('a script looks at what its client wants', async () => {
  const asked = { filter: 'a eq 1', orderby: 'b desc,c', top: 500, select: 'a' };
  const { body, answer } = await server.read('queried', asked);
  assert.deepEqual(body, [{
    table: 'queried', filters: "(a eq 1) and ((a eq 2) and (text eq 'it''s') or (a eq 3))", skip: null, take: 100,
    ordering: { b: false, c: true, d: true }, selections: ['a'], includeTotalCount: false, includeDeleted: false,
  }]);
  assert.equal(answer.kind, 'value');
});

test('what a table gives may be returned, and a shared script has the statuses', async () => {
  assert.equal((await server.post('returned', { id: 'r', how: 'fine' })).status, 202);
  assert.deepEqual(failed(await server.post('returned', { id: 'r' })), ['failed', 'table/returned.insert.js', 6]);
});

test('conditions ask what is in a list, and a function makes something of each row', async () => {
  server.tables.set('listed', []);
  server.fill('listed', { id: 'a', text: 'tea' }, { id: 'b', text: 'milk' }, { id: 'c', text: 'jam' });
  const { body, asks } = await server.read('projected', { select: null }, { request: { parameters: { not: 'jam' } } });
  assert.deepEqual(asks.map(({ query }) => query.select), ['id', 'text']);
  assert.match(filterOf(asks[1].query), /\(text eq 'tea'\) or \(text eq 'milk'\).*\(id eq 'a'\) or \(id eq 'b'\)/);
  assert.deepEqual(body, ['TEA', 'MILK']);
  server.fill('projected', { text: 'x' });
  const rows = await server.read('projected', {}, { request: { parameters: { own: 'yes' } } });
  assert.deepEqual(rows.body, [{ word: 'x' }]);
});

test('other tables read, write, tell of conflicts and of what is missing', async () => {
  server.tables.delete('other');
  const { body } = await server.post('others', {});
  assert.deepEqual(body.slice(0, 2), ['begin', true]);
  assert.match(body[2], /^update:\{"id":"a","text":"more"/);
  assert.deepEqual(body.slice(3), [
    'moretrue', 'lookup!true', 1, 1, 'string', 'conflict more', 'del:undefined', 'again!true', true, true,
  ]);
});

test('SQL takes its values as the driver took them', async () => {
  const asked = [];
  server.sql = (sql, values) => {
    asked.push(values);
    return [{ rows: [{ a: 1, at: '2020-01-01T00:00:00.000Z' }], dates: ['at'], affected: 1 }];
  };
  const ways = ['no values', 'one value', 'values', 'null', 'raw', 'node', 'open'];
  const bodies = [];
  for (const how of ways) bodies.push((await server.post('sql', { how, text: 'x' })).body.result);
  assert.deepEqual(asked, [[], ['x'], ['x', null], [], [], [1], []]);
  assert.deepEqual(bodies[4].rows, [[1, '2020-01-01T00:00:00.000Z']]);
  assert.deepEqual(bodies[4].meta.map(({ name }) => name), ['a', 'at']);
});

test('push takes every service\'s method', async () => {
  const asked = [];
  server.push = (service, { method, arguments: given }) => {
    asked.push([service, method, given.length]);
    return { ok: 1 };
  };
  for (const how of ['gcm', 'apns', 'wns', 'mpns', 'hub', 'node']) {
    assert.deepEqual((await server.post('pushes', { how })).body, { ok: 1 });
  }
  assert.deepEqual(asked, [
    ['gcm', 'send', 2], ['apns', 'send', 2], ['wns', 'sendToastText01', 2], ['mpns', 'sendFlipTile', 2],
    ['hub', 'send', 2], ['gcm', 'send', 2],
  ]);
  server.push = () => { throw new Error('no service'); };
  assert.deepEqual((await server.post('pushes', { how: 'gcm' })).body, 'no service');
});

test('who asks is told in each of the three ways', async () => {
  const { body } = await server.post('who', {});
  const said = { facebook: { userId: 'Facebook:alice', accessToken: 'fb-token' } };
  assert.deepEqual(body, { err: null, now: said, then: said, level: 'authenticated', id: alice.id, token: 'fb-token' });
  const anonymous = (await server.post('who', {}, { user: nobody })).body;
  assert.deepEqual(anonymous, { err: null, now: {}, then: {}, level: 'anonymous', id: null, token: null });
  assert.equal((await server.post('who', {}, { user: { ...nobody, level: 'admin' } })).body.level, 'admin');
});

test('an API that throws, at once or later, fails alone', async () => {
  assert.deepEqual(failed(await server.api('GET', 'thrower')), ['failed', 'api/thrower.js', 2]);
  assert.deepEqual(failed(await server.api('POST', 'thrower')), ['failed', 'api/thrower.js', 6]);
  assert.deepEqual(failed(await server.api('PUT', 'thrower')), ['failed', 'api/thrower.js', 10]);
  assert.equal((await server.api('PATCH', 'nofile')).body, 'PATCH');
});

test('send takes its status first, last, or as text', async () => {
  for (const how of ['first', 'last', 'text']) {
    const { status, body } = await server.api('GET', `sender?how=${how}&status=203`);
    assert.deepEqual([status, body], [203, { how }]);
  }
  assert.deepEqual((await server.api('GET', 'sender?how=user')).body, { level: 'authenticated', userId: alice.id });
  assert.equal((await server.api('GET', 'sender?how=body')).body, 'only a body');
});

test('a job that throws fails, and one with a timer is waited for', async () => {
  const { answer } = await server.job('Broken');
  assert.deepEqual([answer.kind, answer.file, answer.line], ['failed', 'scheduler/Broken.js', 2]);
  await server.job('slow');
  assert.deepEqual(server.rows('other').map(({ text }) => text), ['late']);
});

test('a configuration\'s folder has scripts of Mobile Services too', async () => {
  const other = await Server.start(path.join(projects, 'v1-config'), { form: 'config' });
  try {
    assert.deepEqual(other.inventory.faults, []);
    const [todo] = other.inventory.tables.filter(({ name }) => name === 'TodoItem');
    assert.deepEqual([todo.generation, todo.scripts, todo.definition.access.insert, todo.definition.access.delete],
      ['v1', ['insert', 'read'], 'authenticated', 'admin']);
    assert.deepEqual(other.inventory.tables.find(({ name }) => name === 'plain').definition, {});
    assert.equal((await other.post('TodoItem', { id: 'a' })).body.owner, alice.id);
    assert.deepEqual((await other.api('GET', 'old')).body, { count: 1 });
    assert.deepEqual(other.inventory.apis[0].verbs, { get: 'anonymous' });
  } finally {
    other.end();
  }
});

// Node 18 ends no file whose processes are there.
test('the worker ends', () => server.end());
