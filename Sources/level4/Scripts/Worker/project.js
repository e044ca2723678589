'use strict';

// A folder of scripts: what it serves, and who answers a call.

const fs = require('fs');
const path = require('path');
const { isWithin, refusal } = require('./node-version');
const { missingModules, placeOf } = require('./resolve');
const { dataIn, textIn } = require('./source-files');
const { linesOfData } = require('./written-lines');

class Project {
  /**
   * @param {string} [tokenKey] by which its scripts sign tokens that the server takes, in hexadecimal
   * @param {(file: string) => void} [note] hears of each file before it is read
   */
  constructor({ form, root, tokenKey }, note = () => {}) {
    this.note = note;
    this.form = form;
    this.root = root;
    /** By name in lower case: `{ name, file, files, generation, operations, definition, undeletesByUpdate, run(call) }`. */
    this.tables = new Map();
    /** By name in lower case: `{ name, file, generation, verbs, run(call) }`. */
    this.apis = new Map();
    /** By name: `{ name, file, cron, place, run(call) }`. */
    this.jobs = new Map();
    this.faults = [];
    /** The files of scripts that could be read. */
    this.read = new Set();
    /** Whether requests have to come through the project's own application. */
    this.hasChain = false;
    /** Whether an application of its own listens. */
    this.isListening = false;
    this.tokenKey = tokenKey;
  }

  async load() {
    const refused = refusal(process.version);
    if (refused) return this.fault('', null, refused, true);
    this.lookAtEngines('package.json');
    // A Mobile Service has its own beside its folders of scripts.
    if (this.form === 'service') this.lookAtEngines(path.join('service', 'package.json'));
    // Before any script is read, since what they require is answered by it.
    require('./modules').provide(this);
    if (this.form === 'service') await require('./v1-load').loadService(this);
    else if (this.form === 'app') await require('./v2-app').loadApp(this);
    else await this.loadConfig();
    require('./unsupported').lookAtSources(this);
    require('./sdk-imports').lookForImports(this);
  }

  /** Tells where a project was made for another Node; it is run all the same. */
  lookAtEngines(file) {
    let text;
    let range;
    try {
      text = dataIn(path.join(this.root, file));
      range = JSON.parse(text)?.engines?.node;
    } catch (error) {
      // In a project of the SDK that matters, and what is no JSON is told of by Node.
      const isTold = this.form === 'app' || text !== undefined || ['ENOENT', 'ENOTDIR'].includes(error.code);
      if (!isTold) this.fault(file, null, `can't be read: ${error.message}`, false);
    }
    if (typeof range !== 'string' || isWithin(process.version, range)) return;
    const line = linesOfData(text).get('engines.node') ?? null;
    this.fault(file, line, `asks for Node ${range}; this is ${process.version}, by which it is run`, false);
  }

  /** The text of a file; undefined where there is none, or it can't be read, which is told of by whoever needs it. */
  textOf(file) {
    try {
      return dataIn(path.join(this.root, file));
    } catch {
      return undefined;
    }
  }

  async loadConfig() {
    const v1 = require('./v1-load');
    const v2 = require('./v2-load');
    for (const file of this.files('tables')) {
      await this.reading(file, (source) => {
        if (v1.isTable(source)) v1.loadTable(this, file, source);
        else v2.loadTable(this, v2.besideIn(this, file));
      });
    }
    for (const file of this.files('api')) {
      await this.reading(file, (source) => {
        if (v1.isAPI(source)) v1.loadAPI(this, file, source);
        else v2.loadAPI(this, v2.besideIn(this, file));
      });
    }
    await v1.loadJobs(this, 'scheduler');
  }

