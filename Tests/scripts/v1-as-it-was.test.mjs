// What a service of Mobile Services relied on that later versions of Node, of Express and of a driver have otherwise.

import assert from 'node:assert/strict';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import { lines, Worker } from './kit.mjs';

const PUBLIC = '{"routes":{"*":{"*":{"permission":"public"}}}}';

/** Starts a service, and asks its APIs. */
async function serving(context, files, more = {}) {
  const worker = await Worker.start(context, files, { form: 'service', ...more });
  const ask = async (url, { method = 'GET', body = '', fields = {} } = {}) => {
    const [name, ...path] = url.split('?')[0].split('/').slice(2);
    const request = { method, url, fields: lines(fields), address: '127.0.0.1' };
    const bytes = Buffer.from(body).toString('base64');
    const call = { kind: 'api', name, path, body: bytes, user: { level: 'admin' }, request };
    const answer = await worker.call(call);
    const text = answer.body === undefined ? undefined : Buffer.from(answer.body, 'base64').toString();
    const type = answer.headers?.find(([each]) => each.toLowerCase() === 'content-type')?.[1];
    return { status: answer.status, text, type, message: answer.message, json: () => JSON.parse(text) };
  };
  return { worker, ask, faults: worker.inventory.faults };
}

test('an API has its routes as Express 3 read them, whichever Express there is', async (context) => {
  const { ask, faults } = await serving(context, {
    'service/api/r.json': PUBLIC,
    'service/api/r.js': `exports.register = function (api) {
      function told(name) { return function (q, r) { r.send(200, { name: name, p: Object.assign({}, q.params), url: q.url }); }; }
      api.get('deep/*', told('deep'));
      api.get('maybe/:a?', told('maybe'));
      api.get('/of/:name.:format', told('format'));
      api.get('n/:n([0-9]+)', told('number'));
      api.get('/', told('root'));
    };`,
  });
  assert.deepEqual(faults, []);
  const get = async (path) => {
    const answer = await ask(`/api/r${path}`);
    if (answer.status !== 200) return answer.status;
    const { name, p } = answer.json();
    return [name, p];
  };
  assert.deepEqual(await get('/deep/a/b'), ['deep', { 0: 'a/b' }]);
  assert.deepEqual(await get('/maybe'), ['maybe', {}]);
  assert.deepEqual(await get('/MAYBE/x'), ['maybe', { a: 'x' }]);
  assert.deepEqual(await get('/of/anna.json'), ['format', { name: 'anna', format: 'json' }]);
  assert.deepEqual(await get('/n/12'), ['number', { n: '12' }]);
  assert.deepEqual([await get('/n/x'), await get('/none')], [404, 404]);
  assert.deepEqual(await get(''), ['root', {}]);
  assert.equal((await ask('/api/r/deep/a?x=1')).json().url, '/api/r/deep/a?x=1');
  assert.equal((await ask('/api/r/none')).message, 'Not Found');
});

test('a status that respond is given alone has no words beside it, and what has no type is JSON', async (context) => {
  const { ask } = await serving(context, {
    'service/api/a.json': PUBLIC,
    'service/api/a.js': `exports.get = function (q, r) {
      if (q.query.how === 'respond') return q.respond(404);
      if (q.query.how === 'null') return q.respond(401, null);
      if (q.query.how === 'end') return r.end('{"a":1}');
      if (q.query.how === 'typed') { r.writeHead(200, { 'content-type': 'image/png' }); return r.end('x'); }
      r.send(200, { type: typeof q.body, isEmpty: !q.body });
    };
    exports.post = exports.get;`,
  });
  const get = async (how) => {
    const { status, text, type } = await ask(`/api/a?how=${how}`);
    return [status, text, type];
  };
  assert.deepEqual(await get('respond'), [404, '', 'application/json']);
  assert.deepEqual(await get('null'), [401, '', 'application/json']);
  assert.deepEqual(await get('end'), [200, '{"a":1}', 'application/json']);
  assert.deepEqual(await get('typed'), [200, 'x', 'image/png']);
  for (const method of ['GET', 'POST']) {
    assert.deepEqual((await ask('/api/a', { method })).json(), { type: 'string', isEmpty: true });
  }
});

