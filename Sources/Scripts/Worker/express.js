'use strict';

// As much of Express as the projects of old backends use, for those that have not installed it.

const { STATUS_CODES } = require('http');
const { matcherOf } = require('./express-path');

const VERBS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

const requests = {
  get(name) {
    return this.headers[name.toLowerCase() === 'referrer' ? 'referer' : name.toLowerCase()];
  },
  header(name) {
    return requests.get.call(this, name);
  },
  param(name) {
    return this.params?.[name] ?? this.body?.[name] ?? this.query?.[name];
  },
  is(type) {
    const given = String(this.headers['content-type'] ?? '').split(';')[0].trim();
    return given === type || given.endsWith(`/${type}`) ? given : false;
  },
};

const responses = {
  status(code) {
    this.statusCode = code;
    return this;
  },
  sendStatus(code) {
    return this.status(code).type('txt').send(STATUS_CODES[code] ?? String(code));
  },
  set(name, value) {
    if (typeof name === 'object') for (const each of Object.keys(name)) this.setHeader(each, name[each]);
    else this.setHeader(name, value);
    return this;
  },
  get(name) {
    return this.getHeader(name);
  },
  append(name, value) {
    const before = this.getHeader(name);
    return this.set(name, before === undefined ? value : [].concat(before, value));
  },
  type(name) {
    const types = { json: 'application/json', html: 'text/html', txt: 'text/plain', text: 'text/plain' };
    const type = name.includes('/') ? name : `${types[name] ?? 'application/octet-stream'}; charset=utf-8`;
    return this.set('Content-Type', type);
  },
  json(first, second) {
    // Express 3 took the status as an argument.
    const [status, body] = second !== undefined && typeof first === 'number' ? [first, second]
      : typeof second === 'number' ? [second, first] : [undefined, first];
    if (status !== undefined) this.status(status);
    if (!this.getHeader('Content-Type')) this.type('json');
    this.end(JSON.stringify(body));
    return this;
  },
  send(first, second) {
    if (second !== undefined && typeof first === 'number') return this.status(first).send(second);
    if (typeof first === 'number' && second === undefined) return this.sendStatus(first);
    if (this.statusCode === 204 || this.statusCode === 304) {
      this.removeHeader('Content-Type');
      this.end();
      return this;
    }
    if (first === undefined || first === null) {
      this.end();
      return this;
    }
    if (Buffer.isBuffer(first)) {
      if (!this.getHeader('Content-Type')) this.type('application/octet-stream');
      this.end(first);
      return this;
    }
    if (typeof first === 'object' || typeof first === 'boolean') return this.json(first);
    if (!this.getHeader('Content-Type')) this.type('html');
    this.end(String(first));
    return this;
  },
  jsonp(body) {
    return this.json(body);
  },
  redirect(first, second) {
    const both = typeof first === 'number' ? [first, second] : [second, first];
    const [status, url] = second === undefined ? [302, first] : both;
    this.status(status).set('Location', url).type('txt');
    this.end(`${STATUS_CODES[status] ?? status}. Redirecting to ${url}`);
  },
  location(url) {
    return this.set('Location', url);
  },
};

/** Gives a request and its response what handlers expect of them. */
function dress(req, res) {
  for (const name of Object.keys(requests)) if (!(name in req)) req[name] = requests[name];
  if (!res.isDressed) {
    for (const name of Object.keys(responses)) if (!Object.hasOwn(res, name)) res[name] = responses[name];
  }
  res.isDressed = true;
  req.res = res;
  res.req = req;
  res.locals ??= {};
  req.params ??= {};
  if (!req.query) req.query = Object.fromEntries(new URL(req.url, 'http://server').searchParams);
}

function router() {
  const handle = (req, res, next) => step(handle.stack, 0, req, res, next);
  handle.stack = [];
  handle.use = (first, ...rest) => {
    const isHandler = typeof first === 'function' || Array.isArray(first);
    const [path, handlers] = isHandler ? ['/', [first, ...rest]] : [first, rest];
    for (const handler of handlers.flat(Infinity)) {
      handle.stack.push({ path, match: matcherOf(path, false), handler, isMounted: true });
    }
    return handle;
  };
  const on = (verb, path, handlers) => {
    for (const handler of handlers.flat(Infinity)) {
      handle.stack.push({ path, match: matcherOf(path, true), handler, verb });
    }
    return handle;
  };
  for (const verb of VERBS) handle[verb] = (path, ...handlers) => on(verb, path, handlers);
  handle.all = (path, ...handlers) => on(undefined, path, handlers);
  handle.route = (path) => {
    const route = {};
    for (const verb of [...VERBS, 'all']) {
      route[verb] = (...handlers) => {
        handle[verb](path, ...handlers);
        return route;
      };
    }
    return route;
  };
  handle.param = () => handle;
  return handle;
}

/** An error that says nothing is one all the same. */
const nothing = () => new Error('undefined was thrown');

/** Runs the handlers that match, one after the other, until one doesn't go on. */
function step(stack, start, req, res, done, error) {
  dress(req, res);
  const before = { url: req.url, params: req.params };
  const pathOf = () => req.url.split('?')[0] || '/';
  for (let place = start; place < stack.length; place += 1) {
    const { match, handler, verb, isMounted } = stack[place];
    const method = req.method.toLowerCase();
    if (verb && verb !== method && !(verb === 'get' && method === 'head')) continue;
    if (handler.length === 4 ? !error : error) continue;
    const found = match(pathOf());
    if (!found) continue;
    req.params = { ...before.params, ...found.params };
    if (isMounted) req.url = req.url.slice(found.length) || '/';
    if (!req.url.startsWith('/')) req.url = `/${req.url}`;
    const next = (failure) => {
      req.url = before.url;
      req.params = before.params;
      if (failure === 'route') return step(stack, place + 1, req, res, done);
      return step(stack, place + 1, req, res, done, failure ?? undefined);
    };
    try {
      const result = error ? handler(error, req, res, next) : handler(req, res, next);
      if (typeof result?.then === 'function') result.then(undefined, (failure) => next(failure ?? nothing()));
      return result;
    } catch (failure) {
      return next(failure ?? nothing());
    }
  }
  return done?.(error);
}

/** An application: a router that nobody has listen. */
function express() {
  const app = router();
  const settings = new Map();
  const get = app.get;
  app.get = (name, ...handlers) => (handlers.length ? get(name, ...handlers) : settings.get(name));
  app.set = (name, value) => {
    settings.set(name, value);
    return app;
  };
  app.enable = (name) => app.set(name, true);
  app.disable = (name) => app.set(name, false);
  app.engine = () => app;
  app.locals = {};
  app.handle = app;
  app.listen = (...values) => {
    const done = values.find((value) => typeof value === 'function');
    if (done) process.nextTick(done);
    return { close() {}, address: () => ({ port: 0 }), on() { return this; } };
  };
  return app;
}

express.Router = router;
express.static = () => (req, res, next) => next();

/** What reads bodies: ours are read before any handler runs. */
const bodyParser = () => (req, res, next) => next();
for (const kind of ['json', 'urlencoded', 'text', 'raw']) {
  bodyParser[kind] = () => (req, res, next) => next();
  express[kind] = bodyParser[kind];
}

module.exports = { express, bodyParser, dress, step, router };
