'use strict';

// The operations of tables of the Node SDK: what stands before and around each, its function, and what that answers.

const { failureOf, written } = require('./answers');
const { Operation } = require('./execution');
const { answerProblem, refusalOf } = require('./failures');
const { answerOf, LazyExchange, makeExchange } = require('./http-exchange');
const { dress } = require('./express-home');
const { addOperation, makeContext } = require('./v2-context');
const { undeletesByUpdate } = require('./v2-table');

/** The handlers of an operation, with its function where it has its place among them. */
function chainOf(definition, name) {
  const own = [...definition[name].middleware];
  // What is used without a word of the operation comes before it.
  if (!own.some((handler) => handler.isOperation)) own.push(definition.operation);
  if (!definition.middleware.some((handler) => handler.isPlace || handler.isOperation)) return [...definition.middleware, ...own];
  return definition.middleware.flatMap((handler) => (handler.isPlace || handler.isOperation ? own : [handler]));
}

/**
 * Runs an operation's script for a request that has come to it.
 * @param {object} message what the server says of the operation
 */
function runTable(call, message, table, project, exchange) {
  // The server looks whether a row is to be shown: nobody is answered by that.
  return message.aside ? runAlone(call, message, table, project) : runWith(call, message, table, project, exchange);
}

function runWith(call, message, table, project, exchange) {
  const { live } = table;
  const isByUpdate = message.operation === 'undelete' && undeletesByUpdate(live);
  const operation = new Operation(call, message.t === 'operate' ? message.op : undefined);
  const context = exchange.context ?? exchange.req.azureMobile;
  addOperation(context, call, message, operation, table, project);
  // The script of updates looks for an item; nothing that it says of it is written.
  if (isByUpdate) context.item = { id: context.id, deleted: false };
  const body = isByUpdate ? context.item : message.item;
  if (exchange instanceof LazyExchange) exchange.body = body;
  else exchange.req.body ??= body;
  const name = isByUpdate ? 'update' : message.operation;
  return new Run(call, message, context, operation, exchange, live[name].body, project)
    .run(chainOf(live, name));
}

/** Runs one that came straight from the server, past every application. Gives its answer, or a promise of it. */
function runAlone(call, message, table, project) {
  const { request, rowID } = message.request ? message : { ...call.message, ...message };
  const exchange = new LazyExchange((lazy) => {
    const made = makeExchange({
      method: request?.method ?? 'GET', url: request?.url ?? '/', fields: request?.fields,
      address: request?.address, isSecured: request?.secured,
    });
    const { req, res } = made;
    req.baseUrl = `/tables/${table.name}`;
    const at = req.url.indexOf('?');
    req.url = `/${rowID === null || rowID === undefined ? '' : encodeURIComponent(rowID)}${at < 0 ? '' : req.url.slice(at)}`;
    dress(req, res, project.application);
    if (rowID !== null && rowID !== undefined) req.params.id = rowID;
    req.azureMobile = lazy.context;
    req.body ??= lazy.body;
    return made;
  });
  exchange.context = makeContext(call, project, exchange, table.configuration ?? project.configuration);
  const end = (answer) => {
    if (answer.kind !== 'own') return exchange.isMade && ['result', 'value', 'execute'].includes(answer.kind)
      ? { ...answer, headers: headersOf(exchange.res) } : answer;
    const isApp = project.form === 'app' && message.generation === 'v2';
    return exchange.finished.then(() => (isApp ? answerOf(exchange) : valueOf(exchange)));
  };
  const answer = runWith(call, message, table, project, exchange);
  return typeof answer.then === 'function' ? answer.then(end) : end(answer);
}

const HEADERS_OF_BODIES = ['content-type', 'content-length', 'etag'];

function headersOf(res) {
  return res.getRawHeaderNames()
    .filter((name) => !HEADERS_OF_BODIES.includes(name.toLowerCase()))
    .map((name) => [name, String(res.getHeader(name))]);
}

/** What a script wrote into the response itself, as the server is to write it in the form of its client's generation. */
function valueOf(exchange) {
  const status = exchange.res.statusCode;
  const text = exchange.bytes.toString('utf8');
  const headers = headersOf(exchange.res);
  let body;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    body = text;
  }
  if (status >= 400 && typeof (body ?? '') === 'string') {
    return { kind: 'error', status, message: body ?? exchange.res.statusMessage, headers };
  }
  return { kind: 'value', status, headers, ...(body === undefined ? {} : { body }) };
}

/** One way through the handlers of an operation. */
class Run {
  constructor(call, message, context, operation, exchange, body, project) {
    this.call = call;
    this.message = message;
    this.context = context;
    this.operation = operation;
    this.exchange = exchange;
    this.project = project;
    this.isAlone = false;
    this.body = body ?? ((each) => each.execute());
    this.isRead = message.operation === 'read';
    this.isOwnForm = project.form !== 'app';
    this.isOfRow = this.isRead && (message.rowID ?? null) !== null;
  }

