'use strict';

// What a project has that is not done here, and that guards or stores something. Each has a name, by which an operator says
// that it is known (`scripts.allowUnsupported`); till then the server does not start. The server knows the same names.

const path = require('path');
const { guardIn } = require('./v1-levels');
const { isOurs, placeOf } = require('./resolve');
const { lineAt } = require('./written-lines');

const WORDS = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const withoutComments = (source) => source.replace(WORDS, (each) => (each[0] === '/' ? each.replace(/[^\n]/g, ' ') : each));

const SDK_MODULE = /\brequire\(\s*(['"])(azure-mobile-apps\/(?!package)[^'"\n]+)\1\s*\)/g;
/** It is there, and throws whatever it is called for. */
const PROVIDER = /^azure-mobile-apps\/src\/data(?:\/index)?(?:\.js)?$/;

/** What of it a source has: `{ name, line, message }`. */
function unsupportedIn(source, isOld) {
  const text = withoutComments(source);
  const found = [];
  for (const match of text.matchAll(SDK_MODULE)) {
    const inside = match[2];
    if (isOurs(inside) && !PROVIDER.test(inside)) continue;
    const message = `requires '${inside}', a part of the SDK that is not here: what it guards or stores passes this server by`;
    found.push({ name: 'sdk-module', line: lineAt(text, match.index), message });
  }
  const transaction = isOld ? /\.\s*beginTransaction\s*\(/.exec(text) : null;
  if (transaction) {
    const message = 'begins a transaction over several texts of SQL, which fails when it runs: put them into one, which is one';
    found.push({ name: 'transaction', line: lineAt(text, transaction.index), message });
  }
  return found;
}

/** Whether a source has `mssql` of Mobile Services, and not a driver of that name. */
const hasOldDriver = (source) => /\bmssql\b/.test(source) && !/require\(\s*['"]mssql['"]/.test(source);

/** Whatever of the project's own was read, from the root. */
function ownFiles(project) {
  const inside = project.root.endsWith(path.sep) ? project.root : project.root + path.sep;
  const files = Object.keys(require('module')._cache)
    .filter((each) => each.startsWith(inside) && each.endsWith('.js') && !each.includes(`${path.sep}node_modules${path.sep}`))
    .map((each) => path.relative(project.root, each));
  return new Set([...project.read, ...files]);
}

/** Looks through all of it. */
function lookAtSources(project) {
  for (const file of ownFiles(project)) {
    const source = project.textOf(file) ?? '';
    for (const { name, line, message } of unsupportedIn(source, project.form !== 'app' && hasOldDriver(source))) {
      // To install it is no remedy.
      project.faults = project.faults.filter((each) => each.fatal || each.file !== file || each.line !== line
        || !each.message.startsWith("requires 'azure-mobile-apps/"));
      project.lacks(name, { file, line }, message);
    }
  }
}

/** Looks at what would have listened: `{ server, handler, file, line }` each, of which one is served. */
function lookAtServers(project, listening, served) {
  const place = ({ file = project.main, line = null }) => ({ file, line });
  for (const each of listening) {
    if (each.handler !== served.handler) {
      const { file, line } = place(served);
      const message = `has a second application listen; the one of ${file}:${line} is served, and nothing of this one`;
      project.lacks('second-application', place(each), message);
    }
    const { server } = each;
    if (server.listenerCount('request') > 1) {
      project.lacks('second-application', place(each), 'has several listeners of requests; the first alone is asked');
    }
    if (server.listenerCount('upgrade') + server.listenerCount('connect') > 0) {
      project.lacks('websockets', place(each), 'takes connections over (web sockets, CONNECT), which do not come to it');
    }
    if (server.requestCert) {
      const message = "asks clients for certificates (requestCert), which nobody does now: let a proxy in front ask for them";
      project.lacks('client-certificates', place(each), message);
    }
  }
}

/** Looks at what an application is made with. */
function lookAtOptions(project, { data, notificationRootPath }) {
  const { file = project.main ?? '', line = null } = placeOf(new Error(), project.root);
  if (typeof data?.provider === 'function') {
    const message = 'has a data provider of its own (data.provider), which nobody asks: rows are in the database of the server';
    project.lacks('data-provider', { file, line }, message);
  }
  if (notificationRootPath && notificationRootPath !== project.configuration.notificationRootPath) {
    const there = project.configuration.notificationRootPath;
    project.fault(file, line, `wants devices to register at ${notificationRootPath}; they do at ${there}`, false);
  }
}

const ROUTES = ['use', 'all', 'get', 'post', 'put', 'patch', 'delete', 'param', 'route'];

/** The application that a Mobile Service's startup script is handed: what it adds there stands nowhere. */
function startupApp(project, app) {
  for (const each of ROUTES) {
    const add = app[each];
    app[each] = (...values) => {
      // One word alone asks for a setting.
      if (each !== 'get' || values.length > 1) {
        const { file, line } = placeOf(new Error(), project.root);
        const message = `adds to the application of the startup script (app.${each}), which no request comes through`;
        project.lacks('startup-app', { file: file ?? project.startup, line: line ?? null }, message);
      }
      return add?.apply(app, values);
    };
  }
  // There is a server only behind this one.
  Object.defineProperty(app, 'server', {
    get() {
      const { file, line } = placeOf(new Error(), project.root);
      const message = 'takes hold of the HTTP server in the startup script (app.server): no connection comes to it';
      project.lacks('websockets', { file: file ?? project.startup, line: line ?? null }, message);
      return new (require('http').Server)();
    },
  });
  return app;
}

/** What exports something that is called so, or another module's whatever. */
const REGISTER = /\bregister\b|\bexports\s*=\s*require\b/;

/** The place of a level in `push.json` that not everybody has; one that is no JSON is looked through. */
function guardAt(text) {
  let word;
  try {
    word = guardIn(JSON.parse(text));
  } catch {
    return text.search(/"(?:user|authenticated|admin|master|disabled)"/i);
  }
  return word === undefined ? -1 : Math.max(0, text.indexOf(JSON.stringify(word)));
}

/** What a service says of devices that register for push: a script that may refuse them, or a level that they need. */
function pushExtension(project, file, text) {
  if (text === undefined) {
    const message = "can't be read: devices that register for push may have to pass it, and nobody looks at it";
    return project.lacks('push-registration', { file, line: null }, message);
  }
  const isScript = file.endsWith('.js');
  const place = isScript ? withoutComments(text).search(REGISTER) : guardAt(text);
  if (place < 0) return undefined;
  const message = isScript ? 'has devices that register for push pass a script (exports.register), which nobody runs'
    : 'asks devices that register for push for a level, which nobody looks at';
  return project.lacks('push-registration', { file, line: lineAt(text, place) }, message);
}

module.exports = {
  lookAtOptions, lookAtServers, lookAtSources, ownFiles, pushExtension, startupApp, unsupportedIn,
  withoutComments,
};
