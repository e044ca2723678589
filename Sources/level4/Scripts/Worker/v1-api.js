'use strict';

// Custom APIs of Mobile Services: `exports.get = function (request, response)`, or `exports.register`.

const path = require('path');
const { failureOf } = require('./answers');
const { guarded } = require('./callbacks');
const { current } = require('./calls');
const { Script } = require('./v1-compile');
const { complete } = require('./express-3');
const { exchangeOf, home, readBody } = require('./express-home');
const { answerOf } = require('./http-exchange');
const { paramsOf, patternOf } = require('./route-pattern');
const { strictness } = require('./v1-levels');
const { serviceOf } = require('./v1-services');
const { userOf } = require('./v1-user');

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
/** What a function may be called, and the verb that it answers. */
const NAMES = { get: 'get', post: 'post', put: 'put', patch: 'patch', delete: 'delete', del: 'delete' };

/**
 * @param {Rules | undefined} rules the file beside it
 * @param {string} fallback the level that is asked for where there are no rules
 */
function apiOf(project, file, source, rules, fallback) {
  // Once, as a module: APIs kept what they held outside their functions.
  const { exports } = new Script(project, file, source, []).run();
  const routes = home().express.Router();
  const verbs = {};
  const permissions = {};
  const added = [];
  const add = (verb, route, handlers) => added.push({ verb, route, handlers });
  const serve = ({ verb, route, handlers }) => {
    const level = rules?.level(route, verb, fallback) ?? fallback;
    // A route may ask for more than another one with the same verb; the server asks for the least.
    if (!verbs[verb] || strictness(level) < strictness(verbs[verb])) {
      verbs[verb] = level;
      if (rules) permissions[verb] = { level, ...rules.place(route, verb) };
    }
    const pattern = patternOf(route);
    routes[verb](pattern.pattern, allowing(level), ...handlers.map((handler) => handling(handler, pattern)));
  };
  if (typeof exports.register === 'function') exports.register(registrar(add));
  for (const name of [...Object.keys(NAMES), 'all']) {
    if (typeof exports[name] !== 'function') continue;
    for (const verb of name === 'all' ? VERBS : [NAMES[name]]) add(verb, '/', [exports[name]]);
  }
  if (!added.length) {
    const sentence = 'exports no function for a verb, such as exports.get = function (request, response) { … }';
    project.fault(file, null, `${sentence}: nothing is served under its name`, false);
  }
  // Which routes there are is known by now.
  if (added.length) rules?.takeRoutesOf(added.map(({ route }) => route));
  added.forEach(serve);
  return {
    name: path.basename(file, '.js'), file, generation: 'v1', verbs, permissions,
    run: (call) => run(call, routes, project),
  };
}

/** What `register` is handed. */
function registrar(add) {
  const api = {};
  for (const name of [...Object.keys(NAMES), 'all']) {
    api[name] = (route, ...handlers) => {
      const path = `/${String(route).replace(/^\//, '')}`;
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

/** Has what a handler throws, or its promise, fail its call. It sees the whole address, as where nothing is mounted. */
function handling(handler, pattern) {
  return (request, response, next) => {
    const { url } = request;
    request.params = paramsOf(pattern, url.split('?')[0]);
    request.url = request.originalUrl;
    guarded(current(), () => handler(request, response, (...values) => {
      request.url = url;
      next(...values);
    }));
  };
}

/** Has an answer without a type be JSON's, which those of the old servers were. */
function typed(res) {
  const { writeHead } = res;
  res.writeHead = function (status, ...rest) {
    const isEmpty = status === 204 || status === 304;
    if (!isEmpty && !res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/json');
    return writeHead.call(res, status, ...rest);
  };
}

/** Answers by the route that is meant. */
async function run(call, routes, project) {
  const exchange = exchangeOf(call);
  const { req, res } = exchange;
  const fault = await readBody(req, res);
  if (fault) return { kind: 'error', status: 400, message: `The body is not valid JSON: ${fault.message}` };
  const isService = project.form === 'service';
  if (isService && !call.message.body) req.body = '';
  if (isService) typed(res);
  const at = req.url.indexOf('?');
  req.url = `/${call.message.path.map(encodeURIComponent).join('/')}${at < 0 ? '' : req.url.slice(at)}`;
  req.user = userOf(call.message);
  req.service = serviceOf();
  req.parameters = req.query;
  Object.defineProperty(req, 'zumoLevel', { value: call.message.user?.level ?? 'anonymous' });
  complete(req, res);
  // The old servers had it on the request, and scripts try it on both. A status alone has no words beside it.
  req.respond = (status, body) => {
    if (body !== undefined) return res.send(status, body);
    return typeof status === 'number' ? res.status(status).end() : res.send(status);
  };
  res.respond = req.respond;
  return new Promise((resolve) => {
    exchange.finished.then(() => resolve(answerOf(exchange)));
    const done = (error) => {
      if (exchange.isFinished) {
        if (error) call.log('error', `after the answer: ${error.stack ?? error}`);
        return;
      }
      resolve(error ? failureOf(error, call, project.root)
        : { kind: 'error', status: 404, message: isService ? 'Not Found' : 'There is nothing at this path.' });
    };
    call.broke = (error) => done(error ?? new Error('undefined was thrown'));
    routes(req, res, done);
  });
}

module.exports = { apiOf };
