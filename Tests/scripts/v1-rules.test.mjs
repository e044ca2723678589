// Who may do what in a Mobile Service: what the files beside scripts say, and what in them nobody understands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs, Worker } from './kit.mjs';

const { Rules } = requireOurs('./v1-rules');
const WORDS = { table: ['read', 'insert', 'update', 'delete', 'undelete'], api: ['get', 'post', 'put', 'patch', 'delete'] };
const SHORT = { anonymous: '-', application: 'k', authenticated: 'u', admin: 'a', disabled: 'x' };

/** The levels of a file, a letter for each operation or verb, and the lines and words of what is told of it. */
function understood(kind, text, { route = '/', routes } = {}) {
  const told = [];
  const rules = new Rules(kind, { file: 'a.json', text, value: JSON.parse(text) }, (file, line, words) => told.push([line, words]));
  if (routes) rules.takeRoutesOf(routes);
  const levels = WORDS[kind].map((word) => SHORT[rules.level(route, word, 'application')]).join('');
  return { levels, told, places: (word) => rules.place(route, word) };
}

test('what Mobile Services wrote is understood, and nothing is told of it', () => {
  const cases = [
    ['{}', 'kkkkk'],
    ['{"insert":{"permission":"application"},"read":{"permission":"public"},"update":{"permission":"user"},'
      + '"delete":{"permission":"admin"},"undelete":{"permission":"user"}}', '-kuau'],
    ['{"read":"user"}', 'uaaaa'],
    ['{"read":"public","insert":"user","del":"user"}', '-uauu'],
    ['{"insert":{"access":"user"}}', 'auaau'],
    ['{"access":"User"}', 'uuuuu'],
    ['{"permission":"authenticated"}', 'uuuuu'],
    ['{"permission":"everyone"}', '-----'],
    ['{"permission":"disabled"}', 'xxxxx'],
    ['{"routes":{}}', 'aaaaa'],
    ['{"routes":{"*":"user"}}', 'uuuuu'],
    ['{"routes":{"*":{"permission":"public"}}}', '-----'],
    ['{"routes":{"*":{"*":{"permission":"public"}}}}', '-----'],
    ['{"routes":{"/":{"read":{"permission":"public"},"insert":"user"}}}', '-uaau'],
    ['{"routes":{"":{"read":"public"},"*":{"permission":"user"}}}', '-aaaa'],
    ['{"softDelete":true,"columns":{"access":"string","user":"string"},"indexes":["a"],"autoIncrement":true}', 'kkkkk'],
    ['{"enableSoftDelete":true,"dynamicSchema":false,"permission":null}', 'kkkkk'],
    ['{"insert":null}', 'aaaaa'],
    ['{"insert":{}}', 'aaaaa'],
  ];
  for (const [text, levels] of cases) {
    const is = understood('table', text);
    assert.deepEqual([is.levels, is.told], [levels, []], text);
  }
  const routes = ['/', '/books', '/secret'];
  const text = '{"routes":{"/books":{"get":{"permission":"public"},"post":{"permission":"user"}},"secret":{"permission":"admin"},'
    + '"*":{"permission":"user"}}}';
  const of = (route) => understood('api', text, { route, routes });
  assert.deepEqual([of('/').levels, of('/books').levels, of('/secret').levels, of('/').told], ['uuuuu', '-uaaa', 'aaaaa', []]);
  assert.deepEqual(understood('api', '{"get":{"permission":"public"},"delete":"user"}').levels, '-aaau');
});

