'use strict';

// A whole project of the Node SDK: its own code is run, and what it imports is served.

const http = require('http');
const net = require('net');
const { apps, endReading, mounts, stackOf } = require('./mobile-app');
const { brokenBy } = require('./answers');
const { CALL } = require('./calls');
const { home, lacking } = require('./express-home');
const { answerOf, makeExchange } = require('./http-exchange');
const { mainOf } = require('./main-file');
const { meantBy, plainAddress } = require('./plain-address');
const { placeOf } = require('./resolve');
const { lookAtServers } = require('./unsupported');
const { addAPI, addTable, importAll, requireIn } = require('./v2-load');

/** How long a project may take from the end of its main file until it listens. */
const PATIENCE = 2000;

async function loadApp(project) {
  let main;
  try {
    main = mainOf(project.root);
  } catch (error) {
    project.failed('package.json', error);
    return;
  }
  const lack = lacking();
  if (lack) return void project.fault(main, null, lack, true);
  try {
    // Before the project puts something around it.
    home();
  } catch (error) {
    return void project.fault(main, null, error.message, true);
  }
  project.main = main;
  process.env.PORT ??= '0';
  const listening = keepFromListening(project);
  await project.reading(main, (source, whole) => requireIn(project)(whole));
  if (project.faults.some(({ fatal, name }) => fatal && !name)) return;
  if (apps.length === 0) {
    project.fault(main, null, "makes no application: require('azure-mobile-apps')()", true);
  }
  // Some set up their tables before they listen.
  for (let waited = 0; !listening.length && waited < PATIENCE; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // What the callback of `listen` does counts too.
  await new Promise(setImmediate);
  for (const app of apps) {
    const { configuration } = app;
    for (const folder of app.tables.imports) importAll(project, folder, 'table', configuration);
    for (const { name, definition } of app.tables.added) {
      addTable(project, name, [{ file: main, value: definition }], configuration);
    }
    for (const folder of app.api.imports) importAll(project, folder, 'api', configuration);
    for (const { name, definition } of app.api.added) addAPI(project, name, [{ file: main, value: definition }], configuration);
  }
  const served = listening.find(({ handler }) => holdsApp(handler)) ?? listening[0];
  if (served) lookAtServers(project, listening, served);
  const root = served?.handler ?? apps[0];
  project.application = typeof root?.get === 'function' ? root : undefined;
  project.hasChain = Boolean(root) && (isGuarded(root) || apps.some((app) => app.isGuarded));
  project.handler = root;
  const all = [root, ...apps, ...apps.flatMap(({ routers }) => Object.values(routers))].filter(Boolean);
  endReading(project.hasChain ? [] : all, root);
}

/** Has nothing in the process listen, and learns which applications would have. */
function keepFromListening(project) {
  const listening = [];
  const { listen } = net.Server.prototype;
  // That of HTTPS and of HTTP/2 too.
  net.Server.prototype.listen = function (...values) {
    const handler = this.listeners('request')[0];
    if (!handler && !(this instanceof http.Server)) return listen.apply(this, values);
    if (handler) {
      listening.push({ server: this, handler, ...placeOf(new Error(), project.root) });
      project.isListening = true;
    }
    const done = values.find((value) => typeof value === 'function');
    if (done) process.nextTick(done);
    return this;
  };
  return listening;
}

/** What Express itself puts in front of everything. */
const EXPRESS_OWN = ['query', 'expressInit'];

/** Whether it is a mobile app, or one has been mounted in it. */
const holdsApp = (handler) => apps.includes(handler) || (stackOf(handler) ?? []).some((layer) => mounts.has(layer));

/** Whether an application has anything beside the mobile apps that it mounts. */
function isGuarded(root) {
  if (apps.includes(root)) return false;
  const stack = stackOf(root);
  // What nobody can look into may be anything.
  if (!stack) return true;
  return stack.some((layer) => !EXPRESS_OWN.includes(layer.name) && !mounts.has(layer));
}

/** Answers a request by the application that would have listened. */
async function answerBy(call, project) {
  const { request, body, generation } = call.message;
  const bytes = Buffer.from(body ?? '', 'base64');
  const isReplacement = request.method === 'PUT' && generation === 'v3' && meantBy(request.url, project)?.live;
  const exchange = makeExchange({
    method: isReplacement ? 'PATCH' : request.method, url: plainAddress(request.url), fields: request.fields, body: bytes,
    address: request.address, isSecured: request.secured,
  });
  exchange.body = bytes;
  call.exchange = exchange;
  const { req, res } = exchange;
  call.told = { method: req.method, url: req.url, headers: { ...req.headers }, isReplacement };
  req[CALL] = call;
  return new Promise((resolve) => {
    exchange.finished.then(() => {
      const answer = answerOf(exchange);
      if (exchange.isKept) answer.body = null;
      resolve(answer);
    });
    project.handler(req, res, (error) => {
      if (!error) return resolve(unanswered(call, project));
      const status = error.status ?? error.statusCode;
      if (!Number.isInteger(status) || status < 400 || status >= 500) return resolve(brokenBy(error, project.root));
      return resolve({ kind: 'error', status, message: String(error.message ?? error) });
    });
  });
}

/**
 * What nobody has answered is the server's, but for what is the project's and wasn't come to: it stands elsewhere in the
 * application, behind what guards it there.
 */
function unanswered({ message: { request }, passed }, project) {
  const meant = meantBy(request.url, project);
  if (!meant || meant === passed) return { kind: 'unanswered' };
  return { kind: 'error', status: 404, message: 'The application has nothing at this path.' };
}

module.exports = { loadApp, answerBy };
