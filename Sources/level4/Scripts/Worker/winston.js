'use strict';

// The logger that came with the SDK, where a project has it from nowhere else: settings name its console, and modules log by
// it. What they say are lines of the log.

const { logger } = require('./v2-context');

const LEVELS = { error: 0, warn: 1, info: 2, verbose: 3, debug: 4, silly: 5 };

/** Where a logger writes to: the log has its own form and times. */
class Console {
  constructor(options = {}) {
    this.name = 'console';
    Object.assign(this, options);
  }
}

class Logger {
  constructor(options) {
    this.configure(options);
  }

  configure({ level = 'info', transports = [] } = {}) {
    this.level = level;
    this.transports = Object.fromEntries(transports.map((each) => [each.name, each]));
    return this;
  }

  log(level, ...values) {
    if (!(level in LEVELS)) throw new Error(`Unknown log level: ${level}`);
    if (LEVELS[level] <= (LEVELS[this.level] ?? LEVELS.info)) logger[level](...values.filter((each) => typeof each !== 'function'));
    return this;
  }

  add() {
    return this;
  }

  remove() {
    return this;
  }
}

for (const level of Object.keys(LEVELS)) {
  Logger.prototype[level] = function (...values) {
    return this.log(level, ...values);
  };
}

const main = new Logger();
const members = [...Object.keys(LEVELS), 'log', 'add', 'remove', 'configure'];
const winston = Object.fromEntries(members.map((name) => [name, main[name].bind(main)]));

module.exports = Object.assign(winston, {
  Logger, transports: { Console }, config: { npm: { levels: LEVELS } },
});