test('a right that nobody understands lets in the master key alone, and is told of by its line', () => {
  const cases = [
    ['{\n"acces":"user"}', 'aaaaa', 2, /^`acces` is no key of a table; only the master key is let in/],
    ['{\n"permissions":{"insert":"user"}}', 'aaaaa', 2, /`permissions` is no key of a table/],
    ['{\n"Permission":"user"}', 'aaaaa', 2, /`Permission` is no key/],
    ['{\n"Routes":{"*":{"permission":"admin"}}}', 'aaaaa', 2, /`Routes` is no key/],
    ['{\n"rotues":{}}', 'aaaaa', 2, /`rotues` is no key/],
    ['{\n"routes":"user"}', 'aaaaa', 2, /`routes` has to be an object/],
    ['{\n"routes":["user"]}', 'aaaaa', 2, /`routes` has to be an object/],
    ['{\n"routes":null}', 'aaaaa', 2, /`routes` has to be an object/],
    ['{\n"perUser":true}', 'aaaaa', 2, /`perUser` is no key/],
    ['{\n"peruser":true}', 'aaaaa', 2, /`peruser` is no key/],
    ['{\n"visible":["a"]}', 'aaaaa', 2, /`visible` is no key/],
    ['{\n"authorize":true}', 'aaaaa', 2, /`authorize` is no key/],
    ['{\n"raed":"usr"}', 'aaaaa', 2, /`raed` is no key/],
    ['{\n"who":"user"}', 'aaaaa', 2, /`who` is no key/],
    ['{\n"clients":{"all":{"permission":"user"}}}', 'aaaaa', 2, /`clients` is no key/],
    ['{\n"user":["insert"]}', 'aaaaa', 2, /`user` is no key/],
    ['{\n"get":"public"}', 'aaaaa', 2, /`get` is no key of a table/],
    ['{\n"*":{"permission":"public"}}', 'aaaaa', 2, /`\*` is no key/],
    // What is said of an operation by itself stands.
    ['{"read":"public",\n"acces":"user"}', '-aaaa', 2, /`acces`/],
    ['{"insert":"user","permission":"public",\n"acces":"admin"}', 'auaau', 2, /`acces`/],
    ['{"permission":"disabled",\n"acces":"user"}', 'xxxxx', 2, /`acces`/],
    ['{"read":{"permission":"public",\n"acces":"admin"}}', 'aaaaa', 2, /`read.acces` is no key/],
    ['{"insert":"public","undelete":{\n"permision":"admin"}}', 'a-aaa', 2, /`undelete.permision` is no key/],
    ['{"insert":{\n"permision":"user"}}', 'aaaaa', 2, /`insert.permision`/],
    ['{\n"insert":["user"]}', 'aaaaa', 2, /`insert` has to be a level or an object/],
    ['{\n"insert":true}', 'aaaaa', 2, /`insert` has to be a level or an object/],
    ['{"routes":{"*":{"permission":"public",\n"raed":{"permission":"admin"}}}}', 'aaaaa', 2, /`routes.\*.raed` is no key/],
    ['{"routes":{"*":{"permission":"public"}},\n"read":"admin"}', 'aaaaa', 2, /`read` counts for nothing beside `routes`/],
    ['{"routes":{"*":{"permission":"public"},\n"read":"admin"}}', 'aaaaa', 2, /`routes.read` is no route of a table/],
    ['{"routes":{"*":{"permission":"public"}},\n"Routes":{}}', 'aaaaa', 2, /`Routes`/],
    ['{"routes":{"/":{"read":"public"}},\n"Routes":{}}', '-aaaa', 2, /`Routes`/],
    // These kept everybody out before, without a word.
    ['{"routes":{\n"insert":{"permission":"user"}}}', 'aaaaa', 2, /`routes.insert` is no route of a table/],
    ['{"routes":{"/":{\n"inser":{"permission":"user"}}}}', 'aaaaa', 2, /`routes.\/.inser` is no key/],
    ['{"routes":{"*":{"read":"public",\n"permission":"user"}}}', '-aaaa', 2, /`routes.\*.permission` counts for nothing beside `read`/],
    // What is no level lets nobody in.
    ['{\n"read":"usr"}', 'xaaaa', 2, /'usr' is no level/],
    ['{\n"permission":5}', 'xxxxx', 2, /'5' is no level/],
    ['{\n"permission":"constructor"}', 'xxxxx', 2, /'constructor' is no level/],
  ];
  for (const [text, levels, line, words] of cases) {
    const is = understood('table', text);
    assert.deepEqual([is.levels, is.told.map(([each]) => each)], [levels, [line]], text);
    assert.match(is.told[0][1], words, text);
  }
  assert.deepEqual(understood('table', '{"read":"public",\n"acces":"user"}').places('update'), { key: 'acces', file: 'a.json', line: 2 });
  assert.deepEqual(understood('table', '{"insert":"user",\n"acces":"user"}').places('undelete'), { key: 'insert', file: 'a.json', line: 1 });
});

