// Which file of a project is run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folder, requireOurs } from './kit.mjs';

const { mainOf } = requireOurs('./main-file');
const SDK = "require('azure-mobile-apps')(); app.listen(1);";
const SILENT = "module.exports = require('azure-mobile-apps')();";
const OTHER = "require('express')().listen(1);";

for (const [what, expected, files] of [
  ['app.js where nothing says otherwise', 'app.js', { 'app.js': SDK, 'server.js': SDK }],
  ['main of package.json', 'lib/go.js', { 'app.js': SDK, 'lib/go.js': SDK, 'package.json': '{ "main": "./lib/go.js" }' }],
  ['main without its ending', 'lib/go.js', { 'app.js': SDK, 'lib/go.js': SDK, 'package.json': '{ "main": "lib/go" }' }],
  ['what the start script runs', 'server.js', {
    'app.js': SDK, 'server.js': SDK, 'package.json': '{ "main": "app.js", "scripts": { "start": "NODE_ENV=x node --trace-warnings server" } }',
  }],
  ['a start script that nobody has kept true', 'app.js', {
    'app.js': SDK, 'bin/www': "require('../app').listen(1);", 'package.json': '{ "scripts": { "start": "node ./bin/www" } }',
  }],
  ['main that requires the mobile app', 'server.js', {
    'app.js': SILENT, 'server.js': "app.use(require('./app')); app.listen(1);", 'package.json': '{ "main": "server.js" }',
  }],
  ['a start script without an ending that requires the rest', 'bin/www', {
    'app.js': SILENT, 'bin/www': "require('../app');", 'package.json': '\uFEFF{ "scripts": { "start": "node ./bin/www" } }',
  }],
  ['main, beside an old app.js', 'src/main.js', {
    'app.js': SDK, 'src/main.js': "require('./guard'); require('./mobile');",
    'package.json': '{ "main": "src/main.js", "scripts": { "start": "node src/main.js" } }',
  }],
  ['what listens around a mobile app that could listen too', 'server.js', {
    'app.js': `if (require.main === module) { ${SDK} } module.exports = app;`,
    'server.js': "app.use(guard, require('./app')); app.listen(1);", 'package.json': '{ "main": "server" }',
  }],
  ['a start script in another folder', 'server/app.js', {
    'app.js': SDK, 'server/app.js': SDK, 'package.json': '{ "scripts": { "start": "cd server && npm i && node app.js" } }',
  }],
  ['main, where a start script is in a folder that is not there', 'server.js', {
    'app.js': SDK, 'server.js': SDK, 'package.json': '{ "main": "server.js", "scripts": { "start": "cd \\"a b\\" && node app.js" } }',
  }],
  ['app.js, where main is no server of ours', 'app.js', { 'app.js': SDK, 'index.js': OTHER, 'package.json': '{ "main": "index.js" }' }],
  ['app.js, where main is missing', 'app.js', { 'app.js': SDK, 'package.json': '{ "main": "index.js", "scripts": { "start": "gulp" } }' }],
  ['main, where nothing looks like ours', 'index.js', { 'app.js': OTHER, 'index.js': OTHER, 'package.json': '{ "main": "index.js" }' }],
]) {
  test(what, (t) => assert.equal(mainOf(folder(t, files)), expected));
}

test('none at all is an error', (t) => {
  assert.throws(() => mainOf(folder(t, { 'package.json': '{}' })), /there is no app\.js/);
  assert.throws(() => mainOf(folder(t, { 'package.json': '{ "main": ' })), SyntaxError);
});
