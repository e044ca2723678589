'use strict';

// What `require('azure-mobile-apps')` gives: the SDK's own surface, over this server.

const { AsyncLocalStorage } = require('async_hooks');
const { literal, Query } = require('./query');
const { makeTable } = require('./v2-table');
const { logger } = require('./v2-context');

/** The applications that a project's own code has made, which say what is served. */
const apps = [];

/** Where `import` of an application looks for its folders: beside the file that is being read. */
const folder = new AsyncLocalStorage();

function collection(kind) {
  const list = { imports: [], added: [] };
  return Object.assign(list, {
    /** Serves every module of a folder, or one file. */
    import: (path) => void list.imports.push(path),
    add: (name, definition) => void list.added.push({ name, definition }),
    initialize: async () => undefined,
    configuration: {},
    kind,
  });
}

/** An application, which is a handler of Express too: mounted there, it goes on to what stands behind it. */
function makeApp(configuration = {}) {
  const app = (req, res, next) => next?.();
  app.configuration = configuration;
  app.tables = collection('tables');
  app.api = collection('api');
  app.middleware = [];
  app.use = (...handlers) => {
    app.middleware.push(...handlers.flat(Infinity));
    return app;
  };
  app.path = folder.getStore();
  apps.push(app);
  return app;
}

const queries = {
  create: (table) => new Query(table),
  fromRequest: (req) => req.azureMobile.query,
  toOData: (query) => query.toOData(),
};

const promises = {
  create: (body) => new Promise(body),
  resolved: (value) => Promise.resolve(value),
  rejected: (error) => Promise.reject(error),
  delayed: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  wrap: (body, target) => (...values) => new Promise((resolve, reject) => {
    body.call(target, ...values, (error, result) => (error ? reject(error) : resolve(result)));
  }),
  all: (list) => Promise.all(list),
  series: (items, body) => items.reduce((before, item) => before.then(() => body(item)), Promise.resolve()),
};

const sdk = Object.assign((configuration) => makeApp(configuration), {
  table: (definition) => makeTable(definition),
  api: () => ({}),
  express: Object.assign((configuration) => makeApp(configuration), { table: makeTable }),
  query: queries,
  queries,
  promises,
  logger,
  literal,
});

module.exports = { sdk, apps, folder, queries, promises };