test('keys, passwords and texts become bytes as the Node of those days had it', async (context) => {
  const { ask } = await serving(context, {
    'service/node_modules/new/index.js': "exports.crypto = require('crypto');",
    'service/shared/keys.js': "exports.crypto = require('crypto');",
    'service/api/c.json': PUBLIC,
    'service/api/c.js': `var crypto = require('crypto'), shared = require('../shared/keys').crypto;
    exports.get = function (q, r) {
      var key = crypto.createHash('sha256').update('secretJWTSig').digest('binary');
      var cipher = crypto.createCipher('aes-256-cbc', 'pass');
      var hidden = cipher.update('tea', 'utf8', 'base64') + cipher.final('base64');
      var decipher = crypto.createDecipher('aes-256-cbc', 'pass');
      crypto.pbkdf2('pass', 'salt', 1000, 32, function (error, made) {
        r.send(200, {
          signed: crypto.createHmac('sha256', key).update('a.b').digest('base64'), made: made.toString('base64'),
          letter: crypto.createHash('md5').update('\\u00e9').digest('hex'),
          hidden: hidden, shown: decipher.update(hidden, 'base64', 'utf8') + decipher.final('utf8'),
          same: shared === crypto, other: require('new').crypto === crypto, id: typeof crypto.randomUUID(),
        });
      });
    };`,
  });
  const key = createHash('sha256').update('secretJWTSig').digest();
  assert.deepEqual((await ask('/api/c')).json(), {
    signed: createHmac('sha256', key).update('a.b').digest('base64'),
    made: pbkdf2Sync('pass', 'salt', 1000, 32, 'sha1').toString('base64'),
    letter: createHash('md5').update(Buffer.from([0xe9])).digest('hex'),
    hidden: 'v38Gu6DZDbUzK4m5lwK2dQ==', shown: 'tea', same: true, other: false, id: 'string',
  });
});

test('success hears of the result of every statement, and what throws for one keeps none from the next', async (context) => {
  const results = [{ columns: [], rows: [], dates: [], affected: 2 }, { columns: ['n'], rows: [{ n: 2 }], dates: [], affected: 1 }];
  const { ask } = await serving(context, {
    'service/api/s.json': PUBLIC,
    'service/api/s.js': `exports.get = function (q, r) {
      var heard = [];
      var quiet = q.query.quiet ? 'SET NOCOUNT ON; ' : '';
      q.service.mssql[q.query.how](quiet + 'UPDATE t SET a = 1; SELECT 2 AS n', {
        success: function (rows, more) {
          heard.push([rows, more]);
          if (more && q.query.fails) throw new Error('first');
          if (!more) r.send(200, heard);
        },
      });
    };`,
    'service/table/t.json': '{}',
  }, { answer: () => ({ ok: true, results }) });
  assert.deepEqual((await ask('/api/s?how=query')).json(), [[[], true], [[{ n: 2 }], false]]);
  assert.deepEqual((await ask('/api/s?how=query&quiet=1')).json(), [[[{ n: 2 }], false]]);
  const raw = (await ask('/api/s?how=queryRaw')).json();
  assert.deepEqual(raw.map(([{ rowcount, rows }]) => [rowcount, rows]), [[2, []], [1, [[2]]]]);
});

test('a row whose __deleted a script sets is deleted, where the table keeps it', async (context) => {
  const { worker, ask } = await serving(context, {
    'service/api/d.json': PUBLIC,
    'service/api/d.js': `exports.get = function (q, r) {
      q.service.tables.getTable(q.query.t).update({ id: 'a', n: 1, __version: 'v', __deleted: !q.query.lives }, {
        success: function () { r.send(200, 'done'); },
      });
    };`,
    'service/table/kept.json': '{"softDelete":true}',
    'service/table/gone.json': '{}',
  });
  assert.equal((await ask('/api/d?t=Kept')).text, 'done');
  assert.deepEqual(worker.asks.map(({ operation, rowID, item }) => [operation, rowID, item?.n]),
    [['update', 'a', 1], ['delete', 'a', undefined]]);
  // As one has it that was read with its system columns.
  for (const name of ['kept', 'gone']) assert.equal((await ask(`/api/d?t=${name}&lives=1`)).text, 'done');
  assert.deepEqual(worker.asks.slice(2).map(({ operation, version }) => [operation, version]), [['update', 'v'], ['update', 'v']]);
  assert.match((await ask('/api/d?t=gone')).message, /keeps no deleted rows/);
  assert.equal(worker.asks.length, 4);
});

