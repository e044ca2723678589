'use strict';

// What would end the process ends the call that asks for it: others are under way beside it.

const { current } = require('./calls');

/** Runs what ends the process, where no call is under way that asks for it. */
function guarded(name, end, isMeant = () => true) {
  return function (...values) {
    const call = current();
    if (!call || !isMeant(...values)) return end.apply(process, values);
    const error = new Error(`a script called process.${name}, which ends its own request alone`);
    call.fail({ kind: 'failed', message: error.message, stack: error.stack });
    throw error;
  };
}

/**
 * Node tells of errors in microtasks when it no longer knows whose they are.
 * @param {(error: unknown) => void} broken takes them before that
 */
function guardMicrotasks(broken) {
  const queue = globalThis.queueMicrotask;
  globalThis.queueMicrotask = function queueMicrotask(body) {
    if (typeof body !== 'function') return queue(body);
    return queue(() => {
      try { body(); } catch (error) { broken(error); }
    });
  };
}

function guardProcess() {
  for (const name of ['exit', 'reallyExit', 'abort']) process[name] = guarded(name, process[name]);
  const isOwn = (pid, signal) => signal !== 0 && [0, process.pid, -process.pid].includes(Number(pid));
  process.kill = guarded('kill', process.kill, isOwn);
}

module.exports = { guardMicrotasks, guardProcess };
