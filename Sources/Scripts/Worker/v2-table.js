'use strict';

// Tables of the Node SDK: `table()`, with its functions and what stands before them.

const { STATUS_CODES } = require('http');
const { failureOf, plain } = require('./answers');
const { Operation } = require('./execution');
const { dress } = require('./express');
const { makeExchange } = require('./http-exchange');
const { OPERATIONS, PROPERTIES } = require('./table-definition');
const { makeContext } = require('./v2-context');

/** A table as scripts define it. */
function makeTable(definition = {}) {
  const table = { ...definition };
  // What runs before every operation, and whether the operation has its place in it.
  table.middleware = [];
  table.operation = Object.assign((req, res, next) => next(), { isOperation: true });
  table.use = (...handlers) => {
    table.middleware.push(...handlers.flat(Infinity));
    return table;
  };
  for (const name of OPERATIONS) {
    const given = typeof definition[name] === 'object' ? definition[name] : {};
    const operation = (body) => {
      operation.body = body;
      return operation;
    };
    operation.body = typeof definition[name] === 'function' ? definition[name] : undefined;
    operation.middleware = [];
    operation.use = (...handlers) => {
      operation.middleware.push(...handlers.flat(Infinity));
      return operation;
    };
    for (const key of ['access', 'authorize', 'disable']) if (given[key] !== undefined) operation[key] = given[key];
    table[name] = operation;
  }
  table.execute = (context) => context.execute();
  return table;
}

/** The table that a module exports, whatever it exports. */
function tableOf(exported) {
  if (exported?.operation?.isOperation) return exported;
  const says = [...OPERATIONS, ...PROPERTIES, 'access', 'authorize', 'disable', 'name'];
  const isTable = exported && typeof exported === 'object' && says.some((name) => exported[name] !== undefined);
  return isTable ? makeTable(exported) : undefined;
}

/** The operations that a table has a say in. */
function operationsOf(table) {
  return OPERATIONS.filter(
    (name) => table.middleware.length || table[name].body || table[name].middleware.length);
}

/**
 * Whether a row is brought back by the script of updates, as on Mobile Services: where nobody has written one for that,
 * it would be anybody's to bring back, and to see.
 */
function undeletesByUpdate({ undelete, update }) {
  const isOwn = undelete.body || undelete.middleware.length;
  return !isOwn && Boolean(update.body || update.middleware.length);
}

/** Runs what stands before and around an operation, and says what the client is answered. */
async function run(call, table, project) {
  const isByUpdate = call.message.operation === 'undelete' && undeletesByUpdate(table);
  const name = isByUpdate ? 'update' : call.message.operation;
  const { request, item } = call.message;
  const exchange = makeExchange({
    method: request?.method ?? 'GET', url: request?.url ?? '/', headers: request?.headers ?? {},
    address: request?.address,
  });
  const operation = new Operation(call);
  const context = makeContext(call, project, exchange, table, operation);
  dress(exchange.req, exchange.res);
  exchange.req.azureMobile = context;
  // The script of updates looks for an item; nothing that it says of it is written.
  if (isByUpdate) context.item = { id: context.id, deleted: false };
  exchange.req.body = isByUpdate ? context.item : item;
  if (context.id !== undefined) exchange.req.params.id = context.id;

  const body = table[name].body ?? ((each) => each.execute());
  const handlers = [...table.middleware, ...table[name].middleware];
  // What is used without a word of the operation comes before it.
  if (!handlers.some((handler) => handler.isOperation)) handlers.push(table.operation);
  return new Promise((resolve) => {
    const fail = (error) => resolve(failureOf(error, call, project.root));
    exchange.finished.then(() => resolve(answerOf(exchange)));
    let answer;
    const step = (place, error) => {
      const handler = handlers[place];
      if (!handler) {
        if (error) fail(error);
        else if (answer) resolve(answer());
        return;
      }
      const next = (failure) => step(place + 1, failure ?? undefined);
      try {
        if (handler.isOperation) {
          if (error) return next(error);
          perform(call, body, context, operation).then((result) => {
            answer = () => result(exchange);
            exchange.res.results = context.results;
            next();
          }, next);
        } else if (handler.length === 4 ? error : !error) {
          const { req, res } = exchange;
          const result = error ? handler(error, req, res, next) : handler(req, res, next);
          const failed = (failure) => next(failure ?? new Error('undefined was thrown'));
          if (typeof result?.then === 'function') result.then(undefined, failed);
        } else {
          next(error);
        }
      } catch (failure) {
        next(failure);
      }
    };
    // A last operation whose result nobody waits for is the server's to do.
    const isPlain = handlers.length === 1;
    if (!isPlain) return step(0);
    try {
      const value = body(context);
      const isCounted = context.query.toMessage().count && !call.message.query?.count;
      const handedOver = operation.returned(value, !isCounted);
      if (handedOver) return resolve({ ...handedOver, headers: headersOf(exchange) });
      settle(call, value, context, operation).then((result) => {
        if (!exchange.isFinished) resolve(result(exchange));
      }, fail);
    } catch (error) {
      operation.isSync = false;
      fail(error);
    }
  });
}

/** Runs the function of an operation among middleware. */
async function perform(call, body, context, operation) {
  operation.isSync = false;
  return settle(call, body(context), context, operation);
}

/** What the function of an operation gave, as an answer that middleware may still change. */
async function settle(call, value, context, operation) {
  let result = await value;
  // A script that forgets to return what it has done means it all the same; one that has looked at what it read and gives
  // nothing back shows nothing.
  const isHidden = call.message.operation === 'read' && operation.isAwaited;
  if (result === undefined && operation.started.length && !isHidden) result = await operation.started.at(-1);
  context.results = result;
  return (exchange) => {
    const results = exchange.res.results !== undefined ? exchange.res.results : context.results;
    // A count that the script alone wanted is part of what it answers.
    const isCounted = results?.totalCount !== undefined && !call.message.query?.count;
    if (operation.isResult(results) && !isCounted) return { kind: 'result', headers: headersOf(exchange) };
    const isMissing = results === undefined || results === null;
    if (isMissing && context.id !== undefined && call.message.operation !== 'insert') {
      return { kind: 'error', status: 404, message: 'The item does not exist', isMissing: true };
    }
    const count = results?.totalCount ?? (Array.isArray(results?.results) ? results.count : undefined);
    const list = Array.isArray(results?.results) && results.count !== undefined ? results.results : results;
    const status = exchange.res.statusCode === 200 ? null : exchange.res.statusCode;
    const answer = { kind: 'value', status, body: plain(list), headers: headersOf(exchange) };
    if (count !== undefined && count !== null) answer.count = count;
    return answer;
  };
}

function headersOf(exchange) {
  return Object.fromEntries(
    exchange.headers.filter(([name]) => !['content-type', 'content-length'].includes(name.toLowerCase())));
}

/** What a script wrote into the response itself. */
function answerOf(exchange) {
  const status = exchange.res.statusCode;
  const text = exchange.bytes.toString('utf8');
  const headers = headersOf(exchange);
  let body;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    body = text;
  }
  if (status >= 400 && typeof body === 'string') return { kind: 'error', status, message: body, headers };
  if (status >= 400 && body === undefined) {
    return { kind: 'error', status, message: STATUS_CODES[status] ?? String(status), headers };
  }
  const answer = { kind: 'value', status, headers };
  if (body !== undefined) answer.body = body;
  return answer;
}

module.exports = { makeTable, tableOf, operationsOf, run, undeletesByUpdate };
