// Imports of the SDK as an ES module, which the server's own passes by: none is run, and each is named where it stands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, Worker } from './kit.mjs';

const SDK = { 'node_modules/azure-mobile-apps/index.js': "console.log('another one');\nmodule.exports = { table: () => ({}) };" };
const places = ({ inventory }) => inventory.faults.filter(({ fatal }) => fatal).map(({ file, line }) => [file, line]);
const said = (worker) => worker.messages.filter(({ t }) => t === 'log').map(({ text }) => text);

test('an import is found however it is written, and no comment, text or require is one', () => {
  const { importsIn } = requireOurs('./sdk-imports');
  const source = `import a from 'one';import{b}from"two"; // import c from 'no';
/* import c from 'no'; */ import 'three';
import d, { e,
  f as g } from 'four';
export * from './five.mjs';
export { h } from 'six'
export const name = 'no', from = 'no';
const text = "import c from 'no'", i = require('no');
const j = async () => import(\`seven\`), k = { import: 'no' };`;
  const names = 'one two three four ./five.mjs six seven'.split(' ');
  assert.deepEqual(importsIn(source).map(({ name }) => name), names);
  assert.deepEqual(importsIn(source).map(({ line }) => line), [1, 1, 2, 4, 5, 6, 9]);
});

test('files that import it are not run, whether it is installed or not', async (t) => {
  const files = {
    'tables/a.js': "// a line\nimport ama from 'azure-mobile-apps';\nconst t = ama.table();\nexport default t;",
    'api/b.js': "exports.get = async (req, res) => {\n  const data = await import('azure-mobile-apps/src/data/index.js');\n};",
    'api/c.js': "import { x } from '../shared/d.mjs';\nexport const get = x;",
    'shared/d.mjs': "export { x } from './e.mjs';",
    'shared/e.mjs': "import { table } from 'azure-mobile-apps';\nexport const x = table;",
  };
  for (const more of [SDK, {}]) {
    const worker = await Worker.start(t, { ...files, ...more });
    assert.deepEqual(places(worker).sort(), [['api/b.js', 2], ['shared/e.mjs', 1], ['tables/a.js', 2]]);
    assert.ok(worker.inventory.faults.every(({ message }) => message.includes("require('azure-mobile-apps")));
    assert.deepEqual([worker.inventory.tables, worker.inventory.apis, said(worker)], [[], [], []]);
  }
});

test('so it is in a project: its tables stand aside, and a file that others require keeps it from being served', async (t) => {
  const app = "const m = require('azure-mobile-apps')();\nm.tables.import('tables');\n";
  const table = { 'tables/a.js': "import ama from 'azure-mobile-apps';\nexport default ama.table();" };
  const aside = await Worker.start(t, { 'app.js': app, ...table, ...SDK }, { form: 'app' });
  assert.deepEqual([places(aside), aside.inventory.tables.map(({ name, broken }) => [name, broken])], [[], [['a', true]]]);
  const files = { 'app.js': `require('./lib/data');\n${app}`, 'lib/data.js': "exports.f = () => import('azure-mobile-apps');" };
  assert.deepEqual(places(await Worker.start(t, { ...files, ...SDK }, { form: 'app' })), [['lib/data.js', 1]]);
  const main = await Worker.start(t, { 'app.js': "import m from 'azure-mobile-apps';\nm();", ...SDK }, { form: 'app' });
  assert.deepEqual([places(main), said(main)], [[['app.js', 1]], []]);
});
