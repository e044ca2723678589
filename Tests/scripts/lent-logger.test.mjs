// The logger that came with the SDK: settings name it, and projects have it without installing it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from './kit.mjs';

const APP = `const app = require('express')();
const mobile = require('azure-mobile-apps')();
mobile.tables.add('items');
app.use(mobile);
app.listen(1);`;
const SETTINGS = `const winston = require('winston');
const own = new winston.Logger({ level: 'warn', transports: [new winston.transports.Console({ colorize: true })] });
own.info('too small a matter');
own.warn('a warning of', 'settings');
winston.log('error', 'and one more');
module.exports = { pageSize: 7, logging: { level: 'silly', transports: [new (winston.transports.Console)()] } };`;

test('settings that name it are read, and what it is told is in the log', async (t) => {
  const worker = await Worker.start(t, { 'app.js': APP, 'azureMobile.js': SETTINGS }, { form: 'app' });
  assert.deepEqual(worker.inventory.faults, []);
  assert.equal(worker.inventory.tables[0].definition.pageSize, 7);
  const said = worker.messages.filter(({ t: kind }) => kind === 'log').map(({ level, text }) => [level, text]);
  assert.deepEqual(said, [['warning', 'a warning of settings'], ['error', 'and one more']]);
});

test('one that is installed is the project\'s own', async (t) => {
  const files = {
    'app.js': APP, 'azureMobile.js': "module.exports = { pageSize: require('winston').size };",
    'node_modules/winston/index.js': 'exports.size = 9;',
  };
  const worker = await Worker.start(t, files, { form: 'app' });
  assert.equal(worker.inventory.tables[0].definition.pageSize, 9);
});

test('one that is installed beside who asks is not taken away by the lent one', async (t) => {
  const files = {
    'app.js': `require('part');\n${APP}`, 'azureMobile.js': SETTINGS,
    'node_modules/part/index.js': "console.log('has ' + require('winston').size);",
    'node_modules/part/node_modules/winston/index.js': 'exports.size = 9;',
  };
  const worker = await Worker.start(t, files, { form: 'app' });
  assert.deepEqual(worker.inventory.faults, []);
  const said = worker.messages.filter(({ t: kind }) => kind === 'log').map(({ text }) => text);
  assert.deepEqual(said.slice(0, 2), ['has 9', 'a warning of settings']);
});
