'use strict';

// Where requests that have come through a project's own Express reach its tables and APIs: the server answers them, and has
// their scripts run on the way.

const { home, queryOf } = require('./express-home');
const { CALL } = require('./calls');
const { sameValue } = require('./changes');
const { pairsOf } = require('./http-exchange');
const { makeContext } = require('./v2-context');
const { named } = require('./plain-address');
const { handlersFor, runAPI } = require('./v2-api');
const { runTable } = require('./v2-operation');

const TABLE_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** As many values of a query as its readers take: what comes behind them nobody in the application has seen. */
const MOST_VALUES = 1000;

/** Whether a path is a root's or below it, as Express compares them. */
const isBelow = (path, root) => `${path}/`.toLowerCase().startsWith(`${String(root).replace(/\/+$/, '')}/`.toLowerCase());

/** Gives a request its context, before anything of the mobile app sees it. */
function enter(project, req, res, next, configuration) {
  const call = req[CALL];
  if (!call) return next(new Error('the mobile app answers no request that does not come from the server'));
  // Of several applications the first one's.
  if (!call.known) {
    const context = makeContext(call, project, { req, res }, configuration);
    const { user } = context;
    // What came before may have begun one; a token counts over the user that it has found.
    req.azureMobile = Object.assign(context, req.azureMobile, user && { user });
    call.known = { user, id: user?.id };
    // What stands behind this is no place for a token that is no good. Of tables and APIs the server says why it is none.
    if (!user && !req.azureMobile.user && req.headers['x-zumo-auth'] && configuration.auth?.validateTokens !== false
      && !isBelow(req.path, configuration.tableRootPath) && !isBelow(req.path, configuration.apiRootPath)) {
      return void res.status(401).json({ error: 'The token is not valid.' });
    }
  }
  next();
}

/**
 * Who asks, where the application has found that out in its own way, by a session of its own or by a table: null for nobody,
 * undefined where it leaves that to the server.
 */
function foundUser(req) {
  const { known } = req[CALL];
  const user = req.azureMobile?.user;
  if (user === known.user && user?.id === known.id) return undefined;
  if (!['string', 'number'].includes(typeof user?.id)) return null;
  const claims = Object.entries(user.claims ?? {}).filter(([, value]) => typeof value === 'string');
  return { id: String(user.id), claims: Object.fromEntries(claims) };
}

/** What of an application has a name: what another one serves stands where that is, behind what guards it there. */
function ownOf(map, name, configuration) {
  const found = named(map, name);
  return found?.configuration === configuration() ? found : undefined;
}

function tableRouter(project, express, configuration) {
  const router = express.Router();
  router.use('/:table', (req, res, next) => {
    const table = ownOf(project.tables, req.params.table, configuration);
    // A path with an empty part is another one for whatever guards this.
    const below = /^\/(?:([^/]+)\/?)?$/.exec(req.path);
    if (!table || !below || !TABLE_METHODS.includes(req.method)) return pass(table, req, next);
    const ids = below[1] === undefined ? [] : [below[1]];
    if (ids.length) req.params.id = decoded(ids[0]);
    const path = `/tables/${encodeURIComponent(table.name)}${ids.length ? `/${ids[0]}` : ''}`;
    return serve(req, res, next, path, (message) => runTable(req[CALL], message, table, project, req[CALL].exchange));
  });
  return router;
}

function apiRouter(project, express, configuration) {
  const router = express.Router();
  router.use('/:api', (req, res, next) => {
    const api = ownOf(project.apis, req.params.api, configuration);
    if (!api?.handlers) return next();
    const isBelow = req.path !== '/';
    if (isBelow && !api.mounts) return pass(api, req, next);
    const verb = req.method === 'HEAD' ? 'get' : req.method.toLowerCase();
    if (verb === 'options' && !api.mounts) {
      const allowed = api.methods.join(',');
      return void res.set('Allow', allowed).send(allowed);
    }
    if (!handlersFor(api, verb).length) return pass(api, req, next);
    const path = `/api/${encodeURIComponent(api.name)}${isBelow ? req.path : ''}`;
    return serve(req, res, next, path, (_, state) => runAPI(api, verb, req, res, state));
  });
  return router;
}

