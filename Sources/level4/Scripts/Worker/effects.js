'use strict';

// What scripts do beside what they ask of the server, as by files, sockets and processes: a call that has done such a thing
// is never begun anew in another worker, and one that another worker does does no such thing here any more. It is noted
// before it is done. What only reads files is none of it.

const childProcess = require('child_process');
const dgram = require('dgram');
const fs = require('fs');
const http = require('http');
const http2 = require('http2');
const https = require('https');
const { syncBuiltinESMExports } = require('module');
const net = require('net');
const workerThreads = require('worker_threads');
const { current } = require('./calls');
const { marks } = require('./marks');

/** Notes that the running code is about to do something. */
function act() {
  const call = current();
  if (!call) return marks.someActs();
  if (call.hasActed) return;
  if (!marks.acts(call.id)) {
    call.isCancelled = true;
    throw new Error('another worker has taken this call over');
  }
  call.hasActed = true;
}

/** Has functions of an object act first, those of them that it has. */
function guard(object, names, isEffect = () => true) {
  for (const name of names) {
    const original = object?.[name];
    if (typeof original !== 'function') continue;
    const guarded = function (...values) {
      if (isEffect(this, ...values)) act();
      return Reflect.apply(original, this, values);
    };
    // Such as what util.promisify goes by.
    Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original));
    object[name] = guarded;
  }
}

/** The same for a class. */
function guardClass(object, name) {
  const original = object?.[name];
  if (typeof original !== 'function') return;
  object[name] = new Proxy(original, {
    construct(target, values, made) {
      act();
      return Reflect.construct(target, values, made);
    },
  });
}

const FILES = [
  'appendFile', 'chmod', 'chown', 'copyFile', 'cp', 'fchmod', 'fchown', 'ftruncate', 'futimes', 'lchmod', 'lchown', 'link',
  'lutimes', 'mkdir', 'mkdtemp', 'rename', 'rm', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes', 'write', 'writeFile',
  'writev',
];

/** Whether a file is opened for more than to read it. */
const opensToWrite = (_, path, flags) => typeof flags !== 'function' && !['r', 'rs', 'sr', 0].includes(flags ?? 'r');

function guardFiles() {
  guard(fs, FILES.flatMap((name) => [name, `${name}Sync`]));
  guard(fs, ['createWriteStream']);
  guard(fs, ['open', 'openSync'], opensToWrite);
  guard(fs.promises, FILES);
  guard(fs.promises, ['open'], opensToWrite);
  // What a stream holds back is written when others' code runs.
  fs.WriteStream.prototype.write = fs.WriteStream.prototype.write;
  guard(fs.WriteStream.prototype, ['write']);
}

/** Whose code connected a socket. */
const owners = new WeakMap();

function guardSockets(own) {
  const isOthers = (socket) => socket !== own;
  const { connect, write, _writeGeneric } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...values) {
    act();
    owners.set(this, current());
    return Reflect.apply(connect, this, values);
  };
  net.Socket.prototype.write = function (...values) {
    if (isOthers(this)) act();
    return Reflect.apply(write, this, values);
  };
  // Who shares a connection may send what somebody else has put in line.
  net.Socket.prototype._writeGeneric = function (...values) {
    if (isOthers(this) && (!current() || owners.get(this) !== current())) marks.someActs();
    return Reflect.apply(_writeGeneric, this, values);
  };
  guard(dgram.Socket.prototype, ['send', 'connect']);
}

function guardRequests() {
  for (const module of [http, https]) {
    guard(module, ['request', 'get']);
    guardClass(module, 'ClientRequest');
  }
  guard(globalThis, ['fetch']);
  const { connect } = http2;
  let isKnown = false;
  http2.connect = function (...values) {
    act();
    const session = Reflect.apply(connect, this, values);
    if (!isKnown) {
      isKnown = true;
      let holder = session;
      while (holder && !Object.hasOwn(holder, 'request')) holder = Object.getPrototypeOf(holder);
      guard(holder, ['request']);
    }
    return session;
  };
}

/** @param {net.Socket} own the one to the server */
function guardEffects(own) {
  guardFiles();
  guardSockets(own);
  guardRequests();
  guard(childProcess, ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']);
  guardClass(workerThreads, 'Worker');
  syncBuiltinESMExports();
}

module.exports = { guardEffects };
