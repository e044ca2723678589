// A server for the worker to talk to: tables in memory, and what it was asked for.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checked, lines } from './kit.mjs';
import { matches } from './v1-filter.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const main = path.join(here, '../../Sources/level4/Scripts/Worker/main.js');

export const projects = path.join(here, 'projects');

export const alice = {
  id: 'Facebook:alice', level: 'user', provider: 'facebook', claims: { accessToken: 'fb-token' }, token: 'token',
};
export const nobody = { level: 'anonymous' };

const isDate = (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const datesIn = (rows) => [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isDate(row[name]))))];

/** All conditions of a query, as the client or a script has it. */
export const filterOf = ({ filter, own = filter, added = [] } = {}) => [own, ...added].filter(Boolean).map((each) => `(${each})`)
  .join(' and ');

/** Names of columns as scripts have them, where they are the app's own and the server has others. */
const plain = (text) => text.replaceAll(/\b__own_/g, '');

/** The result of a statement, with what a test doesn't say of it. */
const whole = (result) => ({ columns: Object.keys(result.rows[0] ?? {}), dates: [], affected: 0, ...result });

class Refused extends Error {
  constructor(code, status, message, row) {
    super(message);
    this.error = { code, status, message, row: row ?? null, dates: row ? datesIn([row]) : [] };
  }
}

export class Server {
  /** @param {string} root a folder of scripts */
  static async start(root, { form = 'service', env = {} } = {}) {
    const server = new Server(root, env);
    server.send({ t: 'load', form, root });
    server.inventory = await server.loaded;
    return server;
  }

