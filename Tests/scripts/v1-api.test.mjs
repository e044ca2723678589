// APIs of Mobile Services: which function answers, and what of a body is passed over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, Worker } from './kit.mjs';

test('a function for a verb stands beside one for all, and behind the name is nothing', async (context) => {
  const both = (first, second) => `${first}\n${second}`;
  const get = "exports.get = function (q, r) { r.send(200, { by: 'get' }); };";
  const all = "exports.all = function (q, r) { r.send(200, { by: 'all', body: q.body }); };";
  const files = { 'service/api/first.js': both(get, all), 'service/api/last.js': both(all, get) };
  const worker = await Worker.start(context, files, { form: 'service' });
  const user = { level: 'admin' };
  const ask = async (name, method, path, body = '') => {
    const fields = lines({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    const request = { method, url: `/api/${name}`, fields, address: '127.0.0.1' };
    const bytes = Buffer.from(body).toString('base64');
    const answer = await worker.call({ kind: 'api', name, path, body: bytes, user, request });
    return [answer.status, answer.kind === 'http' ? JSON.parse(Buffer.from(answer.body, 'base64').toString()) : null];
  };
  for (const name of ['first', 'last']) {
    assert.deepEqual(await ask(name, 'GET', []), [200, { by: 'get' }]);
    assert.deepEqual(await ask(name, 'POST', [], '{"a":1}'), [200, { by: 'all', body: { a: 1 } }]);
    assert.deepEqual(await ask(name, 'PUT', [], '\uFEFF{"a":1}'), [200, { by: 'all', body: { a: 1 } }]);
    assert.deepEqual(await ask(name, 'GET', ['more']), [404, null]);
    assert.equal((await ask(name, 'POST', [], 'no JSON'))[0], 400);
  }
});

test('one without a function for a verb is told of', async (context) => {
  const files = {
    'service/api/misspelt.js': 'exports.gett = function (q, r) { r.send(200); };', 'service/api/number.js': 'exports.get = 5;',
    'service/api/idle.js': 'exports.register = function (api) {};', 'service/api/idle.json': '{"routes":{"own":{"permission":"user"}}}',
  };
  const { apis, faults } = (await Worker.start(context, files, { form: 'service' })).inventory;
  assert.deepEqual(faults.map(({ file, fatal, message }) => [file, fatal, /exports no function for a verb/.test(message)]),
    ['idle', 'misspelt', 'number'].map((name) => [`service/api/${name}.js`, false, true]));
  assert.deepEqual(apis.map(({ verbs }) => verbs), [{}, {}, {}]);
});