test('the same of an API', () => {
  const routes = ['/', '/own'];
  const cases = [
    ['{\n"route":{"*":{"permission":"user"}}}', 'aaaaa', /`route` is no key of an API; only the master key is let in/],
    ['{\n"Get":"admin"}', 'aaaaa', /`Get` is no key/],
    ['{\n"all":"admin"}', 'aaaaa', /`all` is no key/],
    ['{\n"read":{"permission":"public"}}', 'aaaaa', /`read` is no key of an API/],
    ['{"permission":"public",\n"Get":"admin"}', 'aaaaa', /`Get` is no key/],
    ['{"routes":{"*":{"permission":"public"},\n"get":{"permission":"admin"}}}', 'aaaaa', /`routes.get` is no route of the API; only/],
    // It may be of a route that was there once.
    ['{"routes":{"*":{"permission":"public"},\n"secrt":{"permission":"admin"}}}', '-----', /`routes.secrt` is no route.*for nothing$/],
    ['{"get":"public",\n"head":"user"}', '-aaaa', /`head` is no key of an API, and counts for nothing$/],
  ];
  for (const [text, levels, words] of cases) {
    const is = understood('api', text, { routes });
    assert.deepEqual([is.levels, is.told.map(([each]) => each)], [levels, [2]], text);
    assert.match(is.told[0][1], words, text);
  }
  const text = '{"routes":{"own":{"permission":"public",\n"gett":"admin"},"*":{"permission":"user"}}}';
  const of = (route) => understood('api', text, { route, routes });
  assert.deepEqual([of('/own').levels, of('/').levels, of('/').told.length], ['aaaaa', 'uuuuu', 1]);
});

test('what has nothing to do with rights is told of, and closes nothing', () => {
  const keys = ['//', '// read', '$schema', '_note', 'comment', 'description', 'version', 'author', 'name', 'created', 'updatedAt'];
  for (const key of [...keys, 'owner', 'icon', 'pageSize']) {
    const is = understood('table', JSON.stringify({ [key]: 'of the shed' }));
    assert.deepEqual([is.levels, is.told.map(([, words]) => /is no key of a table, and counts for nothing$/.test(words))],
      ['kkkkk', [true]], key);
  }
  for (const [key, meant] of [['softdelete', 'softDelete'], ['column', 'columns'], ['dynamicSchma', 'dynamicSchema']]) {
    const is = understood('table', JSON.stringify({ read: 'public', [key]: {} }));
    assert.deepEqual(is.levels, '-aaaa');
    assert.match(is.told[0][1], new RegExp(`\`${key}\` is no key of a table, and counts for nothing: \`${meant}\` is one`));
  }
});

test('a service is closed where its files aren\'t understood, and a table to everybody whose file can\'t be read', async (context) => {
  const insert = 'function insert(item, user, request) { request.execute(); }';
  const get = 'exports.get = function (request, response) { response.send(200, {}); };';
  const broken = { torn: '{"routes":', list: '[]', nothing: 'null', text: '"user"', both: '{' };
  const worker = await Worker.start(context, {
    'service/table/odd.json': '{"acces":"user"}',
    'service/api/odd.js': get,
    'service/api/odd.json': '{"route":{"*":{"permission":"user"}}}',
    'service/api/torn.js': get,
    'service/api/torn.json': '{',
    'service/table/Torn.insert.js': insert,
    'service/table/torn.read.js': 'function read(query, user, request) { request.execute(); }',
    'service/table/both.insert.js': { link: 'nowhere' },
    'service/scheduler/torn.js': 'function torn() {}',
    ...Object.fromEntries(Object.entries(broken).map(([name, text]) => [`service/table/${name}.json`, text])),
  }, { form: 'service' });
  const { apis, faults, tables } = worker.inventory;
  const odd = tables.find(({ name }) => name === 'odd');
  assert.deepEqual([odd.definition.access.read, odd.places['read.access'].key], ['admin', 'acces']);
  assert.deepEqual(apis.map(({ name, verbs, broken: is }) => [name, verbs.get, is ?? false]),
    [['odd', 'admin', false], ['torn', 'anonymous', true]]);
  assert.deepEqual(faults.map(({ file, fatal, message }) => [file, fatal, /is answered (\d+)$/.exec(message)?.[1]]).sort(), [
    ['service/api/odd.json', false, undefined], ['service/api/torn.json', false, '500'],
    ['service/table/both.insert.js', false, '405'], ['service/table/both.json', false, '405'],
    ['service/table/list.json', false, '405'], ['service/table/nothing.json', false, '405'],
    ['service/table/odd.json', false, undefined], ['service/table/text.json', false, '405'],
    ['service/table/torn.json', false, '405'],
  ]);
  for (const table of Object.keys(broken)) {
    const { definition, places } = tables.find(({ name }) => name.toLowerCase() === table);
    assert.deepEqual([definition.access, places.access.file], ['disabled', `service/table/${table}.json`]);
  }
});

