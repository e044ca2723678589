'use strict';

// The program that runs scripts: it reads them as it is told to, and answers calls until the server is gone.

const net = require('net');
const { Channel } = require('./channel');
const { Call, calls, current, outside, settle } = require('./calls');
const { Log } = require('./console');
const { quickenDates } = require('./date-text');
const { Project } = require('./project');
const { reportOf } = require('./report');
const { brokenBy, failureOf } = require('./answers');
const { guardEffects } = require('./effects');
const { guardMicrotasks, guardProcess } = require('./endings');
const { marks } = require('./marks');

let project;
let isLoaded = false;

const exit = process.exit.bind(process);
/** Ends the process, whatever scripts may. */
const leave = (code) => outside(() => exit(code));

const SERVER = 3;
const socket = new net.Socket({
  fd: SERVER, readable: true, writable: true,
  // Without a stream's own steps between, each of which would be noted as nobody's code.
  onread: {
    buffer: Buffer.alloc(64 * 1024),
    callback: (count, bytes) => {
      channel.take(bytes.subarray(0, count));
      return true;
    },
  },
});
const channel = new Channel(socket, take, () => leave(0), SERVER);
const log = new Log(channel);
log.install();
quickenDates();
guardProcess();
guardEffects(socket);

async function load(message) {
  if (message.marks) marks.open();
  project = new Project(message, (file) => channel.send({ t: 'reading', file }));
  await project.load();
  channel.send({ t: 'loaded', ...project.inventory, ...(message.reports ? { report: reportOf(project) } : {}) });
  isLoaded = true;
}

function take(message) {
  switch (message.t) {
    case 'ping':
      return channel.send({ t: 'pong' });
    case 'load':
      return void load(message).catch(broken);
    case 'call':
      return begin(message);
    case 'reply':
      return calls.get(message.id)?.reply(message);
    case 'operate':
      return calls.get(message.id)?.operate(message);
    case 'cancel':
      return calls.get(message.id)?.cancel();
    case 'end':
      return leave(0);
  }
}

function begin(message) {
  if (!marks.begins(message.id)) return channel.send({ t: 'skipped', id: message.id });
  const call = new Call(message, channel);
  call.run(() => {
    const failed = (error) => call.done(failureOf(error, call, project.root));
    settle(() => project.run(call), (answer) => call.done(answer), failed);
  });
}

let isBroken = false;

/**
 * An error that no promise and no callback took. It ends the call whose it is, and no other; where it is none's, nobody
 * knows what it left half done, so the process ends with the calls that are under way.
 */
function broken(error) {
  const call = current();
  if (call) return call.fail(brokenBy(error, project.root));
  if (isBroken) return;
  isBroken = true;
  channel.send({ t: 'broken', stack: String(error?.stack ?? error) });
  if (!isLoaded) channel.flush(() => leave(1));
}

guardMicrotasks(broken);
process.on('uncaughtException', broken);
process.on('unhandledRejection', (error) => {
  // What fails behind `listen` took nothing from the application that listens.
  if (!isLoaded && !current() && project?.isListening) return project.leftToNobody(error);
  return broken(error);
});