  /** The names in a folder; none where it isn't there. */
  namesIn(folder) {
    try {
      return fs.readdirSync(path.join(this.root, folder));
    } catch (error) {
      // Tables whose scripts are passed over would be open to whom these keep out.
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && !this.faults.some(({ file }) => file === folder)) {
        this.fault(folder, null, `can't be read by the process that runs scripts: ${error.code}`, true);
      }
      return [];
    }
  }

  /** The scripts of a folder, from the root. */
  files(folder) {
    return this.namesIn(folder).filter((name) => name.endsWith('.js') && !name.startsWith('.')).sort()
      .map((name) => path.join(folder, name));
  }

  /** Reads one script; what is wrong with it is a fault, and the others are served. */
  async reading(file, body) {
    const whole = path.join(this.root, file);
    this.note(file);
    try {
      const source = textIn(whole);
      for (const { name, line } of missingModules(whole, source)) {
        const sentence = `requires '${name}', which is not installed: npm install in the folder of the scripts`;
        this.fault(file, line, sentence, false);
      }
      if (this.refuses(file, source)) return;
      await body(source, whole);
      this.read.add(file);
    } catch (error) {
      this.failed(file, error);
    }
  }

  /** The same of what is read at once, such as data; one that can't be read is named, and the others are served. */
  readingNow(file, body) {
    const whole = path.join(this.root, file);
    this.note(file);
    try {
      const source = textIn(whole);
      if (!this.refuses(file, source)) body(source, whole);
    } catch (error) {
      this.failed(file, error);
    }
  }

  /** Whether a file is not to be run, as it gets hold of another SDK. */
  refuses(file, source) {
    const found = file.endsWith('.json') ? undefined : require('./sdk-imports').sdkImport(this.root, file, source);
    if (found) this.fault(found.file, found.line, found.message, true);
    return found !== undefined;
  }

  failed(file, error) {
    // Of what is beside several scripts that is told once.
    if (error?.fault) return;
    const place = placeOf(error, this.root);
    const line = place.file === file ? place.line : syntaxLine(error, path.join(this.root, file));
    const where = place.file && place.file !== file ? ` (${place.file}:${place.line})` : '';
    this.fault(file, line ?? null, `can't be loaded: ${error?.message ?? error}${where}`, true);
  }

  /**
   * Has something fail for everybody in the place of a file that could not be read, so that the others are served.
   * @param {number} before how many faults there were
   * @param {(fail: () => never) => number | undefined} stand puts it there, and says how it is answered where that isn't 500
   */
  standFor(file, before, stand) {
    const fault = this.faults.slice(before).find(({ fatal, name }) => fatal && !name);
    if (!fault) return;
    const error = new Error(`${file} can't be served`);
    const status = stand(() => { throw error; }) ?? 500;
    this.serveAround(fault, status);
    error.stack = `${fault.file}${fault.line ? `:${fault.line}` : ''}: ${fault.message}`;
  }

  /** Has a fault keep nothing from being served but what it is about, which has stood aside. */
  serveAround(fault, status) {
    if (!fault.fatal) return;
    fault.fatal = false;
    fault.message += `; whoever asks for it is answered ${status}`;
  }

  /** Tells of a promise that failed while the project was read, and that nobody waits for. */
  leftToNobody(error) {
    const { file = this.main ?? '', line = null } = placeOf(error, this.root);
    this.fault(file, line, `leaves an error to nobody when it is started: ${error?.message ?? error}`, false);
  }

  fault(file, line, message, fatal) {
    this.faults.push({ file, line, message, fatal });
  }

  /** Tells of something that is not done here, under the name by which an operator may say that it is known. */
  lacks(name, { file, line }, message) {
    this.faults.push({ file, line, message, fatal: true, name });
  }

  /** What is served of a kind, `table` or `api`. */
  of(kind) {
    return kind === 'table' ? this.tables : this.apis;
  }

  addTable(table) {
    const known = this.tables.get(table.name.toLowerCase());
    if (known) this.fault(table.file, null, `defines table ${table.name}, which ${known.file} defines too`, true);
    else this.tables.set(table.name.toLowerCase(), table);
  }

  addAPI(api) {
    const known = this.apis.get(api.name.toLowerCase());
    if (known) this.fault(api.file, null, `defines the API ${api.name}, which ${known.file} defines too`, true);
    else this.apis.set(api.name.toLowerCase(), api);
  }

  addJob(job) {
    this.jobs.set(job.name, job);
  }

  /** What the mobile app of a project is made of. */
  enter(req, res, next, configuration) {
    return require('./mobile-routes').enter(this, req, res, next, configuration);
  }

  tableRouter(express, configuration) {
    return require('./mobile-routes').tableRouter(this, express, configuration);
  }

  apiRouter(express, configuration) {
    return require('./mobile-routes').apiRouter(this, express, configuration);
  }

  /** What the server is told of it. */
  get inventory() {
    return {
      tables: [...this.tables.values()].map((table) => ({
        name: table.name, file: table.file, files: table.files, generation: table.generation, definition: table.definition,
        places: table.places ?? {}, broken: table.isBroken, assumed: table.isAssumed,
        scripts: [...table.operations], undeletesByUpdate: table.undeletesByUpdate ?? false,
      })),
      apis: [...this.apis.values()].map(({ name, file, generation, verbs, isBroken }) => (
        { name, file, generation, verbs, broken: isBroken })),
      jobs: [...this.jobs.values()].map(({ name, file, cron, place }) => ({ name, file, cron, place })),
      faults: this.faults, hasChain: this.hasChain,
    };
  }

  /** Answers a call. */
  run(call) {
    const { message } = call;
    switch (message.kind) {
      case 'table': return this.tables.get(message.table.toLowerCase()).run(call);
      case 'api': return this.apis.get(message.name.toLowerCase()).run(call);
      case 'job': return this.jobs.get(message.name).run(call);
      case 'http': return require('./v2-app').answerBy(call, this);
    }
    throw new Error(`there are no calls of the kind ${message.kind}`);
  }
}

/** The line of a syntax error, which stands before its stack. */
function syntaxLine(error, file) {
  const head = String(error?.stack ?? '').split('\n')[0];
  const match = head.startsWith(file) ? /:(\d+)$/.exec(head) : null;
  return match ? Number(match[1]) : undefined;
}

module.exports = { Project };
