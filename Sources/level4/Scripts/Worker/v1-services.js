'use strict';

// What stands around scripts of Mobile Services without having to be required, and in `request.service`.

const { guarding } = require('./callbacks');
const { current } = require('./calls');
const { mssql } = require('./mssql');
const { makePush } = require('./push');
const { statusCodes } = require('./status-codes');
const { tables } = require('./v1-tables');

const SERVICES = { tables, push: makePush(), mssql, statusCodes, console };

/** Timers that a job waits for, and whose errors are the script's and no end of the process. */
function setTimer(set, body, rest) {
  const timers = current() ? (current().timers ??= new Set()) : new Set();
  const guarded = guarding(body);
  const timer = set(function (...values) {
    timers.delete(timer);
    return guarded.apply(this, values);
  }, ...rest);
  timers.add(timer);
  return timer;
}

function clearTimer(clear, timer) {
  current()?.timers?.delete(timer);
  clear(timer);
}

const TIMERS = {
  setTimeout: (body, ...rest) => setTimer(setTimeout, body, rest),
  clearTimeout: (timer) => clearTimer(clearTimeout, timer),
  setImmediate: (body, ...rest) => setTimer(setImmediate, body, rest),
  clearImmediate: (timer) => clearTimer(clearImmediate, timer),
  // It may never be cleared, so that nothing waits for it.
  setInterval: (body, ...rest) => setInterval(guarding(body), ...rest),
};

/** `request.service`. */
function serviceOf() {
  return { ...SERVICES, config: config() };
}

/** What scripts may know of the settings: the environment, which holds nothing of the server's. */
function config() {
  const { env } = process;
  const given = Object.keys(env).filter((name) => name.startsWith('MS_') && name.length > 3);
  // As `mobileservice-config` called the settings of the portal: MS_TwitterConsumerKey is twitterConsumerKey.
  const own = Object.fromEntries(given.map((name) => [name[3].toLowerCase() + name.slice(4), env[name]]));
  return { appSettings: { ...env }, connectionStrings: {}, ...env, ...own };
}

module.exports = { SERVICES, TIMERS, config, serviceOf };
