// What `zumod check` is told of a project.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, Worker } from './kit.mjs';

const { statementsIn } = requireOurs('./report');
const found = (text) => statementsIn({ file: 'a.js', text }).map(({ line, text: sql, isOpen }) => [line, sql, isOpen]);

test('SQL is found where it is written out, whole', () => {
  assert.deepEqual(found(`
    mssql.query('SELECT a FROM t WHERE b = ?', [1]);
    // mssql.query('SELECT old FROM t');
    const sql = "UPDATE t SET a = 'x' " +
      'WHERE id = @id';
    const many = \`DELETE FROM t
      WHERE a = 1\`;
    log('select an item, please'); log('Update the row'); log('deleted from');
    run('SELECT * FROM ' + name); run(\`INSERT INTO \${name} (a) VALUES (1)\`); run('TRUNCATE TABLE t');
    run('it\\'s', 'select \\'a\\' as b from t');`), [
    [2, 'SELECT a FROM t WHERE b = ?', false],
    [4, "UPDATE t SET a = 'x' WHERE id = @id", false],
    [6, 'DELETE FROM t\n      WHERE a = 1', false],
    [9, 'SELECT * FROM ', true],
    [9, 'INSERT INTO ${name} (a) VALUES (1)', true],
    [9, 'TRUNCATE TABLE t', false],
    [10, "select 'a' as b from t", false],
  ]);
});

const FILES = {
  'app.js': `const app = require('express')();
const m = require('azure-mobile-apps')({ swagger: true });
app.use(function first(req, res, next) { next(); });
m.use((req, res, next) => next());
m.tables.import('./tables');
m.api.import('./api');
app.use(m);
app.use((error, req, res, next) => next(error));
app.listen(3000);
`,
  'tables/notes.js': `const table = module.exports = require('azure-mobile-apps').table();
table.read.use(require('../lib/guard'), table.operation);
table.filters = [(query) => query];
`,
  'lib/guard.js': '\n\nmodule.exports = function guard(req, res, next) { next(); };\n',
  'api/steps.js': 'function one(req, res, next) { next(); }\nexports.get = [one, (req, res) => res.json({})];\n',
};

test('what requests come through is told in its order, each by its file and line', async (context) => {
  const { report } = (await Worker.start(context, FILES, { form: 'app', reports: true })).inventory;
  assert.deepEqual(report.chain.map(({ at, name, file, line }) => [at, name, file, line]), [
    ['the application', 'first', 'app.js', 3],
    ['the mobile app', 'a function', 'app.js', 4],
    ['the application', 'the tables and APIs', '', null],
    ['the application', 'a function', 'app.js', 8],
    ['table notes, read', 'guard', 'lib/guard.js', 3],
    ['table notes, read', 'the operation', '', null],
    ['table notes, filters', 'a function', 'tables/notes.js', 3],
    ['API steps, get', 'one', 'api/steps.js', 1],
  ]);
  assert.deepEqual(report.differences.map(({ file, line }) => [file, line]), [['app.js', 2]]);
});

test('a server is told nothing of it', async (context) => {
  assert.equal((await Worker.start(context, FILES, { form: 'app' })).inventory.report, undefined);
});
