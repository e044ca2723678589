'use strict';

// Where requests that have come through a project's own Express reach its tables and APIs: the server answers them, and has
// their scripts run on the way.

const { queryOf } = require('./express-home');
const { CALL } = require('./calls');
const { sameValue } = require('./changes');
const { makeContext } = require('./v2-context');
const { handlersFor, runAPI } = require('./v2-api');
const { runTable } = require('./v2-operation');

const TABLE_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** Gives a request its context, before anything of the mobile app sees it. */
function enter(project, req, res, next, configuration) {
  const call = req[CALL];
  if (!call) return next(new Error('the mobile app answers no request that does not come from the server'));
  req.azureMobile ??= makeContext(call, project, { req, res }, configuration);
  next();
}

function tableRouter(project, express) {
  const router = express.Router();
  router.use('/:table', (req, res, next) => {
    const table = project.tables.get(nameIn(req));
    const ids = req.path.split('/').filter(Boolean);
    if (!table || ids.length > 1 || !TABLE_METHODS.includes(req.method)) return next();
    if (ids.length) req.params.id = decoded(ids[0]);
    const path = `/tables/${encodeURIComponent(table.name)}${ids.length ? `/${ids[0]}` : ''}`;
    return serve(req, res, next, path, (message) => runTable(req[CALL], message, table, project, exchangeOf(req, res)));
  });
  return router;
}

function apiRouter(project, express) {
  const router = express.Router();
  router.use('/:api', (req, res, next) => {
    const api = project.apis.get(nameIn(req));
    if (!api?.handlers || req[CALL].message.api === api) return next();
    const isBelow = req.path !== '/';
    if (isBelow && !api.mounts) return next();
    const verb = req.method === 'HEAD' ? 'get' : req.method.toLowerCase();
    if (verb === 'options' && !api.mounts) {
      const allowed = api.methods.join(',');
      return void res.set('Allow', allowed).send(allowed);
    }
    if (!handlersFor(api, verb).length) return next();
    const path = `/api/${encodeURIComponent(api.name)}${isBelow ? req.path : ''}`;
    return serve(req, res, next, path, (_, state) => runAPI(api, verb, req, res, state));
  });
  return router;
}

/** The name as it stands in the address: one that is written otherwise would pass by what guards the plain one. */
const nameIn = (req) => req.baseUrl.slice(req.baseUrl.lastIndexOf('/') + 1).toLowerCase();

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const exchangeOf = (req, res) => ({
  req, res, finished: req[CALL].exchange.finished, get isFinished() { return res.writableEnded; },
});

/** The request with what came before has made of it, where that is something else than what arrived. */
function changedRequest(req, path) {
  const { request, fields } = req[CALL].message;
  const at = req.url.indexOf('?');
  let query = at < 0 ? '' : req.url.slice(at);
  const read = queryOf(req.url, req.app);
  if (req.query && !sameValue(req.query, read)) query = `?${pairs(req.query).join('&')}`;
  const asked = { method: req.method === 'HEAD' ? 'GET' : req.method, url: path + query };
  const arrived = Object.create(null);
  for (const [name, value] of fields) arrived[name.toLowerCase()] ??= value;
  const set = {};
  for (const name of Object.keys(req.headers)) {
    const value = req.headers[name];
    if (typeof value === 'string' && arrived[name] !== value && !fields.some((one) => one[0].toLowerCase() === name)) {
      set[name] = value;
    } else if (typeof value === 'string' && !value.includes(',') && arrived[name] !== value) {
      set[name] = value;
    }
  }
  const gone = Object.keys(arrived).filter((name) => req.headers[name] === undefined);
  if (Object.keys(set).length) asked.set = set;
  if (gone.length) asked.gone = gone;
  if (req.body !== undefined && isJSON(request.headers?.['content-type'] ?? arrived['content-type'])) {
    const text = JSON.stringify(req.body);
    if (text !== undefined && !isSameJSON(text, req[CALL].exchange.body)) asked.body = text;
  }
  return asked;
}

const isJSON = (type) => type === undefined || /json/i.test(type);

function isSameJSON(text, bytes) {
  if (!bytes?.length) return text === '{}';
  try {
    return JSON.stringify(JSON.parse(bytes.toString('utf8'))) === text;
  } catch {
    return false;
  }
}

/** A query's values as pairs, as the libraries that read them nest them. */
function pairs(values, inside = '') {
  return Object.keys(values).flatMap((key) => {
    const name = inside ? `${inside}[${key}]` : key;
    const value = values[key];
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.flatMap((one) => pairs({ [key]: one }, inside));
    if (typeof value === 'object' && value !== null) return pairs(value, name);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`];
  });
}

/** Whether nobody has put something of its own around how a response is written. */
const isPlain = (res) => !['write', 'end', 'json', 'send'].some((name) => Object.hasOwn(res, name));

/**
 * Has the server answer, from where the chain has come to.
 * @param operate runs what the request's script is
 */
function serve(req, res, next, path, operate) {
  const call = req[CALL];
  const { exchange } = call;
  const state = { isOwn: false, isPassed: false, error: undefined };
  const asked = { do: 'serve', ...changedRequest(req, path), wantsBody: !isPlain(res) };
  call.ask(asked, (message) => operate(message, state)).then((reply) => {
    if (state.isPassed) return next(state.error);
    if (res.headersSent || res.writableEnded) return undefined;
    res.statusCode = reply.status;
    for (const [name, value] of reply.headers) {
      if (name.toLowerCase() === 'vary') res.vary(value);
      else res.set(name, value);
    }
    // What the server has answered needs not come here only to go back.
    if (reply.body === undefined) {
      exchange.isKept = true;
      return res.end();
    }
    const body = Buffer.from(reply.body, 'base64');
    if (!Object.hasOwn(res, 'json') || !isJSON(res.get('Content-Type'))) return res.end(body);
    return res.json(JSON.parse(body.toString('utf8')));
  }).catch(next);
}

module.exports = { enter, tableRouter, apiRouter };
