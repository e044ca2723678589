'use strict';

// Custom APIs of Mobile Services: `exports.get = function (request, response)`, or `exports.register`.

const path = require('path');
const { failureOf } = require('./answers');
const { guarded } = require('./callbacks');
const { current } = require('./calls');
const { Script } = require('./v1-compile');
const { dress, router, step } = require('./express');
const { readAtOnce } = require('./express-home');
const { answerOf, makeExchange } = require('./http-exchange');
const { complete } = require('./v1-express');
const { routeLevel, strictness } = require('./v1-levels');
const { serviceOf } = require('./v1-services');
const { userOf } = require('./v1-user');

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
/** What a function may be called, and the verb that it answers. */
const NAMES = { get: 'get', post: 'post', put: 'put', patch: 'patch', delete: 'delete', del: 'delete' };

/**
 * @param {object | undefined} rules the file beside it
 * @param {string} fallback the level that is asked for where there are no rules
 */
function apiOf(project, file, source, rules, fallback) {
  // Once, as a module: APIs kept what they held outside their functions.
  const { exports } = new Script(project, file, source, []).run();
  const routes = router();
  const verbs = {};
  const add = (verb, route, handlers) => {
    const level = routeLevel(rules, route, verb, fallback);
    // A route may ask for more than another one with the same verb; the server asks for the least.
    if (!verbs[verb] || strictness(level) < strictness(verbs[verb])) verbs[verb] = level;
    routes[verb](route, allowing(level), ...handlers.map(handling));
  };
  if (typeof exports.register === 'function') exports.register(registrar(add));
  for (const name of [...Object.keys(NAMES), 'all']) {
    if (typeof exports[name] !== 'function') continue;
    for (const verb of name === 'all' ? VERBS : [NAMES[name]]) add(verb, '/', [exports[name]]);
  }
  return {
    name: path.basename(file, '.js'), file, generation: 'v1', verbs, run: (call) => run(call, routes, project),
  };
}

/** What `register` is handed. */
function registrar(add) {
  const api = {};
  for (const name of [...Object.keys(NAMES), 'all']) {
    api[name] = (route, ...handlers) => {
      const path = route === '*' ? '*' : `/${String(route).replace(/^\//, '')}`;
      for (const verb of name === 'all' ? VERBS : [NAMES[name]]) add(verb, path, handlers.flat(Infinity));
      return api;
    };
  }
  return api;
}

/** Lets through whom a route is for. */
function allowing(level) {
  const levels = { anonymous: 0, application: 1, user: 2, admin: 3 };
  return (request, response, next) => {
    if (levels[request.zumoLevel] >= strictness(level)) return next();
    return response.status(401).json({ code: 401, error: 'Error: Unauthorized' });
  };
}

/** Has what a handler throws, or its promise, fail its call. */
function handling(handler) {
  return (request, response, next) => {
    guarded(current(), () => handler(request, response, next));
  };
}

/** The exchange of a call, with the body read as its type says. */
function exchangeOf(call) {
  const { request, body } = call.message;
  const exchange = makeExchange({
    method: request.method, url: request.url, headers: request.headers, body: Buffer.from(body ?? '', 'base64'),
    address: request.address,
  });
  const { req, res } = exchange;
  dress(req, res);
  req.query = { ...request.parameters };
  readAtOnce(req, res, (error) => {
    if (error) throw error;
  });
  return exchange;
}

function run(call, routes, project) {
  let exchange;
  try {
    exchange = exchangeOf(call);
  } catch (error) {
    return { kind: 'error', status: 400, message: `The body is not valid JSON: ${error.message}` };
  }
  const { req, res } = exchange;
  const at = req.url.indexOf('?');
  req.url = `/${call.message.path.map(encodeURIComponent).join('/')}${at < 0 ? '' : req.url.slice(at)}`;
  req.user = userOf(call.message);
  req.service = serviceOf();
  req.parameters = req.query;
  req.path = req.originalUrl.split('?')[0];
  Object.defineProperty(req, 'zumoLevel', { value: call.message.user?.level ?? 'anonymous' });
  complete(req, res);
  const { send } = res;
  // The status may come first, or last, and as text out of a query.
  res.send = function (first, ...rest) {
    if (rest.length === 0) return send.call(res, first);
    const isLast = typeof rest[0] === 'number' && typeof first !== 'number';
    const [status, body] = isLast ? [rest[0], first] : [first, rest[0]];
    if (!/^[1-5]\d\d$/.test(status)) throw new Error(`send takes a status and a body, not ${JSON.stringify(status)}`);
    res.status(Number(status));
    return body === undefined ? res.end() : send.call(res, body);
  };
  // The old servers had it on the request, and scripts try it on both.
  req.respond = (status, body) => (body === undefined ? res.send(status) : res.send(status, body));
  res.respond = req.respond;
  return new Promise((resolve) => {
    exchange.finished.then(() => resolve(answerOf(exchange)));
    const done = (error) => {
      if (exchange.isFinished) {
        if (error) call.log('error', `after the answer: ${error.stack ?? error}`);
        return;
      }
      resolve(error ? failureOf(error, call, project.root)
        : { kind: 'error', status: 404, message: 'There is nothing at this path.' });
    };
    call.broke = (error) => done(error ?? new Error('undefined was thrown'));
    step(routes.stack, 0, req, res, done);
  });
}

module.exports = { apiOf };
