// Tokens that scripts sign and check for users of their own, as `azure-mobile-apps/src/auth` let them.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Worker } from './kit.mjs';

const KEY = '5a17'.repeat(16);
const api = (lines) => `const auth = require('azure-mobile-apps/src/auth');
exports.get = async (req, res) => {
  const { sign, validate, decode } = auth(req.azureMobile.configuration.auth);
  ${lines}
};`;

/** What an API answers that works with tokens. */
async function answer(t, lines, { tokenKey = KEY, user = { level: 'anonymous' } } = {}) {
  const worker = await Worker.start(t, { 'api/login.js': api(lines) }, { tokenKey });
  const { status, body } = await worker.call({ kind: 'api', name: 'login', path: [], body: '', user });
  const text = Buffer.from(body ?? '', 'base64').toString();
  return { status, text };
}

const partsOf = (token) => token.split('.').slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url')));
const isSignedBy = (token, key) => {
  const [head, claims, signature] = token.split('.');
  return createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url') === signature;
};

test('a token is signed by the key that the server takes, for a day', async (t) => {
  const { status, text } = await answer(t, "res.send(sign({ sub: 'joe', team: 'east' }));");
  assert.equal(status, 200);
  const [head, claims] = partsOf(text);
  assert.deepEqual(head, { alg: 'HS256', typ: 'JWT' });
  const service = 'urn:microsoft:windows-azure:zumo';
  assert.deepEqual([claims.sub, claims.team, claims.iss, claims.aud], ['joe', 'east', service, service]);
  assert.equal(claims.exp - claims.iat, 24 * 3600);
  assert.ok(isSignedBy(text, Buffer.from(KEY, 'hex')));
});

test('the key of the server counts over a secret beside it, as it did on App Service', async (t) => {
  const other = "const own = auth({ ...req.azureMobile.configuration.auth, secret: 'old', expires: 1, issuer: 'me' });";
  const { text } = await answer(t, `${other} res.send(own.sign({ sub: 'joe' }));`);
  assert.ok(isSignedBy(text, Buffer.from(KEY, 'hex')));
  const [, claims] = partsOf(text);
  assert.deepEqual([claims.iss, claims.exp - claims.iat], ['me', 60]);
  const { text: alone } = await answer(t, "res.send(auth({ secret: 'old' }).sign({ sub: 'joe' }));");
  assert.ok(isSignedBy(alone, 'old'));
});

test('a token that was signed here is valid, and one that was changed is not', async (t) => {
  const lines = `const token = sign({ sub: 'joe', team: 'east' });
  const user = await validate(token);
  const forged = await validate(token.slice(0, -2)).then(() => 'taken', ({ message }) => message);
  res.json([user.id, user.claims.team, decode(token).id, forged]);`;
  const { text } = await answer(t, lines);
  assert.deepEqual(JSON.parse(text), ['joe', 'east', 'joe', 'invalid signature']);
});

test('the token of who asks is valid, since the server has found it so', async (t) => {
  const token = `e30.${Buffer.from('{"sub":"ann"}').toString('base64url')}.c2ln`;
  const lines = `const tried = [req.get('x-token'), 'e30.e30.c2ln'].map((each) => validate(each).then(({ id }) => id, () => 'refused'));
  res.json(await Promise.all(tried));`;
  const worker = await Worker.start(t, { 'api/login.js': api(lines) }, { tokenKey: KEY });
  const request = { fields: `X-Token: ${token}\r\n` };
  const call = (user) => worker.call({ kind: 'api', name: 'login', path: [], body: '', user, request });
  const read = ({ body }) => JSON.parse(Buffer.from(body, 'base64').toString());
  assert.deepEqual(read(await call({ id: 'ann', level: 'user', token })), ['ann', 'refused']);
  assert.deepEqual(read(await call({ level: 'anonymous' })), ['refused', 'refused']);
});

test('without a key of the server there are no tokens, and the error says what is missing', async (t) => {
  const { text } = await answer(t, "try { sign({ sub: 'joe' }); } catch (error) { res.send(error.message); }", { tokenKey: null });
  assert.match(text, /auth\.signingKey/);
});

test('libraries of their own find the key where App Service had it', async (t) => {
  const { text } = await answer(t, 'res.send(process.env.WEBSITE_AUTH_SIGNING_KEY);');
  assert.equal(text, KEY);
});

test('the key is in no answer that shows the settings, and in a mobile app it is found beside its own', async (t) => {
  const show = "const { configuration } = req.azureMobile; res.json([configuration, configuration.auth.azureSigningKey]);";
  assert.equal((await answer(t, show)).text.split(KEY).length, 2);
  const app = `const app = require('express')(), mobile = require('azure-mobile-apps')({ auth: { expires: 1 } });
const auth = require('azure-mobile-apps/src/auth');
app.use(mobile);
app.get('/show', (req, res) => {
  const { configuration } = req.azureMobile;
  res.json([mobile.configuration, configuration, auth(configuration.auth).sign({ sub: 'joe' })]);
});
app.listen(1);`;
  const worker = await Worker.start(t, { 'app.js': app }, { form: 'app', tokenKey: KEY });
  const { body } = await worker.call({ kind: 'http', body: '', request: { method: 'GET', url: '/show', address: '127.0.0.1' } });
  const text = Buffer.from(body, 'base64').toString();
  assert.equal(text.includes(KEY), false);
  const [whole, , token] = JSON.parse(text);
  assert.deepEqual(whole.auth, { expires: 1 });
  assert.ok(isSignedBy(token, Buffer.from(KEY, 'hex')));
});
