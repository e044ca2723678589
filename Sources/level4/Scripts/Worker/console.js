'use strict';

// What scripts write, as lines of the server's log with the call that they belong to.

const util = require('util');
const { current } = require('./calls');

const MOST_LINES = 200; // a second
const MOST_BYTES = 8192; // a line

const LEVELS = {
  log: 'info', info: 'info', debug: 'info', trace: 'info', dir: 'info', warn: 'warning', error: 'error',
};

class Log {
  constructor(channel) {
    this.channel = channel;
    this.since = Date.now();
    this.count = 0;
    this.left = 0;
  }

  line(level, values) {
    const now = Date.now();
    if (now - this.since >= 1000) {
      if (this.left) this.send('warning', `${this.left} more lines were left out`);
      [this.since, this.count, this.left] = [now, 0, 0];
    }
    this.count += 1;
    if (this.count > MOST_LINES) {
      this.left += 1;
      return;
    }
    let text;
    try {
      text = util.format(...values);
    } catch (error) {
      text = `a line that can't be written: ${error?.message}`;
    }
    this.send(level, text.slice(0, MOST_BYTES));
  }

  send(level, text) {
    this.channel.send({ t: 'log', id: current()?.id ?? null, level, text });
  }

  /** Takes the place of the console's own methods. */
  install() {
    for (const name of Object.keys(LEVELS)) console[name] = (...values) => this.line(LEVELS[name], values);
  }
}

module.exports = { Log };
