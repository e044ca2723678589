// A service of Mobile Services as its owner's repository has it.

import assert from 'node:assert/strict';
import http from 'node:http';
import path from 'node:path';
import { before, test } from 'node:test';
import { alice, nobody, projects, Server } from './v1-server.mjs';

let server;
let feed;

before(async () => {
  feed = http.createServer((request, response) => setTimeout(() => response.end('the news'), 150));
  await new Promise((done) => feed.listen(0, '127.0.0.1', done));
  const env = { MY_SETTING: 'blue', FEED: `http://127.0.0.1:${feed.address().port}/` };
  server = await Server.start(path.join(projects, 'v1-service'), { env });
});

const table = (name) => server.inventory.tables.find((each) => each.name.toLowerCase() === name);

test('every script is found, and nothing is wrong with any', () => {
  assert.deepEqual(server.inventory.faults, []);
  assert.deepEqual(table('todoitem').scripts.sort(), ['delete', 'insert', 'read', 'undelete', 'update']);
  const folder = 'service/table/todoitem';
  assert.deepEqual(table('todoitem').files, {
    delete: `${folder}.delete.js`, insert: `${folder}.insert.js`, read: `${folder}.read.js`, update: `${folder}.update.js`,
    undelete: `${folder}.update.js`,
  });
  assert.deepEqual(table('event').scripts.sort(), ['delete', 'insert', 'read']);
  assert.deepEqual(server.inventory.apis.map(({ name }) => name),
    ['completeall', 'hello', 'library', 'settings', 'stats']);
  assert.deepEqual(server.inventory.jobs.map(({ name, cron }) => [name, cron]),
    [['cleanup', '0 3 * * *'], ['poll', '*/15 * * * *']]);
});

test('permissions are those of the files beside the scripts, whatever the case of their names', () => {
  assert.equal(table('todoitem').definition.access.read, 'authenticated');
  assert.equal(table('note').definition.access.insert, 'anonymous');
  assert.deepEqual(table('setting').definition.access,
    { insert: 'admin', read: 'anonymous', update: 'admin', delete: 'admin', undelete: 'admin' });
  assert.equal(table('audit').definition.access.update, 'admin');
  assert.equal(table('draft').definition.access.update, 'application');
  assert.equal(table('document').definition.softDelete, true);
  const verbs = Object.fromEntries(server.inventory.apis.map(({ name, verbs: each }) => [name, each]));
  assert.deepEqual(verbs.completeall, { post: 'authenticated' });
  assert.deepEqual(verbs.hello, { get: 'anonymous', post: 'anonymous', put: 'anonymous', delete: 'anonymous' });
  assert.deepEqual(verbs.library, { get: 'anonymous', post: 'authenticated', delete: 'application' });
});

test('an insert is stamped with its user, and handed over in one step', async () => {
  const { answer, asks, body } = await server.post('todoitem', { id: 't1', text: 'tea', userId: 'somebody else' });
  assert.equal(answer.kind, 'execute');
  assert.deepEqual(Object.keys(answer.set).sort(), ['complete', 'createdAt', 'userId']);
  assert.equal(asks.length, 0);
  assert.equal(body.userId, 'Facebook:alice');
});

test('a read is narrowed to the user by a condition beside those of the client', async () => {
  server.fill('todoitem', { id: 't2', text: 'coffee', userId: 'Facebook:bob' });
  const { answer, body } = await server.read('todoitem', { filter: "text ne 'x'" });
  assert.deepEqual([answer.query.own, answer.query.added], ["text ne 'x'", ["(userId eq 'Facebook:alice')"]]);
  assert.deepEqual(body.map((row) => row.id), ['t1']);
});

test('an update is refused where the row is somebody else\'s', async () => {
  const refused = await server.patch('todoitem', 't2', { text: 'mine' });
  assert.equal(refused.status, 404);
  assert.equal(refused.body, 'There is no such item of yours');
  const done = await server.patch('todoitem', 't1', { text: 'green tea', userId: 'Facebook:bob' });
  assert.deepEqual(done.answer.unset, ['userId']);
  assert.equal(done.body.text, 'green tea');
  assert.equal(done.body.userId, 'Facebook:alice');
});

test('a delete looks the row up first', async () => {
  assert.equal((await server.delete('todoitem', 't2')).status, 403);
  assert.equal((await server.delete('todoitem', 'gone')).status, 404);
  assert.equal((await server.delete('todoitem', 't1')).status, 204);
  assert.deepEqual(server.rows('todoitem').map((row) => row.id), ['t2']);
});

test('a shared script says what is wrong', async () => {
  const { status, body } = await server.post('note', { text: 'ab' });
  assert.deepEqual([status, body], [400, 'A note has at least three letters']);
});

test('what a script keeps outside its functions lives as long as the request', async () => {
  for (const id of ['n1', 'n2']) assert.equal((await server.post('note', { id, text: 'a note' })).body.accepted, 1);
});

