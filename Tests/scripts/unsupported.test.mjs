// What a project has that is not done: each is found with file, line and the name by which it may be allowed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { Worker } from './kit.mjs';

const APP = "const app = require('express')();\nconst m = require('azure-mobile-apps')";
const named = ({ inventory }) => inventory.faults.filter((fault) => fault.fatal)
  .map(({ file, line, name }) => [file, line, name]);
const inApp = async (t, text, files = {}) => named(await Worker.start(t, { 'app.js': APP + text, ...files }, { form: 'app' }));

test('a project that asks for nothing else has nothing unsupported', async (t) => {
  const files = {
    'tables/a.js': "module.exports = require('azure-mobile-apps').table();\n// require('azure-mobile-apps/src/data/mssql')",
    'tables/b.js': "const { errors } = { errors: require('azure-mobile-apps/src/utilities/errors') };",
    'unread.js': "require('azure-mobile-apps/src/data/mssql'); c.beginTransaction();",
  };
  const text = `({ homePage: true, swagger: true, storage: { account: 'a' }, notifications: { hubName: 'h' } });
m.tables.import('./tables');
app.use(m);
const http = require('http');
http.createServer(app).listen(80);
app.listen(process.env.PORT);`;
  assert.deepEqual(await inApp(t, text, files), []);
});

test('parts of the SDK that are not here are named where they stand, also where they are asked for later', async (t) => {
  const files = {
    'tables/a.js': "const t = module.exports = require('azure-mobile-apps').table();\nt.read((c) => require('./../lib/later')(c));",
    'lib/later.js': '// not read',
    'lib/now.js': "'use strict';\n\nexports.f = () => require('azure-mobile-apps/src/data/mssql');",
  };
  const text = "();\nrequire('./lib/now');\nconst f = () => require(\"azure-mobile-apps/src/data\");\nm.tables.import('tables');\n"
    + 'app.use(m);\napp.listen(1);';
  assert.deepEqual((await inApp(t, text, files)).sort(), [['app.js', 4, 'sdk-module'], ['lib/now.js', 3, 'sdk-module']]);
});

test('of two applications that listen the one with the mobile app is served, and the other is named', async (t) => {
  const text = `();
app.use(m);
require('http').createServer((req, res) => res.end('elsewhere')).listen(80);
require('https').createServer({}, app).listen(443);`;
  assert.deepEqual(await inApp(t, text), [['app.js', 4, 'second-application']]);
});

test('a second listener, web sockets and certificates of clients are named', async (t) => {
  const text = `();
app.use(m);
const server = require('https').createServer({ requestCert: true }, app);
server.on('request', () => {});
server.listen(443);
server.on('upgrade', () => {});`;
  assert.deepEqual(await inApp(t, text), ['second-application', 'websockets', 'client-certificates'].map((each) => ['app.js', 6, each]));
});

test('a data provider of its own is named', async (t) => {
  assert.deepEqual(await inApp(t, '({ data: { provider: () => ({}) } });\napp.use(m);\napp.listen(1);'), [['app.js', 2, 'data-provider']]);
});

test('what a startup script adds to its application is named, and what it asks for is not', async (t) => {
  const { inventory } = await Worker.start(t, {
    'service/extensions/startupScript.js': `exports.startup = function (context, done) {
  context.app.get('env');
  context.app.use(function guard(req, res, next) { next(); });
  done();
};`,
    'service/table/a.insert.js': 'function insert(item, user, request) {\n  mssql.open({ success: (c) => c.beginTransaction() });\n}',
  }, { form: 'service' });
  assert.deepEqual(named({ inventory }), [
    ['service/extensions/startupScript.js', 3, 'startup-app'], ['service/table/a.insert.js', 2, 'transaction'],
  ]);
});

test('a server that a startup script takes hold of, and what devices pass to register for push, are named', async (t) => {
  const { inventory } = await Worker.start(t, {
    'service/extensions/startup.js': `exports.startup = function (context, done) {
  require('events').once(context.app.server, 'upgrade');
  done();
};`,
    'service/extensions/push.js': 'exports.register = function (registration, context, done) { done(); };',
    'service/extensions/push.json': '{"routes":{"registrations":{"*":{\n"permission":"user"}}}}',
    'service/table/a.json': '{}',
  }, { form: 'service' });
  assert.deepEqual(named({ inventory }), [
    ['service/extensions/startup.js', 2, 'websockets'], ['service/extensions/push.js', 1, 'push-registration'],
    ['service/extensions/push.json', 2, 'push-registration'],
  ]);
});

for (const [what, file, text, line] of [
  ['by a member', 'push.js', '// who may\nmodule.exports = { register: function (registration, context, done) { done(); } };', 2],
  ['by a method', 'push.js', 'module.exports = {\nregister(registration, context, done) { done(); } };', 2],
  ['by another module', 'push.js', "module.exports = require('../shared/guard');", 1],
  ['by master', 'push.json', '{"routes":{"registrations":{\n"*":{"permission":"master"}}}}', 2],
  ['by disabled', 'push.json', '{"routes":{"*":\n{"delete":"disabled"}}}', 2],
  ['by a level that nobody knows', 'push.json', '{"routes":{"*":{"*":\n{"permission":"Staff"}}}}', 2],
  ['by the key alone', 'push.json', '{"routes":{"*":{"*":{"permission":"application"}}}}'],
  ['in a comment', 'push.js', '// exports.register = function () {};'],
]) {
  test(`devices whose registration a service guards ${what}`, async (t) => {
    const { inventory } = await Worker.start(t, {
      [`service/extensions/${file}`]: text, 'service/table/a.json': '{}',
    }, { form: 'service' });
    assert.deepEqual(named({ inventory }), line ? [[`service/extensions/${file}`, line, 'push-registration']] : []);
  });
}

test('the server knows the names', async () => {
  const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const swift = read('Sources/level4/Scripts/Inventory/UnsupportedFeature.swift');
  const known = [...swift.matchAll(/case (\w+)(?: = "([^"]+)")?/g)].map((match) => match[2] ?? match[1]).sort();
  const worker = read('Sources/level4/Scripts/Worker/unsupported.js');
  const told = [...worker.matchAll(/(?:lacks\(|name: )'([\w-]+)'/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(told)].sort(), known);
  for (const name of known) assert.match(read('docs/scripts.md'), new RegExp(`^\\| \`${name}\` \\|`, 'm'));
});

for (const [what, text] of Object.entries({
  'a route of the mobile app': '();\nm.get("/own", (req, res) => res.end());\napp.use(m);',
  'another root of tables': "({ tableRootPath: '/rows' });\napp.use(m);",
  'another root in the file of settings': '();\napp.use(m);',
  'a place below a path': "();\napp.use('/mobile', m);",
})) {
  test(`${what} has every request go through the project`, async (t) => {
    const files = what.includes('file') ? { 'azureMobile.js': "module.exports = { apiRootPath: '/calls' };" } : {};
    const { inventory } = await Worker.start(t, { 'app.js': `${APP}${text}\napp.listen(1);`, ...files }, { form: 'app' });
    assert.deepEqual([inventory.hasChain, named({ inventory })], [true, []]);
  });
}

test('without any of them none does', async (t) => {
  const { inventory } = await Worker.start(t, { 'app.js': `${APP}({ tableRootPath: '/tables' });\napp.use(m);\napp.listen(1);` }, { form: 'app' });
  assert.equal(inventory.hasChain, false);
});
