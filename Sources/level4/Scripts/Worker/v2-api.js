'use strict';

// Custom APIs of the Node SDK: a module with a function, or several, for each verb; or a router of Express.

const { failureOf } = require('./answers');
const { CALL } = require('./calls');
const { exchangeOf, home, readBody } = require('./express-home');
const { answerProblem } = require('./failures');
const { runThrough } = require('./handlers');
const { answerOf } = require('./http-exchange');
const { makeContext } = require('./v2-context');

const ANSWERED = ['get', 'post', 'put', 'patch', 'delete'];

/** The functions that a member of a module names: one, a list, or what has places as a list has. */
function functionsOf(given) {
  if (typeof given === 'function') return [given];
  if (Array.isArray(given)) return given.flat(Infinity).filter((each) => typeof each === 'function');
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given).filter((key) => /^\d+$/.test(key)).flatMap((key) => functionsOf(given[key]));
}

/** Whether a module is a router of its own. */
const isRouter = (exported) => typeof exported === 'function' && Boolean(exported.stack || exported.handle);

/** The verbs that a router answers: those of its routes, or all where it may answer any. */
function verbsOf(router) {
  const verbs = new Set();
  for (const layer of router.stack ?? []) {
    if (layer.route?.methods) for (const verb of Object.keys(layer.route.methods)) verbs.add(verb);
    else return ANSWERED;
  }
  if (verbs.has('_all') || verbs.size === 0) return ANSWERED;
  return ANSWERED.filter((verb) => verbs.has(verb));
}

/**
 * The API that a module defines; undefined where it defines none.
 * @param {object} permissions by verb: `{ level }`
 */
function apiOf(name, file, exported, permissions, project) {
  const mounts = isRouter(exported);
  const entries = mounts ? [['all', [exported]]]
    : Object.keys(exported ?? {}).filter((key) => ANSWERED.includes(key) || key === 'all')
      .map((key) => [key, functionsOf(exported[key])]).filter(([, functions]) => functions.length);
  const answered = mounts ? verbsOf(exported)
    : ANSWERED.filter((verb) => entries.some(([key]) => key === verb || key === 'all'));
  if (answered.length === 0) return undefined;
  // Requests and responses are its own.
  home();
  const verbs = {};
  for (const verb of answered) {
    // One that is for all is for each; who names both means both.
    const of = (key) => permissions[key]?.level ?? 'anonymous';
    const isNamed = mounts || entries.some(([key]) => key === verb);
    verbs[verb] = isNamed ? of(verb) : of('all');
  }
  // To the SDK a verb that only the file beside it names was there too: it keeps out whom it says, and has nothing to do.
  for (const verb of project.form === 'app' && !mounts ? ANSWERED : []) {
    if (permissions[verb]?.key?.startsWith(`${verb}.`)) verbs[verb] ??= permissions[verb].level;
  }
  const methods = answered.flatMap((verb) => (verb === 'get' ? ['GET', 'HEAD'] : [verb.toUpperCase()]));
  const api = { name, file, generation: 'v2', verbs, methods, mounts, handlers: entries };
  api.run = (call) => runAlone(call, api, project);
  return api;
}

/** What answers a verb, in the order in which the module names it. */
const handlersFor = (api, verb) => (api.mounts && !api.verbs[verb] ? []
  : api.handlers.filter(([key]) => key === verb || key === 'all').flatMap(([, functions]) => functions));

/**
 * Runs an API that a chain has come to.
 * @param {object} state takes whether it has gone on, and with what
 */
function runAPI(api, verb, req, res, state) {
  return new Promise((resolve) => {
    req[CALL].exchange.finished.then(() => resolve({ kind: 'own' }));
    readBody(req, res).then(async (fault) => {
      if (fault) {
        res.status(fault.status).json({ error: fault.message });
        return;
      }
      state.error = await runThrough(handlersFor(api, verb), req, res);
      state.isPassed = true;
      resolve({ kind: 'own' });
    }).catch((error) => {
      state.error = error;
      state.isPassed = true;
      resolve({ kind: 'own' });
    });
  });
}

/** Runs one that came straight from the server, past every application. */
async function runAlone(call, api, project) {
  const exchange = exchangeOf(call, project.application);
  const { req, res } = exchange;
  req.azureMobile = makeContext(call, project, exchange, api.configuration);
  req.baseUrl = `/api/${call.message.name}`;
  const at = req.url.indexOf('?');
  const path = call.message.path.map(encodeURIComponent).join('/');
  if (path && !api.mounts) return { kind: 'error', status: 404, message: 'There is nothing at this path.' };
  req.url = `/${path}${at < 0 ? '' : req.url.slice(at)}`;
  const fault = await readBody(req, res);
  if (fault) return { kind: 'error', status: 400, message: `The body is not valid JSON: ${fault.message}` };
  const { method } = call.message.request;
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  return new Promise((resolve) => {
    exchange.finished.then(() => resolve(answerOf(exchange)));
    runThrough(handlersFor(api, verb), req, res).then((error) => {
      if (res.writableEnded) return;
      if (error === undefined) resolve({ kind: 'error', status: 404, message: 'There is nothing at this path.' });
      else if (project.form === 'app') answerProblem(error, { req, res, call });
      else resolve(failureOf(error, call, project.root));
    });
  });
}

module.exports = { apiOf, handlersFor, runAPI };
