// A worker as the server runs one, and a server that answers it as a test wants.

import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, openSync, readSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const program = join(here, '../../Sources/level4/Scripts/Worker');
export const requireOurs = createRequire(join(program, 'main.js'));

/** Flags of Node by which a worker checks its messages. */
export const checked = ['--require', join(here, 'checked-messages.cjs')];

/** Header fields, line by line. */
export const lines = (fields) => Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** A folder with files, each a text or `{ link }`, gone with the test. */
export function folder(test, files) {
  const root = mkdtempSync(join(tmpdir(), 'zumod-worker-'));
  test.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (typeof text === 'string') writeFileSync(join(root, name), text);
    else symlinkSync(text.link, join(root, name));
  }
  return root;
}

export class Worker {
  /**
   * @param {(ask: object) => object} answer what the server replies to what scripts ask
   * @param {string[]} flags of Node
   */
  static async start(test, files, {
    form = 'config', marks = false, reports = false, tokenKey, flags = [], answer = () => ({ ok: true, row: {}, dates: [] }),
  } = {}) {
    const worker = new Worker(folder(test, files), answer, marks, flags);
    test.after(() => worker.process.kill('SIGKILL'));
    worker.send({ t: 'load', form, root: worker.root, marks, reports, ...(tokenKey && { tokenKey }) });
    worker.inventory = await worker.next((message) => message.t === 'loaded');
    return worker;
  }

  constructor(root, answer, marks = false, flags = []) {
    this.root = root;
    this.answer = answer;
    this.messages = [];
    this.asks = [];
    this.waiting = [];
    this.nextCall = 1;
    this.shared = marks ? openSync(join(root, 'marks'), 'w+') : 'ignore';
    this.process = spawn(process.execPath, [...checked, ...flags, join(program, 'main.js')], {
      cwd: root, stdio: ['ignore', 'ignore', 'inherit', 'pipe', this.shared],
    });
    this.exit = new Promise((resolve) => this.process.on('exit', (code) => resolve(code)));
    const { Channel } = requireOurs('./channel');
    this.channel = new Channel(this.process.stdio[3], (message) => this.take(message), () => {});
  }

  /** What the process has noted: whose code runs, and the last call that was begun. */
  get marks() {
    const numbers = new Float64Array(2);
    readSync(this.shared, numbers, 0, 16, 0);
    return numbers;
  }

  /** Tells it that calls up to a number are begun elsewhere. */
  skip(number) {
    writeSync(this.shared, new Float64Array([number]), 0, 8, 16);
  }

  /** Whether it has noted that a call does what another can notice: that one's, or all that were begun. */
  hasActed(id) {
    const read = (place) => {
      const number = new Float64Array(1);
      readSync(this.shared, number, 0, 8, 8 * place);
      return number[0];
    };
    return { alone: read(8 + id) === id, withAll: read(3) >= id };
  }

  /** Tells it that a call is begun elsewhere that it has begun itself. */
  move(id) {
    writeSync(this.shared, new Float64Array([id]), 0, 8, 8 * (8 + 4096 + id));
  }

  send(message) {
    this.channel.send(message);
  }

  take(message) {
    if (message.t === 'ask') {
      this.asks.push(message);
      const reply = this.answer(message);
      if (reply) this.send({ t: 'reply', id: message.id, k: message.k, ...reply });
    }
    this.messages.push(message);
    this.waiting = this.waiting.filter(({ wants, resolve }) => {
      if (!wants(message)) return true;
      resolve(message);
      return false;
    });
  }

  next(wants) {
    const known = this.messages.find(wants);
    if (known) return Promise.resolve(known);
    const ended = this.exit.then((code) => { throw new Error(`the worker ended with ${code}`); });
    return Promise.race([ended, new Promise((resolve) => this.waiting.push({ wants, resolve }))]);
  }

  /** Begins a call, and gives its number. */
  begin(message) {
    const id = this.nextCall++;
    const request = { method: 'GET', url: '/', fields: '', address: '127.0.0.1', ...message.request };
    const generation = message.kind === 'api' ? {} : { generation: 'v2' };
    this.send({ t: 'call', id, ...generation, tables: 'items other', user: { level: 'anonymous' }, ...message, request });
    return id;
  }

  /** Makes a call and gives what it ends with. */
  async call(message) {
    const id = this.begin(message);
    return (await this.next((each) => each.t === 'done' && each.id === id)).answer;
  }

  table(operation, message = {}) {
    return this.call({ kind: 'table', table: 'items', operation, ...message });
  }
}

/** The source of a table with one function. */
export const tableWith = (code) => `const table = require('azure-mobile-apps').table();\n${code}\nmodule.exports = table;\n`;