test('a read follows a parameter, orders, limits and adds to the rows', async () => {
  server.fill('note', { id: 'n3', text: 'an old and long note', archived: true, priority: 2 });
  const all = await server.read('note');
  assert.deepEqual(all.body.map((row) => row.id).sort(), ['n1', 'n2']);
  assert.equal(all.asks[0].query.top, 20);
  assert.equal(all.asks[0].query.orderby, 'priority desc');
  const archived = await server.read('note', {}, { request: { parameters: { archived: 'only', $top: '5' } } });
  assert.deepEqual(archived.body.map((row) => row.summary), ['an old and']);
});

test('the server wins a conflict', async () => {
  const { status, body } = await server.patch('note', 'n1', { text: 'late' }, { version: 'old' });
  assert.equal(status, 200);
  assert.equal(body.text, 'a note');
  assert.equal(server.rows('note')[0].text, 'a note');
});

test('the client wins a conflict', async () => {
  server.fill('draft', { id: 'd1', text: 'first' });
  const { status, body, asks, logs } = await server.patch('draft', 'd1', { text: 'late' }, { version: 'old' });
  assert.equal(status, 200);
  assert.equal(body.text, 'late');
  assert.equal(asks.length, 2);
  assert.match(asks[1].version, /^v\d+$/);
  assert.deepEqual(logs, ['a draft was written over: d1']);
  assert.equal((await server.patch('draft', 'gone', { text: 'late' })).status, 404);
});

test('both win a conflict', async () => {
  server.fill('shoppinglist', { id: 's1', articles: 'bread,tea' });
  const { status, body } = await server.patch('shoppinglist', 's1', { articles: 'milk,tea' }, { version: 'old' });
  assert.equal(status, 200);
  assert.equal(body.articles, 'bread,milk,tea');
  assert.equal(server.rows('shoppinglist')[0].articles, 'bread,milk,tea');
  assert.equal((await server.patch('shoppinglist', 's1', { articles: 'jam' })).body.articles, 'jam');
});

test('devices are told after the answer', async () => {
  let told;
  const pushed = new Promise((resolve) => { told = resolve; });
  server.push = (service, message) => told([service, message]);
  server.heard = [];
  const from = Date.now();
  const { status } = await server.post('message', { id: 'm1', text: 'tea is ready', channel: 'c1' });
  assert.equal(status, 201);
  assert.deepEqual(await pushed, ['gcm', { method: 'send', arguments: ['c1', 'tea is ready'] }]);
  assert.ok(Date.now() - from >= 2900);
  assert.deepEqual(server.heard.filter((kind) => kind === 'done' || kind === 'ask').slice(-2), ['done', 'ask']);
});

test('what is there already is found instead of made', async () => {
  assert.equal((await server.post('channel', { id: 'c1', device: 'd', uri: 'a' })).status, 201);
  const changed = await server.post('channel', { id: 'c2', device: 'd', uri: 'b' });
  assert.deepEqual([changed.status, changed.body.id, changed.body.uri], [200, 'c1', 'b']);
  assert.deepEqual(server.rows('channel').map((row) => row.uri), ['b']);
});

test('a quota counts what there is', async () => {
  server.fill('quota', { userId: 'Facebook:alice' }, { userId: 'Facebook:alice' }, { userId: 'Facebook:bob' });
  const { status, asks } = await server.post('quota', { id: 'q3' });
  assert.equal(status, 201);
  assert.equal(asks[0].query.count, true);
  const refused = await server.post('quota', { id: 'q4' });
  assert.deepEqual([refused.status, refused.body], [403, 'No more than 3']);
});

test('a read is answered by SQL', async () => {
  server.sql = (sql, values) => [{ rows: [{ points: 3, name: values[0] }], dates: [], affected: 1 }];
  const answered = await server.read('score', {}, { request: { parameters: { game: 'chess' } } });
  assert.deepEqual(answered.body, [{ points: 3, name: 'chess' }]);
  server.sql = () => { throw new Error('no such table'); };
  const failed = await server.read('score');
  assert.deepEqual([failed.status, failed.body], [500, { error: 'There are no scores now' }]);
  assert.deepEqual(failed.logs, ['no scores: no such table']);
});

test('with a row go those that belong to it', async () => {
  server.fill('project', { id: 'p1' });
  server.fill('task', { projectId: 'p1' }, { projectId: 'p2' }, { projectId: 'p1' });
  assert.equal((await server.delete('project', 'p1')).status, 204);
  assert.deepEqual(server.rows('task').map((row) => row.projectId), ['p2']);
  assert.equal(server.rows('project').length, 0);
});

test('with a row come those that belong to it', async () => {
  const { status, body } = await server.post('order', { id: 'o1', lines: [{ article: 'a' }, { article: 'b' }] });
  assert.deepEqual([status, body.lines], [201, 2]);
  assert.deepEqual(server.rows('orderline').map((row) => row.orderId), ['o1', 'o1']);
  assert.equal('lines' in server.rows('order')[0], false);
});

