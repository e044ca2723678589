// What the old servers' drivers had that nobody is behind any more.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Server } from './v1-server.mjs';

const SCRIPT = `
function insert(item, user, request) {
    var all = { feedback: null, errors: [] };
    push.apns.getFeedback({
        success: function (devices) {
            all.feedback = devices;
            mssql.open({
                success: function (connection) {
                    var failed = { error: function (error) { all.errors.push(error.message); } };
                    connection.beginTransaction(failed);
                    connection.commit(function (error) {
                        all.errors.push(error.message);
                        connection.close(function () { request.respond(201, all); });
                    });
                },
            });
        },
    });
}
`;

test('feedback of devices is empty, and transactions over several questions are refused', async (context) => {
  const root = mkdtempSync(path.join(tmpdir(), 'zumod-drivers-'));
  context.after(() => rmSync(root, { recursive: true }));
  mkdirSync(path.join(root, 'table'));
  writeFileSync(path.join(root, 'table', 'old.insert.js'), SCRIPT);
  const server = await Server.start(root);
  context.after(() => server.end());
  const { body, asks } = await server.post('old', {});
  assert.deepEqual([body.feedback, asks], [[], []]);
  const words = 'the statements of one text are one transaction, all of them done or none';
  assert.deepEqual(body.errors, [`mssql has no beginTransaction: ${words}`, `mssql has no commit: ${words}`]);
});
