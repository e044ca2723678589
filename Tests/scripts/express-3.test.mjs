// What APIs of Mobile Services find on requests and responses, as Express 3 had it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lines } from './kit.mjs';
import { Server } from './v1-server.mjs';

const API = `
exports.get = function (request, response) {
    var how = request.query.how;
    if (how === 'cookies') {
        response.cookie('a', 'x y', { maxAge: 60000, httpOnly: true, secure: true });
        response.cookie('o', { n: 1 }, { path: '/api', domain: 'example.org' });
        response.clearCookie('gone');
        return response.send(200, request.cookies);
    }
    if (how === 'bad-path') return response.cookie('a', 'x', { path: '/\\r\\nX: 1' }).send(200);
    if (how === 'fields') {
        response.header('X-One', '1');
        response.contentType('xml');
        response.links({ next: '/2' });
        response.vary('Accept');
        response.vary('Accept');
        return response.send(200, '<a/>');
    }
    if (how === 'file') {
        response.attachment('rows.csv');
        return response.send('a,b');
    }
    if (how === 'format') {
        return response.format({
            text: function () { response.send('text'); },
            json: function () { response.send({ format: 'json' }); },
        });
    }
    response.send(200, {
        ip: request.ip, ips: request.ips, host: request.host, xhr: request.xhr, path: request.path,
        json: request.accepts('html, json'), no: request.accepts('png'), languages: request.acceptedLanguages,
        language: request.acceptsLanguage('fr', 'de'), signed: request.signedCookies, header: request.header('accept'),
    });
};
`;

let root;
let server;
before(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'zumod-express-'));
  mkdirSync(path.join(root, 'api'));
  writeFileSync(path.join(root, 'api', 'web.js'), API);
  server = await Server.start(root);
});
const get = (how, headers = {}) => server.call({
  kind: 'api', name: 'web', path: [], body: '', request: { url: `/api/web?how=${how}`, fields: lines(headers) },
});

test('cookies are set, taken back and read', async () => {
  const { answer, body } = await get('cookies', { cookie: 'b="q"; c=%20; j=j%3A%7B%22m%22%3A2%7D; __proto__=p; b=z' });
  assert.deepEqual(Object.entries(body), [['b', 'q'], ['c', ' '], ['j', { m: 2 }], ['__proto__', 'p']]);
  const set = answer.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  assert.match(set[0], /^a=x%20y; Max-Age=60; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure$/);
  assert.equal(set[1], 'o=j%3A%7B%22n%22%3A1%7D; Domain=example.org; Path=/api');
  assert.equal(set[2], 'gone=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  assert.equal((await get('bad-path')).status, 500);
});

test('fields of an answer', async () => {
  const { headers, body } = await get('fields');
  assert.deepEqual([headers['x-one'], headers['content-type'], headers.link, headers.vary, body],
    ['1', 'application/xml; charset=utf-8', '</2>; rel="next"', 'Accept', '<a/>']);
  const file = await get('file');
  assert.deepEqual([file.headers['content-disposition'], file.headers['content-type'], file.body],
    ['attachment; filename="rows.csv"', 'text/csv; charset=utf-8', 'a,b']);
});

test('the format that a client likes best', async () => {
  assert.equal((await get('format', { accept: 'text/plain;q=0.5, application/json' })).body.format, 'json');
  assert.equal((await get('format', { accept: 'text/*' })).body, 'text');
  assert.equal((await get('format')).body, 'text');
  assert.equal((await get('format', { accept: 'image/png' })).status, 406);
});

test('what a request says of its client', async () => {
  const { body } = await get('', {
    host: 'example.org:8080', accept: 'application/json', 'accept-language': 'de;q=0.8, en', 'x-requested-with': 'XMLHttpRequest',
  });
  assert.deepEqual(body, {
    ip: '1.2.3.4', ips: [], host: 'example.org', xhr: true, path: '/api/web', json: 'json', no: false,
    languages: ['en', 'de'], language: 'de', signed: {}, header: 'application/json',
  });
});

// Node 18 ends no file whose processes are there.
test('the worker ends', () => {
  server.end();
  rmSync(root, { recursive: true });
});
