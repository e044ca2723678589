'use strict';

// The extensions of a service: what it does as it begins.

const path = require('path');
const { Call } = require('./calls');
const { guarded } = require('./callbacks');
const { home } = require('./express-home');
const { Script } = require('./v1-compile');
const { config, serviceOf } = require('./v1-services');
const { pushExtension, startupApp } = require('./unsupported');

/** For how long a service waits for its startup script. */
const PATIENCE = 5000; // milliseconds

/** When the server runs what a service does as it begins and asks for data by. */
const AT_START = '@start';

/** What stands for a call where none is under way: whatever is asked of it waits, and the end of the waiting is heard. */
class Probe {
  constructor(note) {
    this.id = null;
    this.message = { kind: 'job' };
    this.asks = new Map();
    this.note = note;
    /** Whether the service is loaded, so that nobody reads its faults any more. */
    this.isOver = false;
    this.asked = new Promise((resolve) => { this.hear = resolve; });
  }

  ask() {
    if (this.isOver) {
      return Promise.reject(new Error('the startup script gets no data once the service is loaded: ask by a job or a request'));
    }
    this.hasAsked = true;
    this.hear();
    return new Promise(() => {});
  }

  broke(error) {
    this.hear();
    if (this.isOver) console.error(`the startup script failed after the service was loaded: ${error?.stack ?? error}`);
    else this.note(`failed: ${error?.message ?? error}`);
  }

  fail({ message, stack }) {
    this.broke(Object.assign(new Error(message), stack && { stack }));
  }

  log() {}

  run(body) {
    return Call.prototype.run.call(this, body);
  }
}

/** What a startup script is handed. */
function contextOf(project) {
  const { statusCodes, console: ignored, ...services } = serviceOf();
  const context = { ...services, config: config() };
  let app;
  // Few look at it, and it needs Express.
  Object.defineProperty(context, 'app', { get: () => (app ??= startupApp(project, home().express())) });
  return context;
}

/** Has a startup script prepare this process, and the server run it where it asks for data. */
async function begin(project, file, source) {
  project.startup = file;
  const note = (words) => project.fault(file, null, `the startup script ${words}`, false);
  const { exports } = new Script(project, file, source, []).run();
  if (typeof exports?.startup !== 'function') return note('exports no function startup');
  const start = (done) => exports.startup(contextOf(project), done);
  const probe = new Probe(note);
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE, 'late'); });
  const ended = new Promise((resolve) => { probe.run(() => guarded(probe, () => start(() => resolve()))); });
  const end = await Promise.race([ended, probe.asked, late]);
  clearTimeout(timer);
  probe.isOver = true;
  if (end === 'late') note(`did not call done within ${PATIENCE / 1000} seconds`);
  if (!probe.hasAsked) return undefined;
  const name = path.basename(file, '.js');
  const run = (call) => require('./v1-job').run(call, () => new Promise((resolve) => {
    guarded(call, () => start(() => resolve()));
    setTimeout(resolve, PATIENCE);
  }), project);
  return project.addJob({ name: `extensions/${name}`, file, cron: AT_START, run });
}

/** Reads the extensions of a service. */
async function loadExtensions(project, folder) {
  const names = project.namesIn(folder);
  const found = (...wanted) => names.find((each) => wanted.includes(each.toLowerCase()));
  const at = (name) => path.join(folder, name);
  const startup = found('startup.js') ?? found('startupscript.js');
  if (startup) {
    const before = project.faults.length;
    await project.reading(at(startup), (source) => begin(project, at(startup), source));
    // A service that could not begin so was served all the same.
    for (const fault of project.faults.slice(before)) if (!fault.name) fault.fatal = false;
  }
  for (const name of [found('push.js'), found('push.json')]) {
    if (name) pushExtension(project, at(name), project.textOf(at(name)));
  }
}

module.exports = { loadExtensions };