test('identities are what the login said', async () => {
  assert.deepEqual(
    (({ provider, hasToken, level }) => ({ provider, hasToken, level }))((await server.post('profile', {})).body),
    { provider: 'facebook', hasToken: true, level: 'authenticated' });
  const { body } = await server.post('profile', {}, { user: nobody });
  assert.deepEqual([body.provider, body.level], [undefined, 'anonymous']);
});

test('dates of a client are dates', async () => {
  const times = { starts: '2015-06-01T10:00:00.000Z', ends: '2015-06-01T11:30:00Z' };
  const { body, answer } = await server.post('event', { id: 'e1', ...times });
  assert.equal(body.minutes, 90);
  assert.deepEqual(answer.set, { minutes: 90 });
  assert.deepEqual((await server.post('event', { ...times, ends: '2015-05-01T00:00:00Z' })).body,
    { reason: 'It ends before it starts' });
  assert.equal((await server.read('event')).body.length, 1);
  assert.equal((await server.delete('event', 'e1')).status, 405);
});

test('every change leaves a line', async () => {
  server.fill('document', { id: 'x1', text: 'a' });
  assert.equal((await server.patch('document', 'x1', { text: 'b' })).status, 200);
  assert.deepEqual(server.rows('audit').map(({ document, by }) => [document, by]), [['x1', 'Facebook:alice']]);
});

test('an API completes all by SQL', async () => {
  server.sql = (sql, values) => [{ rows: [], dates: [], affected: 4 },
    { rows: [{ count: values[0] === alice.id ? 4 : 0 }], dates: [], affected: 1 }];
  const { status, body } = await server.api('POST', 'completeall');
  assert.deepEqual([status, body], [200, { count: 4 }]);
});

test('an API answers each verb', async () => {
  const first = await server.api('GET', 'hello?name=Anna');
  assert.equal(first.body, 'Hello Anna');
  const second = await server.api('GET', 'hello');
  assert.equal(Number(second.headers['x-count']), Number(first.headers['x-count']) + 1);
  const posted = await server.api('POST', 'hello', { body: { name: 'Bob' }, headers: { 'user-agent': 'phone' } });
  assert.deepEqual(posted.body, { text: 'Hello Bob', agent: 'phone' });
  const put = await server.api('PUT', 'hello', { body: {} });
  assert.deepEqual([put.status, put.body], [202, { path: '/api/hello', level: 'authenticated' }]);
  assert.equal((await server.api('DELETE', 'hello')).status, 204);
  assert.equal((await server.api('GET', 'hello/below')).status, 404);
});

test('an API has routes of its own, each with its permission', async () => {
  server.fill('book', { id: 'b1', title: 'Momo', lent: false }, { id: 'b2', title: 'Emil', lent: false });
  assert.deepEqual((await server.api('GET', 'library/books', { user: nobody })).body, ['Emil', 'Momo']);
  assert.deepEqual((await server.api('GET', 'library/books/b1')).body, { title: 'Momo' });
  const missing = await server.api('GET', 'library/books/b9');
  assert.deepEqual([missing.status, missing.body], [404, { error: 'There is no book b9' }]);
  const added = await server.api('POST', 'library/books', { body: { id: 'b3', title: 'Ronja' } });
  assert.deepEqual([added.status, added.body], [201, { id: 'b3' }]);
  assert.equal((await server.api('DELETE', 'library/books/b3')).status, 204);
  assert.equal((await server.api('GET', 'library/books/b1', { user: nobody })).status, 401);
  assert.equal((await server.api('GET', 'library/secret')).status, 401);
  assert.equal((await server.api('GET', 'library/secret', { user: { ...nobody, level: 'admin' } })).body, 'open');
});

test('an API has raw rows of a connection', async () => {
  server.sql = () => [{ rows: [{ game: 'chess', plays: 2 }], dates: [], affected: 0 }];
  assert.deepEqual((await server.api('GET', 'stats')).body, { columns: ['game', 'plays'], rows: [['chess', 2]] });
});

test('settings are those of the environment', async () => {
  assert.deepEqual((await server.api('GET', 'settings')).body, { mine: 'blue', service: 'blue', env: 'blue' });
});

test('a job removes what is old, and is done when it is', async () => {
  server.fill('todoitem',
    { id: 'old', complete: true, createdAt: '2014-01-01T00:00:00.000Z' },
    { id: 'open', complete: false, createdAt: '2014-01-01T00:00:00.000Z' });
  const { status, logs } = await server.job('cleanup');
  assert.equal(status, 200);
  assert.deepEqual(logs, ['to remove: 1']);
  assert.deepEqual(server.rows('todoitem').map((row) => row.id), ['t2', 'open']);
});

test('a job waits for the network and for its timers', async () => {
  assert.equal((await server.job('poll')).status, 200);
  assert.deepEqual(server.rows('feed').map((row) => row.text), ['the news']);
});

// Node 18 ends no file whose processes are there.
test('the worker ends', () => {
  server.end();
  feed.close();
});