test('a file that says nothing of a table, and one that is none, keep no service from being served', async (context) => {
  const { worker, faults } = await serving(context, {
    'service/table/~$note.json': 'no JSON',
    'service/table/closed.json': 'no JSON',
    'service/table/note.insert.js': 'function insert(item, user, request) { request.execute(); }',
    'service/table/Sport.test.js': 'function test() {}',
    'service/table/other.js': 'exports.get = function () {};',
  });
  assert.deepEqual(faults.map(({ file, fatal }) => [file, fatal]).sort(), [
    ['service/table/Sport.test.js', false], ['service/table/closed.json', false], ['service/table/other.js', false],
    ['service/table/~$note.json', false],
  ]);
  assert.deepEqual(worker.inventory.tables.map(({ name, definition: { access } }) => [name, access?.read ?? access]).sort(),
    [['closed', 'disabled'], ['note', 'application']]);
});

test('tables that scripts name and no file is about are there, for scripts and operators', async (context) => {
  const { worker, faults } = await serving(context, {
    'service/api/a.js': `exports.get = function (q, r) {
      // q.service.tables.getTable('Gone')
      q.service.tables.getTable("Log").read({});
      q.service.tables.getTable('NOTE').read({});
      q.service.mssql.query("UPDATE l SET n = 1 FROM Line AS l JOIN [dbo].[Point] p ON p.id = l.id", {});
      q.service.mssql.query("WITH c AS (SELECT id FROM note) SELECT id FROM c; SELECT 1 FROM INFORMATION_SCHEMA.TABLES", {});
      console.log("see getTable('Prose') or tables.getTable('Words')");
      q.service.mssql.query("SELECT 1 FROM [sys].[tables]; SELECT name FROM dbo.sysobjects; SELECT 1 FROM pg_class", {});
      q.service.mssql.query("SELECT value FROM string_split('x FROM Quoted', ' ') -- FROM Remark\\n", {});
      q.service.mssql.query("INSERT INTO Line (a) SELECT a FROM Hinted (NOLOCK) /* JOIN Noted */", {});
      q.service.tables.getTable('zumod_jobs');
    };`,
    'service/table/note.json': '{}',
  });
  const tables = worker.inventory.tables.map(({ name, definition: { access } }) => [name, access.read, access.insert]);
  assert.deepEqual(tables.sort(), [
    ['Hinted', 'admin', 'admin'], ['Line', 'admin', 'admin'], ['Log', 'admin', 'admin'], ['Point', 'admin', 'admin'], ['note', 'application', 'application'],
  ]);
  assert.deepEqual(faults.map(({ line, fatal, message }) => [line, fatal, /names the table (\w+)/.exec(message)[1]]),
    [[3, false, 'Log'], [5, false, 'Line'], [5, false, 'Point'], [10, false, 'Hinted']]);
  assert.deepEqual(worker.inventory.tables.map(({ name, assumed }) => [name, assumed ?? false]).sort(),
    [['Hinted', true], ['Line', true], ['Log', true], ['Point', true], ['note', false]]);
});

test('a startup script prepares each process, and is run by the server where it asks for data', async (context) => {
  const startup = `exports.startup = function (context, done) {
    require('../shared/state').value = context.config.appSettings.PATH ? 'set' : 'none';
    ASK
  };`;
  const files = (ask) => ({
    'service/extensions/Startup.js': startup.replace('ASK', ask),
    'service/shared/state.js': '',
    'service/api/a.json': PUBLIC,
    'service/api/a.js': "exports.get = function (q, r) { r.send(200, { v: require('../shared/state').value }); };",
    'service/table/note.json': '{}',
  });
  const plain = await serving(context, files('done();'));
  assert.deepEqual([(await plain.ask('/api/a')).json(), plain.worker.inventory.jobs, plain.faults], [{ v: 'set' }, [], []]);
  const asking = await serving(context, files(`context.tables.getTable('note').read({ success: function (rows) {
    context.mssql.query('TRUNCATE TABLE note', { success: done });
  } });`), { answer: (ask) => (ask.do === 'sql' ? { ok: true, results: [] } : { ok: true, rows: [], count: null, dates: [] }) });
  const [job] = asking.worker.inventory.jobs;
  assert.deepEqual([job.cron, job.file, asking.faults], ['@start', 'service/extensions/Startup.js', []]);
  assert.deepEqual((await asking.ask('/api/a')).json(), { v: 'set' });
  asking.worker.send({ t: 'call', id: 99, kind: 'job', name: job.name, user: { level: 'admin' } });
  assert.equal((await asking.worker.next(({ t, id }) => t === 'done' && id === 99)).answer.status, 200);
  assert.deepEqual(asking.worker.asks.map((ask) => ask.do), ['table', 'sql']);
});