  constructor(root, env) {
    this.tables = new Map();
    this.calls = new Map();
    this.logs = [];
    this.heard = [];
    this.count = 0;
    this.sql = () => [];
    this.push = () => ({ sent: true });
    this.loaded = new Promise((resolve, reject) => {
      this.isLoaded = resolve;
      this.isNotLoaded = reject;
    });
    this.process = spawn(process.execPath, [...checked, '--stack-trace-limit=30', main], {
      cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'pipe'], env: { PATH: process.env.PATH, ...env },
    });
    this.socket = this.process.stdio[3];
    let bytes = Buffer.alloc(0);
    this.socket.on('data', (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE()) {
        const length = bytes.readUInt32BE();
        this.take(JSON.parse(bytes.toString('utf8', 4, 4 + length)));
        bytes = bytes.subarray(4 + length);
      }
    });
    this.socket.on('error', () => {});
    this.process.on('exit', () => this.failed(new Error('the worker ended')));
  }

  end() {
    this.socket.end();
    this.process.kill();
  }

  send(message) {
    const text = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(text.length);
    this.socket.write(Buffer.concat([head, text]));
  }

  take(message) {
    this.heard.push(message.t);
    switch (message.t) {
      case 'loaded': return this.isLoaded(message);
      case 'log': return this.logs.push(message);
      case 'broken':
        return this.failed(new Error(`the worker broke: ${message.stack}`));
      case 'ask': return this.reply(message);
      case 'done': return this.calls.get(message.id)?.resolve(message.answer);
    }
    return undefined;
  }

  failed(error) {
    this.isNotLoaded(error);
    for (const call of this.calls.values()) call.reject(error);
  }

  rows(name) {
    const key = name.toLowerCase();
    if (!this.tables.has(key)) this.tables.set(key, []);
    return this.tables.get(key);
  }

  /** Puts rows into a table, with the server's columns. */
  fill(name, ...rows) {
    for (const row of rows) this.insert(name, row);
  }

  insert(name, item) {
    this.count += 1;
    const taken = this.rows(name).find((row) => row.id === item.id);
    if (taken && item.id !== undefined) throw new Refused('duplicate', 409, 'the id is taken', taken);
    const now = new Date(1500000000000 + this.count * 1000).toISOString();
    const row = { id: `row${this.count}`, ...item, __createdAt: now, __updatedAt: now, __version: `v${this.count}` };
    this.rows(name).push(row);
    return row;
  }

  found(name, id, version) {
    const row = this.rows(name).find((each) => String(each.id) === String(id));
    if (!row) throw new Refused('missing', 404, 'there is no such row');
    if (version && version !== row.__version) throw new Refused('conflict', 412, 'the row has another version', row);
    return row;
  }

  list(name, query = {}) {
    let rows = this.rows(name).filter((row) => matches(plain(filterOf(query)), row) && (query.includeDeleted || !row.__deleted));
    const count = rows.length;
    for (const term of plain(query.orderby ?? '').split(',').filter(Boolean).reverse()) {
      const [column, way] = term.split(' ');
      const sign = way === 'desc' ? -1 : 1;
      rows.sort((a, b) => (a[column] < b[column] ? -sign : a[column] > b[column] ? sign : 0));
    }
    rows = rows.slice(query.skip ?? 0, (query.skip ?? 0) + (query.top ?? 1000));
    return { rows, count: query.count ? count : null, dates: datesIn(rows) };
  }

  /** Does one operation on a table. */
  operate(name, operation, { item, rowID, version, query }) {
    if (operation === 'read' && (rowID ?? null) === null) return this.list(name, query);
    if (item) item = Object.fromEntries(Object.entries(item).map(([column, value]) => [plain(column), value]));
    if (operation === 'insert') return this.one(this.insert(name, item));
    const row = this.found(name, rowID ?? item?.id, operation === 'read' ? null : version);
    if (operation === 'read' && !matches(plain(filterOf(query)), row)) throw new Refused('missing', 404, 'there is no such row');
    if (operation === 'update') Object.assign(row, item, { id: row.id });
    if (operation === 'delete') this.tables.set(name.toLowerCase(), this.rows(name).filter((each) => each !== row));
    if (operation === 'undelete') delete row.__deleted;
    if (operation !== 'read') row.__version = `v${this.count += 1}`;
    return this.one(row);
  }

  one(row) {
    return { row: { ...row }, dates: datesIn([row]) };
  }

  /** A call's own operation with what its script makes of it. */
  execute(call, change) {
    const { message } = call;
    const item = { ...message.item, ...change.set };
    for (const name of change.unset ?? []) delete item[name];
    const version = change.version === undefined ? message.version : change.version;
    const query = change.query ?? message.query;
    call.last = this.operate(message.table, message.operation, { item, rowID: message.rowID, version, query });
    return call.last;
  }

  async reply(ask) {
    const call = this.calls.get(ask.id);
    call?.asks.push(ask);
    try {
      let reply;
      if (ask.do === 'execute') reply = this.execute(call, ask);
      else if (ask.do === 'table') reply = this.operate(ask.table, ask.operation, ask);
      else if (ask.do === 'sql') reply = { results: (await this.sql(ask.sql, ask.parameters)).map(whole) };
      else reply = { result: await this.push(ask.service, ask.message) };
      this.send({ t: 'reply', id: ask.id, k: ask.k, ok: true, ...reply });
    } catch (error) {
      const said = error.error ?? { code: 'store', status: 500, message: error.message };
      if (ask.do === 'execute') {
        said.execution = call.asks.length;
        call.refused[said.execution] = said.status;
      }
      this.send({ t: 'reply', id: ask.id, k: ask.k, ok: false, error: said });
    }
  }

  /** Has a call answered, and says what came of it. */
  async call(message) {
    const id = this.count += 1;
    const generation = message.kind === 'table' ? { generation: 'v1' } : {};
    const request = { method: 'GET', url: '/', fields: '', parameters: {}, address: '1.2.3.4', ...message.request };
    const call = { asks: [], refused: {}, message: { t: 'call', id, user: alice, ...generation, ...message, request } };
    if (message.kind === 'job') delete call.message.request;
    this.calls.set(id, call);
    const answer = await new Promise((resolve, reject) => {
      Object.assign(call, { resolve, reject });
      this.send(call.message);
    });
    const logs = this.logs.filter((line) => line.id === id).map((line) => line.text);
    return { answer, asks: call.asks, logs, ...this.seen(call, answer) };
  }

  /** What the client sees of an answer. */
  seen(call, answer) {
    const usual = { insert: 201, delete: 204 }[call.message.operation] ?? 200;
    if (answer.kind === 'execute') {
      try {
        const done = this.execute(call, answer);
        return { status: usual, body: done.rows ?? done.row };
      } catch (error) {
        return { status: error.error?.status ?? 500 };
      }
    }
    if (answer.kind === 'result') return { status: usual, body: call.last.rows ?? call.last.row };
    if (answer.kind === 'value') return { status: answer.status ?? usual, body: answer.body, count: answer.count };
    if (answer.kind === 'error') return { status: answer.status, body: answer.body ?? answer.message };
    if (answer.kind === 'unchanged') return { status: call.refused[answer.execution] };
    if (answer.kind === 'http') {
      const text = Buffer.from(answer.body, 'base64').toString();
      const headers = Object.fromEntries(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
      const isJSON = /json/.test(headers['content-type'] ?? '');
      return { status: answer.status, headers, body: isJSON ? JSON.parse(text) : text };
    }
    return { status: 500, message: answer.message, file: answer.file, line: answer.line };
  }

  read(table, query = {}, more = {}) {
    const whole = {
      filter: null, orderby: null, skip: null, top: null, select: null, count: false, includeDeleted: false, ...query,
    };
    return this.call({ kind: 'table', table, operation: 'read', rowID: null, version: null, query: whole, ...more });
  }

  readOne(table, rowID, more = {}) {
    return this.call({ kind: 'table', table, operation: 'read', rowID, version: null, ...more });
  }

  post(table, item, more = {}) {
    return this.call({ kind: 'table', table, operation: 'insert', item, rowID: null, version: null, ...more });
  }

  patch(table, rowID, item, more = {}) {
    return this.call({ kind: 'table', table, operation: 'update', item: { ...item }, rowID, version: null, ...more });
  }

  delete(table, rowID, more = {}) {
    return this.call({ kind: 'table', table, operation: 'delete', rowID, version: null, ...more });
  }

  undelete(table, rowID, more = {}) {
    return this.call({ kind: 'table', table, operation: 'undelete', rowID, version: null, ...more });
  }

  api(method, target, { body, headers = {}, ...more } = {}) {
    const [route] = target.split('?');
    const [name, ...rest] = route.split('/');
    const isText = typeof body === 'string';
    const bytes = Buffer.from(body === undefined ? '' : isText ? body : JSON.stringify(body));
    const type = body === undefined || isText ? {} : { 'content-type': 'application/json' };
    const fields = { 'content-length': String(bytes.length), ...type, ...headers };
    return this.call({ kind: 'api', name, path: rest, body: bytes.toString('base64'), ...more,
      request: { method, url: `/api/${target}`, fields: lines(fields) } });
  }

  job(name) {
    return this.call({ kind: 'job', name, user: nobody });
  }
}
