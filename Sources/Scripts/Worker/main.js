'use strict';

// The program that runs scripts: it reads them as it is told to, and answers calls until the server is gone.

const net = require('net');
const { Channel } = require('./channel');
const { Call, current, outside } = require('./calls');
const { Log } = require('./console');
const { Project } = require('./project');
const { reportOf } = require('./report');
const { brokenBy, failureOf } = require('./answers');
const { guardEffects } = require('./effects');
const { guardMicrotasks, guardProcess } = require('./endings');
const { marks } = require('./marks');

const calls = new Map();
let project;
let isLoaded = false;

const exit = process.exit.bind(process);
/** Ends the process, whatever scripts may. */
const leave = (code) => outside(() => exit(code));

const socket = new net.Socket({ fd: 3, readable: true, writable: true });
const channel = new Channel(socket, take, () => leave(0));
const log = new Log(channel);
log.install();
guardProcess();
guardEffects(socket);

async function load(message) {
  if (message.marks) marks.open();
  project = new Project(message);
  await project.load();
  channel.send({ t: 'loaded', ...project.inventory, ...(message.reports ? { report: reportOf(project) } : {}) });
  isLoaded = true;
}

function take(message) {
  switch (message.t) {
    case 'ping':
      return channel.send({ t: 'pong', n: message.n });
    case 'load':
      return void load(message).catch(broken);
    case 'call':
      return begin(message);
    case 'reply':
      return calls.get(message.id)?.reply(message);
    case 'operate':
      return calls.get(message.id)?.operate(message);
    case 'cancel':
      return cancel(message.id);
    case 'forget':
      return message.ids.forEach((id) => calls.delete(id));
    case 'end':
      return leave(0);
  }
}

function begin(message) {
  if (!marks.begins(message.id)) return channel.send({ t: 'skipped', id: message.id });
  const call = new Call(message, channel);
  calls.set(call.id, call);
  call.run(async () => {
    try {
      call.done(await project.run(call));
    } catch (error) {
      call.done(failureOf(error, call, project.root));
    }
  });
}

function cancel(id) {
  const call = calls.get(id);
  if (!call) return;
  call.isCancelled = true;
  calls.delete(id);
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
  channel.send({ t: 'broken', message: String(error?.message ?? error), stack: String(error?.stack ?? error) });
  if (!isLoaded) channel.flush(() => leave(1));
}

guardMicrotasks(broken);
process.on('uncaughtException', broken);
process.on('unhandledRejection', broken);