  /** Whether nobody has looked at request and response, and nobody stands behind who might. */
  get isBare() {
    return this.isAlone && this.exchange.isMade === false;
  }

  /** Gives the answer where it is there at once, as of most scripts, or a promise of it. */
  run(handlers) {
    let answer;
    let resolve = (value) => { answer ??= value; };
    // An operation alone that nobody waits for is the server's to do.
    this.isAlone = handlers.length === 1;
    this.step(handlers, 0, undefined, (value) => resolve(value));
    if (answer) return answer;
    return new Promise((done) => {
      resolve = done;
      this.exchange.finished.then(() => done({ kind: 'own' }));
    });
  }

  step(handlers, place, error, resolve) {
    const handler = handlers[place];
    if (!handler) return resolve(error === undefined ? this.answer() : this.failure(error));
    let isOver = false;
    const next = (failure) => {
      if (isOver) return;
      isOver = true;
      this.step(handlers, place + 1, failure === null || failure === '' ? undefined : failure, resolve);
    };
    const failed = (failure) => next(failure ?? new Error('undefined was thrown'));
    const { exchange } = this;
    try {
      if (handler.isOperation) {
        if (error !== undefined) return next(error);
        return this.perform(next, failed, resolve);
      }
      if ((handler.length === 4) !== (error !== undefined)) return next(error);
      const { req, res } = exchange;
      const result = error !== undefined ? handler(error, req, res, next) : handler(req, res, next);
      if (typeof result?.then === 'function') result.then(undefined, failed);
    } catch (failure) {
      failed(failure);
    }
  }

  perform(next, failed, resolve) {
    const { context, operation, exchange } = this;
    if (!this.isAlone) operation.isSync = false;
    // In a project it is Express's own.
    context.next = this.isOwnForm ? (error) => (error ? Promise.reject(error) : context.execute())
      : (error) => (error ? failed(error) : next());
    let value;
    try {
      value = this.body(context);
    } catch (error) {
      operation.isSync = false;
      throw error;
    }
    const isCounted = context.query.parts.count && !this.message.query?.count;
    const handedOver = this.isAlone && !this.isOfRow
      ? operation.returned(value, !isCounted && !exchange.isFinished) : void operation.returned(value, false);
    if (handedOver) return resolve(handedOver);
    this.settle(value).then((isDone) => isDone && next(), failed);
  }

  /** Waits for what the function gives. It may as well answer later, by the response or by `next`. */
  async settle(value) {
    const { operation, context, exchange } = this;
    let result = await value;
    // Who has answered by the response says no more.
    if (exchange.isFinished) return false;
    // `execute().then(…)` without `return` goes on, and answers by the response.
    if (value === undefined && operation.isAwaited) return false;
    // A script that forgets to return what it has done means it all the same; one that has looked at what it read and gives
    // nothing back shows nothing.
    if (result === undefined && operation.started.length) {
      result = this.isRead && operation.isAwaited ? null : await operation.started.at(-1);
    }
    // A function of a configuration that gives nothing says that there is nothing.
    if (result === undefined && !this.isOwnForm) return false;
    context.results = result;
    if (!this.isBare) exchange.res.results = result;
    return true;
  }

  failure(error) {
    const { call, exchange } = this;
    if (exchange.isFinished) {
      call.log('error', `after the answer: ${error?.stack ?? error}`);
      return { kind: 'own' };
    }
    const refused = refusalOf(error);
    if (refused) return { kind: 'unchanged', execution: refused.execution };
    if (this.isOwnForm) return failureOf(error, call, this.project.root);
    answerProblem(error, { req: exchange.req, res: exchange.res, call });
    return { kind: 'own' };
  }

  /** What the client is answered once all handlers have gone on. */
  answer() {
    const { context, exchange, operation, message } = this;
    if (exchange.isFinished) return { kind: 'own' };
    let { results } = this.isBare ? context : exchange.res;
    const missing = { kind: 'error', status: 404, message: 'The item does not exist', isMissing: true };
    if (this.isOfRow && Array.isArray(results) && results.length === 0) return missing;
    // A count that the script alone wanted is part of what it answers.
    const isCounted = results?.totalCount !== undefined && !message.query?.count;
    if (operation.isResult(results) && !isCounted) return { kind: 'result' };
    if (this.isOfRow && Array.isArray(results)) [results] = results;
    if (!results) return missing;
    const count = results.totalCount ?? (Array.isArray(results.results) ? results.count : undefined);
    const list = Array.isArray(results.results) && results.count !== undefined ? results.results : results;
    const answer = { kind: 'value', status: null, body: written(list) };
    if (count !== undefined && count !== null) answer.count = count;
    return answer;
  }
}

module.exports = { runTable, runAlone };
