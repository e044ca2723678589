'use strict';

// The program that runs scripts: it reads them as it is told to, and answers calls until the server is gone.

const net = require('net');
const { Channel } = require('./channel');
const { Call } = require('./calls');
const { Log } = require('./console');
const { Project } = require('./project');
const { failureOf } = require('./answers');

const calls = new Map();
let project;

const socket = new net.Socket({ fd: 3, readable: true, writable: true });
const channel = new Channel(socket, take, () => process.exit(0));
const log = new Log(channel);
log.install();

async function load(message) {
  project = new Project(message);
  await project.load();
  channel.send({ t: 'loaded', ...project.inventory });
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
    case 'cancel':
      return cancel(message.id);
    case 'forget':
      return message.ids.forEach((id) => calls.delete(id));
    case 'end':
      return process.exit(0);
  }
}

function begin(message) {
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

/** An error that no promise and no callback took: nobody knows what it left half done, so the process ends. */
function broken(error) {
  const { current } = require('./calls');
  channel.send({
    t: 'broken',
    id: current()?.id ?? null,
    message: String(error?.message ?? error),
    stack: String(error?.stack ?? error),
  });
  channel.flush(() => process.exit(1));
}

process.on('uncaughtException', broken);
process.on('unhandledRejection', broken);
