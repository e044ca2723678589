'use strict';

// `azureMobileApps()`: an application of Express that a project mounts in its own. What stands in front of it, around it
// and in it runs as it stands there; the tables and APIs themselves are answered by the server.

const { createRequire } = require('module');
const { METHODS } = require('http');
const path = require('path');
const { CALL } = require('./calls');
const { home } = require('./express-home');
const { answerProblem } = require('./failures');
const { lookAtOptions } = require('./unsupported');
const { keyOf, withKey } = require('./token-key');
const { makeTable } = require('./v2-table');

/** The applications that a project's own code has made, which say what is served. */
const apps = [];

/** The places in other applications where they are mounted. */
const mounts = new WeakSet();

/** Whether what they say is read, so that nothing more counts. */
let isRead = false;

/** What is put into an application behind its start would never come before a request. */
function late(what) {
  throw new Error(`${what} comes when the project has been read, and counts for nothing: it has to be done before listen`);
}

const ADDING = ['use', 'all', 'route', 'param', ...METHODS.map((name) => name.toLowerCase())];

/** The application that is served. */
let served;

/** Those that a request has come to. */
const entered = new WeakSet();

/** Whether a handler is an application or leads to it, by routers, which tell it nothing of that. */
const leadsTo = (app, handler) => handler === app || (stackOf(handler) ?? []).some((layer) => leadsTo(app, layer.handle));

/** Tells of what comes too late; an application that is mounted nowhere has never served anything. */
function lateFor(app, what) {
  if (app.parent || entered.has(app) || leadsTo(app, served)) late(what);
  console.warn(`${what} of a mobile app that is mounted nowhere counts for nothing`);
}

/**
 * Takes no more of what would count for nothing.
 * @param {Function[]} [unguarded] applications that no request comes through
 * @param {Function} [root] the application that is served
 */
function endReading(unguarded = [], root = undefined) {
  isRead = true;
  served = root;
  for (const app of unguarded) {
    for (const name of ADDING) {
      const add = app[name];
      // One word alone asks for a setting.
      if (add) app[name] = (...values) => (name === 'get' && values.length === 1 ? add.apply(app, values) : late(`app.${name}`));
    }
  }
}

const GROUPS = ['data', 'auth', 'logging', 'cors', 'notifications', 'storage'];

/** One over the other, group by group. */
function over(base, given) {
  const whole = { ...base, ...given };
  for (const key of GROUPS) whole[key] = { ...base?.[key], ...given?.[key] };
  const key = keyOf(whole.auth);
  if (key) withKey(whole.auth, key);
  return whole;
}

/** What a project says, over the file that the SDK read beside the main one: `azureMobile.js`, where no other is named. */
function givenBy(project, said) {
  const { basePath, configFile = 'azureMobile' } = said ?? {};
  const find = createRequire(path.join(project.root, 'script.js'));
  const file = path.resolve(basePath ?? path.dirname(path.join(project.root, project.main ?? '')), configFile);
  try {
    find.resolve(file);
  } catch {
    return over({}, said);
  }
  return over(find(file), said);
}

/** What an application is told at least; a project's own words count. */
function configurationOf(given, defaults) {
  return { ...over(defaults, given), tables: {}, api: {} };
}

/** A router that knows what it is to serve. */
function collection(app, router, configuration, known) {
  const list = { imports: [], added: [] };
  return Object.assign(router, list, {
    configuration,
    /** Serves every module of a folder, or one file. */
    import: (path) => {
      if (isRead) lateFor(app, 'import');
      else router.imports.push(path);
      return router;
    },
    add: (name, definition) => {
      if (isRead) {
        lateFor(app, `add('${name}')`);
        return router;
      }
      router.added.push({ name, definition });
      known[name] = definition ?? {};
      return router;
    },
    initialize: async () => undefined,
  });
}

/** What stands in an application or a router, in its order. */
const stackOf = (app) => app?.stack ?? (app?._router ?? app?.router)?.stack;

/** @param project what the application is a part of */
function makeApp(project, said) {
  const given = givenBy(project, said);
  const { express } = home();
  const app = express();
  lookAtOptions(project, given);
  const configuration = configurationOf(given, project.configuration);
  const routers = { own: express.Router(), tables: express.Router(), api: express.Router() };
  const use = app.use.bind(app);
  use((req, res, next) => {
    entered.add(app);
    project.enter(req, res, next, configuration);
  });
  use(routers.own);
  use(configuration.tableRootPath, routers.tables, project.tableRouter(express, () => app.configuration));
  use(configuration.apiRootPath, routers.api, project.apiRouter(express, () => app.configuration));
  use((error, req, res, next) => {
    if (!req[CALL]) return next(error);
    return answerProblem(error, { req, res, call: req[CALL] });
  });
  app.use = (...handlers) => {
    routers.own.use(...handlers);
    return app;
  };
  app.configuration = configuration;
  app.routers = routers;
  app.tables = collection(app, routers.tables, configuration, configuration.tables);
  app.api = collection(app, routers.api, configuration, configuration.api);
  app.table = makeTable;
  const size = stackOf(app)?.length;
  /** Whether anything of the project's own stands in it, or it answers elsewhere than the server. */
  Object.defineProperty(app, 'isGuarded', {
    get: () => Object.values(routers).some(({ stack }) => stack.length > 0) || stackOf(app)?.length > size
      || configuration.tableRootPath !== '/tables' || configuration.apiRootPath !== '/api'
      || [app.mountpath].flat().some((path) => path !== '/'),
  });
  app.on('mount', (parent) => mounts.add((parent._router ?? parent.router).stack.at(-1)));
  apps.push(app);
  return app;
}

module.exports = { makeApp, apps, endReading, mounts, stackOf };