for (const [what, source, words] of [
  ['throws', 'exports.startup = function () { throw new Error("no luck"); };', /failed: no luck/],
  ['throws null', 'exports.startup = function () { throw null; };', /failed: null/],
  ['has no function', 'exports.begin = 1;', /exports no function startup/],
  ['is no JavaScript', 'exports.startup = function ( {', /can't be loaded/],
]) {
  test(`a startup script that ${what} is told of, and the service is served`, async (context) => {
    const { faults } = await serving(context, {
      'service/extensions/startup.js': source, 'service/table/note.json': '{}',
    });
    assert.deepEqual(faults.map(({ file, fatal }) => [file, fatal]), [['service/extensions/startup.js', false]]);
    assert.match(faults[0].message, words);
  });
}

test('a startup script that asks for data by a timer is refused it, and the log has its errors', async (context) => {
  const { worker, faults } = await serving(context, {
    'service/extensions/startup.js': `exports.startup = function (context, done) {
      setTimeout(function () { context.tables.getTable('note').read({}); }, 300);
      setTimeout(function () { throw new Error('no luck'); }, 400);
      done();
    };`,
    'service/table/note.json': '{}',
  });
  assert.deepEqual([faults, worker.inventory.jobs], [[], []]);
  const told = (words) => worker.next(({ t, level, text }) => t === 'log' && level === 'error' && words.test(text));
  await told(/gets no data once the service is loaded/);
  await told(/no luck/);
});

test('an error that a table script answers by is a line in the log where it is a failure', async (context) => {
  const { worker } = await serving(context, {
    'service/table/note.read.js': `function read(query, user, request) {
      var error = new Error('no luck');
      error.statusCode = request.parameters.status;
      request.respond(error);
    }`,
  });
  const ask = (status) => worker.call({
    kind: 'table', generation: 'v1', table: 'note', operation: 'read', query: {},
    request: { method: 'GET', url: '/', fields: '', address: '127.0.0.1', parameters: { status } },
  });
  assert.equal((await ask('400')).status, 400);
  assert.deepEqual(worker.messages.filter(({ t }) => t === 'log'), []);
  assert.equal((await ask('')).status, 500);
  assert.match(worker.messages.find(({ t }) => t === 'log').text, /no luck\n.*note\.read\.js/);
});

test('settings of the portal have the names that they had', async (context) => {
  process.env.MS_TwitterConsumerKey = 'key';
  context.after(() => { delete process.env.MS_TwitterConsumerKey; });
  const { ask } = await serving(context, {
    'service/api/a.json': PUBLIC,
    'service/api/a.js': `var config = require('mobileservice-config');
    exports.get = function (q, r) { r.send(200, [config.twitterConsumerKey, q.service.config.twitterConsumerKey, config.masterKey]); };`,
  });
  assert.deepEqual((await ask('/api/a')).json(), ['key', 'key', null]);
});

test('who may do what is told with the file, the line and the key that say so', async (context) => {
  const { worker } = await serving(context, {
    'service/api/a.json': '{"routes":{\n"own":{"permission":"user"},\n"*":{"get":{"permission":"public"}}}}',
    'service/api/a.js': "exports.register = function (api) { api.get('own', f); api.post('x', f); }; exports.get = f; function f() {}",
    'service/table/Note.json': '{"routes":{"/":{"insert":{"permission":"user"},\n"delete":{"permission":"admin"}}}}',
    'service/table/note.insert.js': 'function insert(item, user, request) { request.execute(); }',
  }, { reports: true });
  const [{ verbs }] = worker.inventory.report.apis;
  assert.deepEqual(verbs.map(({ verb, level, key, file, line }) => [verb, level, key, file, line]), [
    ['get', 'anonymous', 'routes.*.get', 'service/api/a.json', 3], ['post', 'admin', null, 'service/api/a.json', null],
  ]);
  const { places } = worker.inventory.tables[0];
  assert.deepEqual([places['insert.access'], places['delete.access'].line, places['undelete.access'].key], [
    { key: 'routes./.insert', file: 'service/table/Note.json', line: 1 }, 2, 'routes./.insert',
  ]);
});

test('what a service has otherwise is told, with its place', async (context) => {
  const files = {
    'service/table/note.insert.js': `function insert(item, user, request) {
      if (item.version == 1) item.createdAt = new Date();
      request.execute();
    }`,
    'service/shared/token.js': "exports.key = require('mobileservice-config').masterKey;",
  };
  const { worker } = await serving(context, files, { reports: true });
  const told = worker.inventory.report.differences.map(({ file, line, text }) => [file, line, text.split(':')[0]]);
  assert.deepEqual(told.sort(), [
    ['service/shared/token.js', 1, 'scripts learn no key of the server'],
    [
      'service/table/note.insert.js', 2, 'a column of its own by this name is __own_createdAt (and so on) to later clients and in '
        + "the configuration, where the plain name is the server's; a table without dynamicSchema needs it among its columns",
    ],
  ]);
});

test('columns of an app\'s own may be named as the server\'s are without underscores', async (context) => {
  const files = {
    'service/table/note.json': '{"columns":{"createdAt":"date","text":"string"}}',
    'service/table/note.insert.js': `function insert(item, user, request) {
      item.createdAt = new Date(0);
      item.version += 1;
      tables.getTable('log').insert({ id: 'l1', createdAt: item.createdAt, version: '1.0', deleted: false }, {
        success: (row) => {
          row.version = '1.1';
          tables.getTable('log').update(row, { success: () => request.execute() });
        },
      });
    }`,
  };
  const { worker } = await serving(context, files);
  assert.deepEqual(worker.inventory.tables[0].definition.columns, { __own_createdAt: 'date', text: 'string' });
  const { kind, set } = await worker.call({
    kind: 'table', generation: 'v1', table: 'note', operation: 'insert', item: { id: 'n1', version: 1 },
    user: { level: 'application' }, request: { method: 'POST', url: '/tables/note', fields: '', parameters: {} },
  });
  // The server knows whose names these are.
  assert.deepEqual([kind, set], ['execute', { createdAt: '1970-01-01T00:00:00.000Z', version: 2 }]);
  const [{ item: made }, { item: changed, version }] = worker.asks;
  assert.deepEqual(made,
    { id: 'l1', __own_createdAt: '1970-01-01T00:00:00.000Z', __own_version: '1.0', __own_deleted: false });
  assert.deepEqual([changed.__own_version, changed.__own_deleted, version], ['1.1', false, null]);
});

test('a client\'s query is handed on to another table by the names that the server has', async (context) => {
  const { worker } = await serving(context, {
    'service/table/note.json': '{}',
    'service/table/note.read.js': `function read(query, user, request) {
      tables.getTable('log').read(query, { success: (rows) => request.respond(200, rows) });
    }`,
  }, { answer: () => ({ ok: true, rows: [], count: null, dates: [] }) });
  const asked = async (message) => {
    await worker.call({
      kind: 'table', generation: 'v1', table: 'note', operation: 'read', user: { level: 'application' },
      request: { method: 'GET', url: '/tables/note', fields: '', parameters: {} }, ...message,
    });
    const { own, added, orderby } = worker.asks.at(-1).query;
    return [own, added, orderby];
  };
  assert.deepEqual(await asked({ query: { filter: 'deleted eq false', orderby: 'createdAt' } }),
    ['__own_deleted eq false', [], '__own_createdAt']);
  assert.deepEqual(await asked({ rowID: 'a', query: { filter: '__deleted eq false and version eq 1' } }),
    ['deleted eq false and __own_version eq 1', ["(id eq 'a')"], null]);
});

test('indexes of a service are over the columns that its table declares', async (context) => {
  const { worker } = await serving(context, {
    'service/table/note.json': JSON.stringify({
      columns: { createdAt: 'date', text: 'string' }, indexes: ['createdat', ['text', 'createdAt', 'updatedAt'], 'version', 7],
    }),
    'service/table/note.insert.js': 'function insert(item, user, request) { request.execute(); }',
    'service/table/log.json': '{"indexes":["createdAt"]}',
    'service/table/log.insert.js': 'function insert(item, user, request) { request.execute(); }',
  });
  const indexes = Object.fromEntries(worker.inventory.tables.map(({ name, definition }) => [name, definition.indexes]));
  assert.deepEqual(indexes, {
    note: ['__own_createdat', ['text', '__own_createdAt', 'updatedAt'], 'version', 7], log: ['createdAt'],
  });
});
