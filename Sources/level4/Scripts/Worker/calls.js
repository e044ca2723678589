'use strict';

// The calls that are under way, each with what it asks of the server and what it logs.

const { AsyncLocalStorage } = require('async_hooks');

const running = new AsyncLocalStorage();

/** Those that are under way or wait for something that they have asked for, by their numbers. */
const calls = new Map();

/** Under which a request that came through a project's Express has its call. */
const CALL = Symbol('call');

/** Why the server did not do what a script asked for. */
class AskError extends Error {
  constructor(answer, k) {
    super(answer.message);
    this.name = 'AskError';
    this.code = answer.code;
    this.status = answer.status;
    this.row = answer.row;
    this.dates = answer.dates || [];
    this.execution = answer.execution;
    this.k = k;
  }
}

class Call {
  constructor(message, channel) {
    this.id = message.id;
    this.message = message;
    this.channel = channel;
    this.asks = new Map();
    this.nextAsk = 1;
    this.isDone = false;
    this.isCancelled = false;
    calls.set(this.id, this);
    /** Whether it has done something beside what it asked of the server. */
    this.hasActed = false;
  }

  /**
   * Asks something of the server. The promise is rejected with an AskError where it can't be had.
   * @param {(message: object) => Promise<object>} [operate] runs the script of an operation that the server comes to by it
   */
  ask(request, operate) {
    // Nobody waits for a call that was given up, and what it would do must not be done behind everybody's back.
    if (this.isCancelled) return new Promise(() => {});
    const k = this.nextAsk++;
    return new Promise((resolve, reject) => {
      this.asks.set(k, { resolve, reject, operate });
      calls.set(this.id, this);
      try {
        this.channel.send({ t: 'ask', id: this.id, k, ...request });
      } catch (error) {
        this.asks.delete(k);
        this.leave();
        reject(error);
      }
    });
  }

  /** Takes the server's reply to what was asked. */
  reply(message) {
    const ask = this.asks.get(message.k);
    if (!ask) return;
    this.asks.delete(message.k);
    this.leave();
    if (message.ok) ask.resolve(message);
    else ask.reject(new AskError(message.error, message.k));
  }

  /** Is kept no longer, where it has answered and waits for nothing: thousands would fill the memory. */
  leave() {
    if (this.isDone && this.asks.size === 0) calls.delete(this.id);
  }

  /** It is given up: nobody wants to hear of it any more. */
  cancel() {
    this.isCancelled = true;
    calls.delete(this.id);
  }

  /** Runs an operation that the server has come to by what was asked. */
  operate(message) {
    const ask = this.asks.get(message.k);
    const end = (answer) => {
      if (!this.isCancelled) this.channel.send({ t: 'operated', id: this.id, op: message.op, answer });
    };
    const failed = (error) => {
      end({ kind: 'failed', message: String(error?.message ?? error), stack: String(error?.stack ?? error) });
    };
    this.run(() => settle(() => ask.operate(message), end, failed));
  }

  /** Ends the call with what the client is answered; the first answer counts. */
  done(answer) {
    if (this.isDone || this.isCancelled) {
      if (this.isDone && !this.isCancelled) this.log('warning', 'the script answered more than once; the first answer counts');
      return;
    }
    this.isDone = true;
    this.leave();
    try {
      this.channel.send({ t: 'done', id: this.id, answer });
    } catch (error) {
      const message = `the answer can't be sent: ${error.message}`;
      this.channel.send({ t: 'done', id: this.id, answer: { kind: 'failed', message } });
    }
  }

  /** Ends the call by an error that nothing of it took: what it has half done does not go on. */
  fail(failure) {
    if (this.isDone || this.isCancelled) this.log('error', `an error was left to nobody: ${failure.stack}`);
    else this.done(failure);
    this.isCancelled = true;
  }

  log(level, text) {
    this.channel.send({ t: 'log', id: this.id, level, text: text.slice(0, 8192) });
  }

  /** Runs a function as a part of this call, so that lines and errors are known to be its. */
  run(body) {
    return running.run(this, body);
  }
}

/**
 * Does something with what a function gives, at once where that is no promise: each wait lets others' code run between, and
 * the server is told whose code runs.
 */
function settle(body, done, failed) {
  try {
    const value = body();
    if (typeof value?.then !== 'function') done(value);
    else value.then(done).then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** The call that the running code belongs to; undefined for none. */
const current = () => running.getStore();

/** Runs a function as no call's. What Node has for that, `exit`, turns its hooks off and on again, at several times the cost. */
const outside = (body) => running.run(undefined, body);

module.exports = { AskError, CALL, Call, calls, current, outside, settle };
