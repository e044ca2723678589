'use strict';

// A whole project of the Node SDK: its own code is run, and what it imports is served.

const fs = require('fs');
const http = require('http');
const path = require('path');
const { apps } = require('./azure-mobile-apps');
const { failureOf } = require('./answers');
const { VERBS } = require('./express');
const { answerOf, exchangeOf } = require('./v2-api');
const { makeContext } = require('./v2-context');
const {
  addAPI, addTable, importAll, loadAPI, loadTable, requireIn,
} = require('./v2-load');

/** The file that starts a project. */
function mainOf(root) {
  const at = path.join(root, 'package.json');
  const given = fs.existsSync(at) ? JSON.parse(fs.readFileSync(at, 'utf8')).main : undefined;
  const found = [given, 'app.js', 'server.js', 'index.js'].find((name) => name && fs.existsSync(path.join(root, name)));
  if (!found) throw new Error('there is no app.js, and package.json names no main');
  return path.normalize(found);
}

async function loadApp(project) {
  let main;
  try {
    main = mainOf(project.root);
  } catch (error) {
    project.failed('package.json', error);
    return;
  }
  process.env.PORT ??= '0';
  const listening = keepFromListening();
  await project.reading(main, (source, whole) => requireIn(project)(whole));
  // Some set up their tables before they listen.
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (apps.length === 0) {
    project.fault(main, null, "makes no application: require('azure-mobile-apps')()", true);
  }
  for (const app of apps) {
    for (const folder of app.tables.imports) await importAll(project, folder, loadTable);
    for (const { name, definition } of app.tables.added) addTable(project, name, [{ file: main, value: definition }]);
    for (const folder of app.api.imports) await importAll(project, folder, loadAPI);
    for (const { name, definition } of app.api.added) addAPI(project, name, [{ file: main, value: definition }]);
  }
  for (const app of listening) addRoutes(project, main, app);
}

/** Has nothing in the process listen, and learns which applications would have. */
function keepFromListening() {
  const listening = [];
  const server = http.Server.prototype;
  server.listen = function (...values) {
    const handler = this.listeners('request')[0];
    if (handler) listening.push(handler);
    const done = values.find((value) => typeof value === 'function');
    if (done) process.nextTick(done);
    return this;
  };
  const { express } = require('./express');
  express.listening = listening;
  return listening;
}

/** Serves the routes below `/api` that a project's own Express has beside the SDK's. */
function addRoutes(project, main, app) {
  const stack = app.stack ?? app._router?.stack ?? app.router?.stack ?? [];
  const names = new Map();
  for (const layer of stack) {
    const route = layer.route?.path ?? (layer.isMounted ? undefined : layer.path);
    if (typeof route !== 'string') continue;
    const [, first, name] = route.split('/');
    if (first?.toLowerCase() === 'api' && name && !/[:*(]/.test(name)) {
      const verbs = layer.verb ? [layer.verb] : Object.keys(layer.route?.methods ?? { get: true });
      const known = names.get(name) ?? new Set();
      for (const verb of verbs) known.add(verb === '_all' ? 'get' : verb);
      names.set(name, known);
    } else {
      project.fault(main, null, `the route ${route} is outside of /tables and /api, and is not served`, false);
    }
  }
  for (const [name, verbs] of names) {
    const known = [...verbs].filter((verb) => VERBS.includes(verb));
    const answered = Object.fromEntries(known.map((verb) => [verb, 'anonymous']));
    project.addAPI({
      name, file: main, generation: 'v2', verbs: answered, run: (call) => answerBy(app, call, project),
    });
  }
}

function answerBy(app, call, project) {
  const exchange = exchangeOf(call, project);
  exchange.req.azureMobile = makeContext(call, project, exchange);
  return new Promise((resolve) => {
    exchange.finished.then(() => resolve(answerOf(exchange)));
    app(exchange.req, exchange.res, (error) => resolve(error
      ? failureOf(error, call, project.root)
      : { kind: 'error', status: 404, message: 'There is nothing at this path.' }));
  });
}

module.exports = { loadApp };