/** Leaves a request to others: what it came to is to be answered by the server, should nobody else. */
function pass(script, req, next) {
  const { method, url } = req[CALL].told;
  const bare = (address) => address.replace(/\/(?=[?#]|$)/, '');
  if (req.method === method && bare(req.baseUrl + req.url) === bare(url)) req[CALL].passed = script;
  next();
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The request with what came before has made of it, where that is something else than what arrived. */
function changedRequest(req, path) {
  const { told, exchange } = req[CALL];
  const at = req.url.indexOf('?');
  let query = at < 0 ? '' : req.url.slice(at);
  const read = queryOf(req.url, req.app);
  if (req.query && !sameValue(req.query, read)) query = `?${pairs(req.query).join('&')}`;
  const asked = { method: methodOf(req), url: path + query };
  const arrived = told.headers;
  const set = {};
  for (const name of Object.keys(req.headers)) {
    const value = req.headers[name];
    if (typeof value === 'string' && arrived[name] !== value) set[name] = value;
  }
  const gone = Object.keys(arrived).filter((name) => req.headers[name] === undefined);
  if (Object.keys(set).length) asked.set = set;
  if (gone.length) asked.gone = gone;
  if (req.body !== undefined && isJSON(arrived['content-type'])) {
    const text = JSON.stringify(req.body);
    if (text !== undefined && !isSameJSON(text, exchange.body)) asked.body = text;
  }
  return asked;
}

/** An update of v3 that puts a whole row is told as what the SDK knew, since that is what guards it. */
function methodOf(req) {
  if (req.method === 'PATCH' && req[CALL].told.isReplacement) return 'PUT';
  return req.method === 'HEAD' ? 'GET' : req.method;
}

/** Whether a body is taken for JSON; one of no type is. */
const isJSON = (type) => !type || /json/i.test(type);

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

const WRITING = ['write', 'end', 'json', 'send'];

/** What somebody has put around how a response is written: on itself, on its application or on all of Express. */
function around(res) {
  const { response } = home();
  return WRITING.filter((name) => res[name] !== response[name]);
}

/** Answers as the SDK did, by `json`, and so by `send`: whoever stands around them sees what it saw. */
function answerThrough(res, body) {
  const wrapped = around(res);
  if (!isJSON(res.get('Content-Type')) || body.length === 0) return res.end(body);
  if (wrapped.includes('json')) return res.json(JSON.parse(body.toString('utf8')));
  return wrapped.includes('send') ? res.send(body.toString('utf8')) : res.end(body);
}

/** The fields of an answer that say where rows are, as this application has them. */
const PLACES = ['link', 'location'];

/**
 * Has the server answer, from where the chain has come to.
 * @param operate runs what the request's script is
 */
function serve(req, res, next, path, operate) {
  const call = req[CALL];
  const { exchange } = call;
  if (req.url.split('&').length > MOST_VALUES) {
    return void res.status(400).json({ error: `The query has more than ${MOST_VALUES} values.` });
  }
  const state = { isPassed: false, error: undefined };
  const { baseUrl } = req;
  const asked = { do: 'serve', ...changedRequest(req, path), user: foundUser(req), wantsBody: around(res).length > 0 };
  const answer = (reply) => {
    if (state.isPassed) return next(state.error);
    if (res.headersSent || res.writableEnded) return undefined;
    res.statusCode = reply.status;
    for (const [name, value] of pairsOf(reply.fields)) {
      const field = name.toLowerCase();
      if (field === 'vary') res.vary(value);
      else if (!PLACES.includes(field) || !path.startsWith('/tables/')) res.set(name, value);
      // The mobile app may be mounted anywhere.
      else res.set(name, value.replace(`/tables/${path.split('/')[2]}`, baseUrl));
    }
    // What the server has answered needs not come here only to go back.
    if (reply.body === undefined) {
      exchange.isKept = true;
      return res.end();
    }
    return answerThrough(res, Buffer.from(reply.body, 'base64'));
  };
  call.ask(asked, (message) => operate(message, state)).then(answer).catch(next);
}

module.exports = { enter, tableRouter, apiRouter };
