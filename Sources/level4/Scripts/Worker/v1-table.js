'use strict';

// A table's scripts of Mobile Services: `insert(item, user, request)` and its siblings.

const { STATUS_CODES } = require('http');
const { failureOf, plain, written } = require('./answers');
const { guarded } = require('./callbacks');
const { copyOf, revive, sameValue } = require('./changes');
const { Operation, itemChanges } = require('./execution');
const { rowsOf } = require('./v2-tables');
const { projected, queryOf, systemOf } = require('./v1-query');
const { SYSTEM, withDates, withoutSystem } = require('./v1-rows');
const { serviceOf } = require('./v1-services');
const { userOf } = require('./v1-user');

const DEFAULTS = { insert: 201, read: 200, update: 200, delete: 204, undelete: 200 };

/** Runs a script until it has answered. */
function run(call, table, project) {
  return new Promise((resolve) => {
    const request = new Request(call, project, resolve);
    const { operation } = call.message;
    const own = table.bodies[operation];
    call.broke = (error) => request.failed(error);
    guarded(call, () => {
      const body = (own ?? table.bodies.update)();
      const first = operation === 'read' ? request.query
        : operation === 'insert' || operation === 'update' || !own ? request.item : call.message.rowID;
      return body(first, request.user, request.surface);
    });
  });
}

