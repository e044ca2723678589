// Verbs of an API that its JSON file names and its module doesn't.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from './kit.mjs';

const APP = "const app = require('express')(), mobile = require('azure-mobile-apps')();\n"
  + "mobile.api.import('api');\napp.use(mobile);\napp.listen(1);";

async function verbsOf(t, code, data) {
  const files = { 'app.js': APP, 'api/list.js': code, 'api/list.json': JSON.stringify(data) };
  const { inventory } = await Worker.start(t, files, { form: 'app' });
  return inventory.apis[0].verbs;
}

test('a verb that the file closes is there, and one that nobody names is not', async (t) => {
  const data = { get: { access: 'anonymous' }, post: { access: 'authenticated' }, delete: { access: 'disabled' } };
  const verbs = await verbsOf(t, 'exports.get = (req, res) => res.json(1);', data);
  assert.deepEqual(verbs, { get: 'anonymous', post: 'authenticated', delete: 'disabled' });
});

test('what counts for the whole API makes no verb', async (t) => {
  assert.deepEqual(await verbsOf(t, 'exports.put = (req, res) => res.json(1);', { access: 'authenticated' }), { put: 'authenticated' });
});

test('a router answers what it answers', async (t) => {
  const code = "const router = require('express').Router();\nrouter.get('/', (req, res) => res.json(1));\nmodule.exports = router;";
  assert.deepEqual(await verbsOf(t, code, { post: { access: 'disabled' } }), { get: 'anonymous' });
});
