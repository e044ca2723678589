'use strict';

// `azureMobileApps()`: an application of Express that a project mounts in its own. What stands in front of it, around it
// and in it runs as it stands there; the tables and APIs themselves are answered by the server.

const { CALL } = require('./calls');
const { home } = require('./express-home');
const { answerProblem } = require('./failures');
const { makeTable } = require('./v2-table');

/** The applications that a project's own code has made, which say what is served. */
const apps = [];

/** The places in other applications where they are mounted. */
const mounts = new WeakSet();

/** What an application is told at least; a project's own words count. */
function configurationOf(given, defaults) {
  const configuration = { ...defaults, ...given };
  for (const key of ['data', 'auth', 'logging', 'cors', 'notifications', 'storage']) {
    configuration[key] = { ...defaults[key], ...given?.[key] };
  }
  configuration.tables = {};
  configuration.api = {};
  return configuration;
}

/** A router that knows what it is to serve. */
function collection(router, configuration, known) {
  const list = { imports: [], added: [] };
  return Object.assign(router, list, {
    configuration,
    /** Serves every module of a folder, or one file. */
    import: (path) => {
      router.imports.push(path);
      return router;
    },
    add: (name, definition) => {
      router.added.push({ name, definition });
      known[name] = definition ?? {};
      return router;
    },
    initialize: async () => undefined,
  });
}

/** @param project what the application is a part of */
function makeApp(project, given = {}) {
  const { express } = home();
  const app = express();
  const configuration = configurationOf(given, project.configuration);
  const routers = { own: express.Router(), tables: express.Router(), api: express.Router() };
  const use = app.use.bind(app);
  use((req, res, next) => project.enter(req, res, next, configuration));
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
  app.tables = collection(routers.tables, configuration, configuration.tables);
  app.api = collection(routers.api, configuration, configuration.api);
  app.table = makeTable;
  /** Whether anything of the project's own stands in it. */
  Object.defineProperty(app, 'isGuarded', { get: () => Object.values(routers).some(({ stack }) => stack.length > 0) });
  app.on('mount', (parent) => mounts.add((parent._router ?? parent.router).stack.at(-1)));
  apps.push(app);
  return app;
}

module.exports = { makeApp, apps, mounts };