/** What stands behind `request`. */
class Request {
  constructor(call, project, resolve) {
    const { message } = call;
    this.call = call;
    this.project = project;
    this.resolve = resolve;
    this.isAnswered = false;
    /** Whether execute was called, which it may be once, and once more for each conflict. */
    this.isExecuted = false;
    this.isExecuting = false;
    this.operation = new Operation(call);
    this.operation.isSync = false;
    this.user = userOf(message);
    this.isWrite = message.operation === 'insert' || message.operation === 'update';
    /** Whether a client of the old servers gets what they answered, to the last byte. */
    this.isExact = project.form === 'service' && message.generation === 'v1';
    this.isOne = message.operation === 'read' && (message.rowID ?? null) !== null;
    this.isRead = message.operation === 'read';
    this.version = message.version ?? undefined;
    this.readItem(message);
    this.query = queryOf(message);
    const parameters = message.request?.parameters ?? {};
    this.surface = {
      operation: message.operation === 'delete' ? 'del' : message.operation,
      // What the server itself understands was kept from scripts.
      parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !/^(?:\$|__)/.test(name))),
      user: this.user,
      includeTotalCount: message.query?.count ?? false,
      includeDeleted: message.query?.includeDeleted ?? false,
      systemProperties: this.systemOfClient(),
      undelete: message.operation === 'undelete',
      service: serviceOf(),
      execute: (options) => this.execute(options),
      respond: (status, body) => this.respond(status, body),
      respondWithError: (error) => this.answer(failureOf(error, call, project.root)),
    };
  }

  readItem({ operation, rowID, item }) {
    this.item = operation === 'insert' ? {} : { id: rowID };
    Object.assign(this.item, withDates(item));
    if (operation === 'undelete') this.item.__deleted = false;
    if (this.version) this.item.__version = this.version;
    this.original = copyOf(this.item);
  }

  /** What is asked of the server, by what the script has made of item and query. */
  asked() {
    const { message } = this.call;
    const asked = {};
    if (this.isWrite) {
      if (message.operation === 'update' && this.item.id !== undefined && `${this.item.id}` !== `${message.rowID}`) {
        throw new Error('an update script may not change the id of its item');
      }
      Object.assign(asked, itemChanges(this.original, this.item));
      for (const name of SYSTEM) delete asked.set[name];
      asked.unset = asked.unset.filter((name) => name !== 'id' && !SYSTEM.includes(name));
      if (message.operation === 'update') delete asked.set.id;
    }
    const said = this.item.__version !== this.original.__version ? this.item.__version : this.version;
    if (!this.isRead && said !== (message.version ?? undefined)) asked.version = said ?? null;
    if (this.isRead) asked.query = this.query.toMessage();
    return asked;
  }

  /** The server's columns that the client asks for. */
  systemOfClient() {
    const { parameters = {} } = this.call.message.request ?? {};
    const name = Object.keys(parameters).find((each) => each.toLowerCase() === '__systemproperties');
    return [parameters[name] ?? []].flat().flatMap((names) => String(names).split(','));
  }

  /** The server's columns that the script gets: those that the client or the script asks for, all for newer clients. */
  systemAsked(options) {
    if (this.call.message.generation !== 'v1') return '*';
    return [...this.systemOfClient(), ...systemOf(this.query), options?.systemProperties ?? []].flat();
  }

  execute(options) {
    if (this.isExecuted) throw new Error('execute was called again, which only a conflict handler may do');
    if (this.isAnswered) throw new Error('execute was called behind respond');
    if (this.isRead && options?.includeDeleted) this.query.includeDeleted();
    const { success, error, conflict } = options ?? {};
    this.isExecuted = true;
    const isPlain = !success && !error && !conflict && !this.query.projection;
    if (isPlain && this.operation.count === 0) return this.handOver(this.asked());
    return this.start(this.asked(), options ?? {});
  }

  /** Leaves the operation to the server, where the script says nothing else about the answer in the same breath. */
  handOver(asked) {
    this.handedOver = asked;
    queueMicrotask(() => {
      if (!this.handedOver) return;
      this.handedOver = undefined;
      this.answer({ kind: 'execute', ...asked });
    });
  }

  start(asked, options) {
    const { success, error, conflict } = options;
    this.isExecuting = true;
    this.call.run(() => this.operation.execute(() => asked, (reply) => this.result(reply, options)).then(
      (result) => {
        this.isExecuting = false;
        if (success) guarded(this.call, () => success(...(this.isRead ? [result] : [])));
        if (!this.isAnswered && (!success || this.isWaiting)) guarded(this.call, () => this.respond());
      },
      (failure) => {
        this.isExecuting = false;
        this.refused = failure;
        const isToTell = conflict && failure.item && (failure.concurrency || failure.duplicate);
        if (isToTell) {
          // What is executed now is meant for the row as it stands.
          this.version = failure.item.__version;
          if (failure.concurrency) this.item.__version = this.version;
          this.isExecuted = false;
          guarded(this.call, () => conflict(failure.item));
        } else if (error) {
          guarded(this.call, () => error(failure));
        }
        const isLeft = !isToTell && (!error || this.isWaiting);
        if (isLeft && !this.isAnswered) this.answerRefused();
      },
    ));
  }

  answerRefused() {
    this.answer(failureOf(this.refused, this.call, this.project.root));
  }

  result(reply, options) {
    const asked = this.systemAsked(options);
    this.refused = undefined;
    if (this.isRead && !this.isOne) {
      const rows = rowsOf(reply);
      for (const row of rows) withoutSystem(row, asked);
      return projected(this.query, rows);
    }
    const row = withoutSystem(revive(reply.row, reply.dates), asked);
    if (this.isOne) return row ? [row] : [];
    // The item itself becomes the row, as scripts go on with it.
    return this.isWrite ? Object.assign(this.item, row) : row;
  }

  failed(error) {
    this.handedOver = undefined;
    if (this.isAnswered) this.call.log('error', `behind its answer the script failed: ${error?.stack ?? error}`);
    else this.answer(failureOf(error ?? new Error('undefined was thrown'), this.call, this.project.root));
  }

  respond(status, body) {
    if (this.isAnswered) return this.answer(undefined);
    const isPlain = (status ?? undefined) === undefined && body === undefined;
    if (status instanceof Error) {
      return this.answer(this.isExact && isOwn(status) ? this.exactly(Number(status.statusCode) || 500, status)
        : failureOf(status, this.call, this.project.root));
    }
    if (!isPlain && status !== undefined && status !== null && !(Number(status) >= 200 && Number(status) < 600)) {
      throw new Error(`respond takes a status or an error, not ${JSON.stringify(status)}`);
    }
    if (isPlain && !this.isExecuted && !this.refused) {
      throw new Error('respond without a status answers what execute gives, which has to be called before it');
    }
    if (isPlain && this.handedOver) return undefined;
    if (this.handedOver) return this.insteadOf(this.handedOver, status, body);
    if (isPlain && this.isExecuting) {
      this.isWaiting = true;
      return undefined;
    }
    // What was refused is what a script means that has nothing to add.
    if (isPlain && this.refused) return this.answerRefused();
    return this.answer(this.answerOf(status ?? undefined, body));
  }

  /** Does the operation, but answers something else. */
  insteadOf(asked, status, body) {
    this.handedOver = undefined;
    const answer = this.answerOf(status, body);
    this.start(asked, {
      success: () => this.answer(answer),
      error: (error) => {
        this.call.log('error', `the script answered before its operation failed: ${error.message}`);
        this.answer(answer);
      },
    });
  }

  answerOf(status, body) {
    const { operation } = this.call.message;
    const { last } = this.operation;
    const own = last?.value ?? (this.isWrite ? this.item : undefined);
    const value = body === undefined && status === undefined ? own : body;
    // A status that stands alone was answered alone.
    const isUsual = status === undefined || (this.isExact ? status === DEFAULTS[operation] && body !== undefined
      : status === DEFAULTS[operation] || (status === 200 && !this.isRead));
    if (isUsual && last && (value === undefined || this.isResult(value))) return { kind: 'result' };
    const code = status === undefined ? null : Number(status);
    if (code !== null && code >= 400) return this.isExact ? this.exactly(code, value) : refusal(code, value);
    const answer = { kind: 'value', status: code };
    // Who asks for one row gets one.
    const isAlone = this.isOne && Array.isArray(value) && value.length === 1;
    if (value !== undefined) answer.body = written(isAlone ? value[0] : value);
    // Rows that the script has made anew are still so many of all that there are.
    const isList = this.isRead && !this.isOne && Array.isArray(value);
    const count = value?.totalCount ?? (isList ? last?.value?.totalCount : undefined);
    if (count !== undefined) answer.count = count;
    return answer;
  }

  /** A status and a body as they are; the log has what a script answers as its own failure. */
  exactly(status, value) {
    if (status >= 500 && value instanceof Error) this.call.log('error', String(value.stack ?? value));
    return exactly(status, value);
  }

  /** Whether a value is what the operation gave, unchanged. */
  isResult(value) {
    if (this.query.projection) return false;
    if (this.operation.isResult(value)) return true;
    const { last } = this.operation;
    return this.isOne && value === last.value[0] && sameValue(last.note[0], value);
  }

  answer(answer) {
    if (this.isAnswered) {
      const place = new Error().stack.split('\n').find((line) => line.includes(this.project.root))?.trim() ?? '';
      this.call.log('warning', `the script answered more than once; the first answer counts ${place}`.trim());
      return;
    }
    this.isAnswered = true;
    this.resolve(answer);
  }
}

/** Whether an error is a script's own, and says nothing of what became of its operation. */
const isOwn = (error) => !error.cause
  && !['badRequest', 'unauthorized', 'notFound', 'duplicate', 'conflict', 'concurrency'].some((name) => error[name]);

/** A status and a body as they are, the body in JSON. */
function exactly(status, value) {
  const answer = { kind: 'value', status };
  if (value !== undefined && value !== null) answer.body = written(value);
  return answer;
}

/** A failure in the words of a script. */
function refusal(status, value) {
  const isText = typeof value !== 'object' || value === null;
  const message = isText ? String(value ?? STATUS_CODES[status] ?? status) : '';
  const answer = { kind: 'error', status, message };
  if (value instanceof Error) answer.message = value.message;
  else if (!isText) answer.body = plain(value);
  return answer;
}

module.exports = { run };