test('what is said of a job is done, or told of by its line', async (context) => {
  const { Schedule } = requireOurs('./schedule');
  const read = (text) => {
    const told = [];
    const schedule = new Schedule('job', { file: 'job.json', text, value: JSON.parse(text) }, (file, line, words, fatal) => {
      told.push([line, fatal, words]);
    });
    return [schedule.cron, told];
  };
  for (const [text, cron] of [
    ['{}', null], ['{"cron":" 0 3 * * * ","name":"job"}', '0 3 * * *'], ['{"cron":"0 3 * * *","status":"Disabled"}', null],
    ['{"intervalUnit":"minute","intervalPeriod":"15","status":"enabled","startTime":null}', '*/15 * * * *'],
    ['{"intervalUnit":"None","interval":5}', null], ['{"intervalUnit":"Months"}', '0 0 1 * *'],
  ]) assert.deepEqual(read(text), [cron, []], text);
  for (const [text, cron, fatal, words] of [
    ['{"interval":5,\n"intervalUnit":"week"}', null, true, /`intervalUnit` is 'week', none of minute/],
    ['{\n"interval":15}', null, true, /`interval` says nothing without `intervalUnit`/],
    ['{\n"startTime":"2013-05-01T02:30:00Z"}', null, true, /`startTime` says nothing without `intervalUnit`/],
    ['{"intervalUnit":"hour",\n"interval":true}', null, true, /`interval` has to be a whole number/],
    ['{"intervalUnit":"hour",\n"status":"off"}', null, true, /`status` is 'off'/],
    ['{"intervalUnit":"hour",\n"cron":5}', null, true, /`cron` has to be five fields/],
    ['{"intervalUnit":"day",\n"startTime":"2013-05-01T02:30:00Z"}', '0 0 * * *', false, /`startTime` counts for nothing/],
    ['{"intervalUnit":"hour","interval":1,\n"intervalPeriod":2}', '0 * * * *', false, /`intervalPeriod`.*beside `interval`/],
    ['{"intervalUnit":"minute",\n"interval":7}', '*/7 * * * *', false, /every 7 minutes begins anew with every hour/],
    ['{"cron":"0 3 * * *",\n"intervalUnit":"hour"}', '0 3 * * *', false, /`intervalUnit` counts for nothing beside `cron`/],
    ['{"cron":"0 3 * * *",\n"name":"other"}', '0 3 * * *', false, /`name` is 'other'/],
    ['{"cron":"0 3 * * *",\n"timezone":"CET"}', '0 3 * * *', false, /`timezone` is no key of a job, and counts for nothing$/],
    ['{"cron":"0 3 * * *",\n"enabled":false}', null, false, /`enabled` is no key of a job.*isn't begun by itself/],
    ['{\n"intervalunit":"hour"}', null, false, /`intervalUnit` is one; the job isn't begun by itself/],
  ]) {
    const [is, told] = read(text);
    assert.deepEqual([is, told.map((each) => each.slice(0, 2))], [cron, [[2, fatal]]], text);
    assert.match(told[0][2], words, text);
  }
  assert.deepEqual(read('[]'), [null, [[null, true, 'has to be a JSON object']]]);
  const worker = await Worker.start(context, {
    'service/api/alone.json': '{"get":"user"}',
    'service/scheduler/alone.json': '{"cron":"0 3 * * *"}',
    'service/scheduler/Tidy.js': 'function tidy() {}',
    'service/scheduler/tidy.json': '{\n"cron":"0 3 * * *"}',
  }, { form: 'service' });
  assert.deepEqual(worker.inventory.faults.map(({ file, fatal }) => [file, fatal]),
    [['service/api/alone.json', false], ['service/scheduler/alone.json', false]]);
  assert.deepEqual(worker.inventory.jobs.map(({ cron, place }) => [cron, place]),
    [['0 3 * * *', { file: 'service/scheduler/tidy.json', line: 2 }]]);
});
