// Who asks, where a project finds that out in its own way: the server is told, and hears nothing where it was the project's
// middleware that left the user alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableWith, Worker } from './kit.mjs';

const app = (lines) => `const app = require('express')();
app.use((req, res, next) => { req.before = true; ${lines.before ?? ''} next(); });
const mobile = require('azure-mobile-apps')();
mobile.use((req, res, next) => { const context = req.azureMobile; ${lines.within ?? ''} next(); });
mobile.tables.add('items');
app.use(mobile);
app.listen(1);`;

const known = { id: 'ann', level: 'user', provider: 'facebook', claims: { name: 'Ann' } };

/** What the server is asked to serve. */
async function served(t, lines, user = known) {
  const answer = () => ({ ok: true, status: 200, fields: '', body: '' });
  const worker = await Worker.start(t, { 'app.js': app(lines) }, { form: 'app', answer });
  const request = { method: 'GET', url: '/tables/items', address: '127.0.0.1' };
  await worker.call({ kind: 'http', body: '', request, ...(user && { user }) });
  const [ask] = worker.asks;
  assert.equal(ask.do, 'serve');
  return ask;
}

test('a user who is left alone, or of whom more is known, is the server\'s', async (t) => {
  assert.equal('user' in await served(t, {}), false);
  assert.equal('user' in await served(t, { within: 'context.user.groups = ["a"];' }), false);
  assert.equal('user' in await served(t, {}, null), false);
  // A token counts over what came before it.
  assert.equal('user' in await served(t, { before: "req.azureMobile = { user: { id: 'bob' } };" }), false);
});

test('a user whom the project has found is told, with the claims that are text', async (t) => {
  const bob = "{ id: 'bob', claims: { team: 'east', list: [1] } }";
  const expected = { id: 'bob', claims: { team: 'east' } };
  assert.deepEqual((await served(t, { within: `context.user = ${bob};` })).user, expected);
  assert.deepEqual((await served(t, { within: `context.user = ${bob};` }, null)).user, expected);
  assert.deepEqual((await served(t, { before: `req.azureMobile = { user: ${bob} };` }, null)).user, expected);
  assert.deepEqual((await served(t, { within: 'context.user = { id: 7 };' })).user, { id: '7', claims: {} });
  assert.deepEqual((await served(t, { within: "context.user.id = 'bob';" })).user.id, 'bob');
});

test('who is nobody to the project is nobody', async (t) => {
  for (const nobody of ['undefined', 'null', '{}', '{ id: {} }', 'false']) {
    assert.equal((await served(t, { within: `context.user = ${nobody};` })).user, null, nobody);
  }
  assert.equal((await served(t, { within: 'delete req.azureMobile;' })).user, null);
});

test('what came before has begun a context of its own', async (t) => {
  const ask = await served(t, {
    before: 'req.azureMobile = { mine: 1 };',
    within: "if (context.mine !== 1 || typeof context.tables !== 'function') throw new Error('lost');",
  });
  assert.equal('user' in ask, false);
});

test('an identity has its claims by long and short names, and as a list', async (t) => {
  const long = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress';
  const token = `e30.${Buffer.from(JSON.stringify({ groups: ['a', 'b'] })).toString('base64url')}.`;
  const user = { ...known, claims: { [long]: 'ann@example.org' }, token };
  const code = 'table.read((c) => c.user.getIdentity());';
  const worker = await Worker.start(t, { 'tables/items.js': tableWith(code) });
  const { body: { facebook } } = await worker.table('read', { user });
  assert.equal(facebook.claims.emailaddress, 'ann@example.org');
  assert.equal(facebook.claims[long], 'ann@example.org');
  assert.deepEqual(facebook.user_claims,
    [{ typ: 'groups', val: 'a' }, { typ: 'groups', val: 'b' }, { typ: long, val: 'ann@example.org' }]);
});

test('a token that the server has not found good comes to nothing behind the mobile app', async (t) => {
  const text = `${app({ within: "if (req.get('x-tell')) res.set('X-Within', '1');" })}
app.get('/hours', (req, res) => res.json({ open: true }));`;
  const worker = await Worker.start(t, { 'app.js': text }, { form: 'app' });
  const call = (fields, user) => worker.call({
    kind: 'http', body: '', ...(user && { user }),
    request: { method: 'GET', url: '/hours', address: '127.0.0.1', fields },
  });
  const token = 'X-ZUMO-AUTH: e30.e30.c2ln\r\n';
  assert.deepEqual([(await call(token)).status, (await call('')).status, (await call(token, known)).status], [401, 200, 200]);
});

test('a token that is a key of the project\'s own is no bad one', async (t) => {
  const before = "if (req.get('x-zumo-auth') === 'key') req.azureMobile = { user: { id: 'bob' } };";
  const text = `${app({ before })}\napp.get('/hours', (req, res) => res.json(req.azureMobile.user));`;
  const worker = await Worker.start(t, { 'app.js': text }, { form: 'app' });
  const status = async (key) => (await worker.call({
    kind: 'http', body: '', request: { method: 'GET', url: '/hours', address: '127.0.0.1', fields: `X-ZUMO-AUTH: ${key}\r\n` },
  })).status;
  assert.deepEqual([await status('key'), await status('other')], [200, 401]);
});

test('of a token at a table the server says what is wrong with it, and the project who it is', async (t) => {
  for (const [within, user] of [['', undefined], ["context.user = { id: 'bob' };", { id: 'bob', claims: {} }]]) {
    const answer = () => ({ ok: true, status: 503, fields: '', body: '' });
    const worker = await Worker.start(t, { 'app.js': app({ within }) }, { form: 'app', answer });
    const request = { method: 'GET', url: '/tables/items', address: '127.0.0.1', fields: 'X-ZUMO-AUTH: e30.e30.c2ln\r\n' };
    assert.equal((await worker.call({ kind: 'http', body: '', request })).status, 503);
    assert.deepEqual(worker.asks[0].user, user);
  }
});
