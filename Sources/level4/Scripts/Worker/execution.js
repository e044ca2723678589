'use strict';

// A call's own operation, as a script has it done.

const { AskError, current } = require('./calls');
const { changesOf, noteOf, revive, sameValue } = require('./changes');

/** The marks by which scripts of the SDKs tell errors apart. */
const MARKS = {
  conflict: ['concurrency'],
  duplicate: ['duplicate', 'conflict'],
  missing: ['notFound'],
  unmatched: ['concurrency'],
  tombstone: ['notFound', 'deleted'],
  bad: ['badRequest'],
  refused: [],
  store: [],
};

/** An error of the server's as scripts know it, with the row that stood in the way. */
function errorOf(refused) {
  if (!(refused instanceof AskError)) return refused;
  const error = new Error(refused.message, { cause: refused });
  for (const mark of MARKS[refused.code] ?? []) error[mark] = true;
  if (refused.code === 'refused') error.status = refused.status;
  if (refused.row) error.item = revive(refused.row, refused.dates);
  return error;
}

/** The error of a write that no row was for. */
const unmatched = () => Object.assign(new Error('No records were updated'), { concurrency: true });

/** What a script does with its operation, from what the client sent. */
class Operation {
  /** @param [op] by which the server knows it, where it is one of several of a call */
  constructor(call, op) {
    this.call = call;
    this.op = op;
    this.last = undefined;
    this.pending = [];
    /** Whether the script's function has not returned yet. */
    this.isSync = true;
    this.count = 0;
    /** What was begun and nobody may have waited for. */
    this.started = [];
    /** Hears what came of it, and may change that; undefined where nobody does. */
    this.hear = undefined;
    /** Whether the script has waited for what it gave. */
    this.isAwaited = false;
    /** Whether the script got less of a row than the server has. */
    this.isNarrowed = false;
  }

  /**
   * Has the operation done.
   * @param {() => object} request what is asked, known when it is
   * @param {(reply: object) => unknown} resultOf what the script gets
   * @param {(error: Error) => unknown} [failed] what it gets of a failure, or throws
   */
  execute(request, resultOf, failed) {
    const execution = new Execution(this, request, resultOf, failed);
    if (this.isSync) this.pending.push(execution);
    else execution.start();
    return execution;
  }

  /**
   * Begins what the script left behind, but for what it returned: that is the server's to do.
   * @param {boolean} mayHandOver whether the server would answer just that
   */
  returned(value, mayHandOver = true) {
    this.isSync = false;
    for (const execution of this.pending) if (execution !== value) execution.start();
    this.pending = [];
    if (!(value instanceof Execution) || value.operation !== this || value.promise) return undefined;
    if (this.count > 0 || !mayHandOver || this.hear) {
      value.start();
      return undefined;
    }
    value.isHandedOver = true;
    return { kind: 'execute', ...value.request() };
  }

  /** What a value means that the script gives back: the operation's own result, unchanged, or something else. */
  isResult(value) {
    return this.last !== undefined && !this.isNarrowed && value === this.last.value && sameValue(this.last.note, value);
  }
}

/** A promise of the operation's result: it is done when somebody wants to know, or when the script returns. */
class Execution {
  constructor(operation, request, resultOf, failed = (error) => { throw error; }) {
    this.failed = failed;
    this.operation = operation;
    this.request = request;
    this.resultOf = resultOf;
    this.promise = undefined;
  }

  start() {
    const { operation } = this;
    this.promise ??= (async () => {
      operation.count += 1;
      const asked = { do: 'execute', ...this.request() };
      if (operation.op !== undefined) asked.op = operation.op;
      let reply;
      try {
        reply = await (current() ?? operation.call).ask(asked);
      } catch (error) {
        return this.failed(errorOf(error));
      }
      const value = this.resultOf(reply);
      operation.last = { value, note: noteOf(value) };
      operation.hear?.(value);
      return value;
    })();
    if (!this.operation.started.includes(this.promise)) {
      this.operation.started.push(this.promise);
      // Whoever waits for it hears of its failure; nobody may.
      this.promise.catch(() => {});
    }
    return this.promise;
  }

  then(done, failed) {
    this.operation.isAwaited = true;
    return this.start().then(done, failed);
  }

  catch(failed) {
    return this.start().catch(failed);
  }

  finally(done) {
    return this.start().finally(done);
  }

  get [Symbol.toStringTag]() {
    return 'Promise';
  }
}

/** The members of a request that say what of the item has changed. */
function itemChanges(original, item, names = {}) {
  const { set, unset } = changesOf(original, item);
  const request = { set, unset: unset.filter((name) => !Object.values(names).includes(name)) };
  for (const name of Object.values(names)) delete set[name];
  return request;
}

module.exports = { Operation, errorOf, itemChanges, unmatched };
