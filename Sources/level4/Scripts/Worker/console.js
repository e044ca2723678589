'use strict';

// What scripts write, as lines of the server's log with the call that they belong to.

const util = require('util');
const { current, outside } = require('./calls');

const MOST_LINES = 200; // a second
const MOST_BYTES = 8192; // a line

/** Node's own, whatever scripts make of them. */
const { setTimeout: later, clearTimeout: drop } = globalThis;

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
      this.tellLeft();
      [this.since, this.count] = [now, 0];
    }
    this.count += 1;
    if (this.count > MOST_LINES) {
      this.left += 1;
      // No other line may follow.
      this.timer ??= outside(() => later(() => this.tellLeft(), 1000 - (now - this.since)).unref());
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

  /** Says how many lines were left out. */
  tellLeft() {
    drop(this.timer);
    this.timer = undefined;
    if (this.left) this.send('warning', `${this.left} more lines were left out`);
    this.left = 0;
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
