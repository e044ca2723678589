// A folder that is named by a link to it.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, requireOurs } from './kit.mjs';

test('an earlier module is that of all of its files', (t) => {
  const root = folder(t, {
    'real/a.js': "module.exports = require('crypto');", 'real/node_modules/b/index.js': "module.exports = require('crypto');",
  });
  const link = join(root, 'link');
  symlinkSync(join(root, 'real'), link);
  const old = {};
  requireOurs('./resolve').keep('crypto', old, link);
  assert.equal(requireOurs(join(link, 'a.js')), old);
  assert.notEqual(requireOurs(join(link, 'node_modules/b')), old);
});
