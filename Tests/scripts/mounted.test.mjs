// A mobile app that is mounted below a path: where its answers say that rows are, they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, Worker } from './kit.mjs';

const APP = `const app = require('express')();
const mobile = require('azure-mobile-apps')({ tableRootPath: '/v1/tables' });
mobile.tables.add('items');
app.use('/mobile', mobile);
app.listen(1);`;

test('links and locations of rows lead through the application', async (t) => {
  const fields = lines({
    Location: 'http://host/tables/items/a', Link: 'http://host/tables/items?$skip=1; rel=next', 'X-Other': '/tables/items',
  });
  const answer = () => ({ ok: true, status: 201, fields, body: '' });
  const worker = await Worker.start(t, { 'app.js': APP }, { form: 'app', answer });
  const request = { method: 'POST', url: '/mobile/v1/tables/Items', address: '127.0.0.1' };
  const { status, headers: sent } = await worker.call({ kind: 'http', body: '', request });
  const of = (name) => sent.find(([each]) => each.toLowerCase() === name)?.[1];
  assert.equal(status, 201);
  assert.equal(of('location'), 'http://host/mobile/v1/tables/Items/a');
  assert.equal(of('link'), 'http://host/mobile/v1/tables/Items?$skip=1; rel=next');
  assert.equal(of('x-other'), '/tables/items');
  assert.equal(worker.asks[0].url, '/tables/items');
});

test('what a project puts around all of Express before it makes its mobile app sees the answers of tables', async (t) => {
  const wrapping = `const express = require('express');
const { json } = express.response;
express.response.json = function (body) { return json.call(this, { ...body, secret: undefined }); };
${APP}`;
  const fields = lines({ 'Content-Type': 'application/json; charset=utf-8' });
  const body = Buffer.from('{"id":"a","secret":"s"}').toString('base64');
  const answer = ({ wantsBody }) => ({ ok: true, status: 200, fields, ...(wantsBody ? { body } : {}) });
  const worker = await Worker.start(t, { 'app.js': wrapping }, { form: 'app', answer });
  const request = { method: 'GET', url: '/mobile/v1/tables/items/a', address: '127.0.0.1' };
  const sent = await worker.call({ kind: 'http', body: '', request });
  assert.equal(worker.asks[0].wantsBody, true);
  assert.equal(Buffer.from(sent.body, 'base64').toString(), '{"id":"a"}');
});
