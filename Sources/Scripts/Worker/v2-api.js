'use strict';

// Custom APIs of the Node SDK: a module with a function, or several, for each verb; or a router of Express.

const { failureOf } = require('./answers');
const { dress, step, VERBS } = require('./express');
const { makeExchange } = require('./http-exchange');
const { makeContext } = require('./v2-context');

const ANSWERED = VERBS.filter((verb) => verb !== 'head' && verb !== 'options');

/** The handlers of each verb that a module exports. */
function handlersOf(exported) {
  const handlers = {};
  for (const verb of ANSWERED) {
    const given = exported[verb];
    if (typeof given === 'function' || Array.isArray(given)) handlers[verb] = [given].flat(Infinity);
  }
  return handlers;
}

/** Whether a module is a router, or one function for everything. */
const isRouter = (exported) => typeof exported === 'function'
  && (exported.stack || exported.handle || exported.length >= 2);

/** The verbs that a router answers: those of its routes, or all where it may answer any. */
function verbsOf(router) {
  const verbs = new Set();
  for (const layer of router.stack ?? []) {
    if (layer.verb) verbs.add(layer.verb);
    else if (layer.route?.methods) for (const verb of Object.keys(layer.route.methods)) verbs.add(verb);
    else return ANSWERED;
  }
  if (verbs.has('_all') || verbs.size === 0) return ANSWERED;
  return ANSWERED.filter((verb) => verbs.has(verb));
}

/**
 * The API that a module defines; undefined where it defines none.
 * @param permissions by verb, whether the API has it or not
 */
function apiOf(name, file, exported, project, permissions) {
  const verbs = {};
  let handlers;
  if (isRouter(exported)) {
    for (const verb of verbsOf(exported)) verbs[verb] = permissions[verb].level;
    handlers = Object.fromEntries(Object.keys(verbs).map((verb) => [verb, [exported]]));
  } else if (exported && typeof exported === 'object') {
    handlers = handlersOf(exported);
    for (const verb of Object.keys(handlers)) verbs[verb] = permissions[verb].level;
  }
  if (!handlers || Object.keys(verbs).length === 0) return undefined;
  return { name, file, generation: 'v2', verbs, run: (call) => run(call, handlers, isRouter(exported), project) };
}

/** The exchange of a call to an API, with the body read as its type says. */
function exchangeOf(call, project) {
  const { request, body } = call.message;
  const bytes = Buffer.from(body ?? '', 'base64');
  const exchange = makeExchange({
    method: request.method, url: request.url, headers: request.headers, body: bytes, address: request.address,
  });
  const { req, res } = exchange;
  dress(req, res);
  req.query = { ...request.parameters };
  const type = String(request.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  if (bytes.length === 0) {
    req.body = {};
  } else if (type === '' || type === 'application/json' || type.endsWith('+json')) {
    req.body = JSON.parse(bytes.toString('utf8'));
    // Marks it as read for the real body-parser.
    req._body = true;
  } else if (type === 'application/x-www-form-urlencoded') {
    req.body = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
    req._body = true;
  } else if (type.startsWith('text/')) {
    req.body = bytes.toString('utf8');
    req._body = true;
  } else {
    req.body = bytes;
  }
  return exchange;
}

async function run(call, handlers, mounts, project) {
  const { request, path } = call.message;
  let exchange;
  try {
    exchange = exchangeOf(call, project);
  } catch (error) {
    return { kind: 'error', status: 400, message: `The body is not valid JSON: ${error.message}` };
  }
  const { req, res } = exchange;
  const context = makeContext(call, project, exchange);
  context.execute = () => Promise.reject(new Error('an API has no operation of a table'));
  req.azureMobile = context;
  if (mounts) {
    const at = req.url.indexOf('?');
    req.baseUrl = `/api/${call.message.name}`;
    req.url = `/${path.map(encodeURIComponent).join('/')}${at < 0 ? '' : req.url.slice(at)}`;
  }
  const verb = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
  const stack = (handlers[verb] ?? []).map((handler) => ({ match: () => ({ params: {}, length: 0 }), handler }));
  return new Promise((resolve) => {
    exchange.finished.then(() => resolve(answerOf(exchange)));
    const done = (error) => {
      if (exchange.isFinished) return;
      if (error) resolve(failureOf(error, call, project.root));
      else resolve({ kind: 'error', status: 404, message: 'There is nothing at this path.' });
    };
    try {
      step(stack, 0, req, res, done);
    } catch (error) {
      done(error);
    }
  });
}

function answerOf(exchange) {
  return {
    kind: 'http', status: exchange.res.statusCode, headers: exchange.headers, body: exchange.bytes.toString('base64'),
  };
}

module.exports = { apiOf, run, exchangeOf, answerOf };
