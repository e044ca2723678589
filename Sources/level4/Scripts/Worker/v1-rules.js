'use strict';

// The file beside a script of Mobile Services: who may do what, and what in it nobody understands.

const path = require('path');
const { loose } = require('./loose-paths');
const { dataIn } = require('./source-files');
const { GUARDS, LOOKS_LIKE_RIGHT, NOTE, nearest } = require('./unknown-keys');
const { LEVELS, WORDS, bare, isObject, levelOf, placeOf, routeLevel } = require('./v1-levels');
const { linesOfData } = require('./written-lines');

const OWN_WORDS = {
  table: ['read', 'insert', 'update', 'delete', 'undelete', 'del'],
  api: ['get', 'post', 'put', 'patch', 'delete', 'del'],
};
/** What else a table's file says. */
const PROPERTIES = {
  table: ['softDelete', 'enableSoftDelete', 'columns', 'indexes', 'autoIncrement', 'dynamicSchema'],
  api: [],
};
/** Verbs that nobody may be kept from by themselves: the server answers them, as those for `get`. */
const ANSWERED = ['head', 'options'];
const NAMES = { table: 'a table', api: 'an API' };
const LEVEL_KEYS = ['permission', 'access'];
/** Words that only somebody who means a right begins a key with, or ends it. */
const MEANING = [...WORDS.filter((word) => word !== '*'), ...LEVELS.keys(), 'routes', ...GUARDS];

/** Whether a key that nobody knows was to say who may do something, by its name or by what it holds. */
function looksLikeRight(name, value, least = 3) {
  return name === '*' || LOOKS_LIKE_RIGHT.test(name) || nearest(name, MEANING, least) !== undefined
    || (typeof value === 'string' && levelOf(value) !== undefined)
    || (isObject(value) && Object.keys(value).some((each) => looksLikeRight(each, value[each], Infinity)));
}

/** What the file says. */
class Rules {
  /**
   * @param {'table' | 'api'} kind
   * @param {{ file: string, text: string, value: object }} written
   * @param {(file: string, line: number | null, message: string) => void} tell hears of what isn't understood
   */
  constructor(kind, written, tell) {
    Object.assign(this, { kind, written, value: written.value });
    this.words = OWN_WORDS[kind];
    /** See `routeLevel`. */
    this.closed = new Map();
    const lines = linesOfData(written.text);
    this.tell = (key, message) => tell(written.file, lines.get(key) ?? null, message);
    this.takeFile();
  }

  level(route, word, fallback) {
    return routeLevel(this.value, route, word, fallback, this.closed);
  }

  place(route, word) {
    return placeOf(this.value, route, word, this.written, this.closed);
  }

  /** Leaves a part of the file to the operators: it isn't understood who else should be let in. */
  close(part, key, sentence) {
    if (!this.closed.has(part)) this.closed.set(part, key);
    this.tell(key, `${sentence}; only the master key is let in where no other key says who is`);
  }

  takeFile() {
    const { routes } = this.value;
    for (const key of Object.keys(this.value)) {
      const each = this.value[key];
      if (key === 'routes') this.takeRoutes(routes);
      else if (each === null || PROPERTIES[this.kind].includes(key)) continue;
      else if (![...LEVEL_KEYS, ...this.words].includes(key)) this.takeUnknown('', key, key, each);
      else if (isObject(routes)) this.close('', key, `\`${key}\` counts for nothing beside \`routes\``);
      else if (LEVEL_KEYS.includes(key)) this.takeLevel(key, each);
      else this.takeRule(key, each, false);
    }
  }

  takeRoutes(routes) {
    if (!isObject(routes) || Array.isArray(routes)) {
      return this.close('', 'routes', '`routes` has to be an object, such as { "*": { "permission": "user" } }');
    }
    for (const name of Object.keys(routes)) {
      const key = `routes.${name}`;
      if (this.kind === 'api' || ['', '*'].includes(bare(name))) this.takeRule(key, routes[name], true);
      else this.close('', key, `\`${key}\` is no route of a table, which has \`*\` alone`);
    }
    return undefined;
  }

  /** Looks at what is said of an operation or a verb, or of a route with all of them. */
  takeRule(key, rule, isRoute) {
    if (rule === null) return;
    if (typeof rule === 'string') return void this.takeLevel(key, rule);
    if (!isObject(rule) || Array.isArray(rule)) {
      return void this.close(key, key, `\`${key}\` has to be a level or an object, such as { "permission": "user" }`);
    }
    const word = isRoute ? WORDS.find((each) => each in rule) : undefined;
    for (const name of Object.keys(rule)) {
      const [inner, value] = [`${key}.${name}`, rule[name]];
      if (LEVEL_KEYS.includes(name)) {
        this.takeLevel(inner, value);
        if (word) this.tell(inner, `\`${inner}\` counts for nothing beside \`${word}\``);
      } else if (isRoute && (name === '*' || this.words.includes(name))) {
        this.takeRule(inner, value, false);
      } else {
        this.takeUnknown(key, inner, name, value);
      }
    }
  }

  takeLevel(key, word) {
    if (word === null || levelOf(word) !== undefined) return;
    this.tell(key, `'${word}' is no level: public, application, user or admin; nobody is let in`);
  }

  takeUnknown(part, key, name, value) {
    if (value === null) return;
    const sentence = `\`${key}\` is no key of ${NAMES[this.kind]}`;
    const meant = part === '' ? nearest(name, PROPERTIES[this.kind]) : undefined;
    const isIdle = meant !== undefined || NOTE.test(name) || (this.kind === 'api' && ANSWERED.includes(name));
    if (!isIdle && looksLikeRight(name, value)) return void this.close(part, key, sentence);
    this.tell(key, `${sentence}, and counts for nothing${meant === undefined ? '' : `: \`${meant}\` is one`}`);
  }

  /** Looks for routes that an API doesn't have: those that are named as verbs are were to say who may use these. */
  takeRoutesOf(routes) {
    const { routes: named } = this.value;
    if (!isObject(named) || Array.isArray(named)) return;
    const known = new Set(routes.map(bare));
    for (const name of Object.keys(named)) {
      if (name === '*' || known.has(bare(name))) continue;
      const sentence = `\`routes.${name}\` is no route of the API`;
      if (this.words.includes(bare(name).toLowerCase())) this.close('', `routes.${name}`, sentence);
      else this.tell(`routes.${name}`, `${sentence}, and counts for nothing`);
    }
  }
}

/** Tells of a file that says nobody knows what; whoever asks for it gets the error, which has the fault. */
function refusal(project, file, message) {
  project.fault(file, null, message, true);
  return Object.assign(new Error(message), { fault: project.faults.at(-1) });
}

/** The file beside a script: `{ file, text, value }`; undefined where there is none. One that can't be read is an error. */
function writtenBeside(project, script) {
  const at = loose(path.join(project.root, script.replace(/\.js$/, '.json')));
  if (!at) return undefined;
  const file = path.relative(project.root, at);
  // A table's is beside several scripts.
  const known = (project.beside ??= new Map());
  if (!known.has(file)) known.set(file, read(project, file, at));
  const found = known.get(file);
  if (found instanceof Error) throw found;
  return found;
}

function read(project, file, at) {
  try {
    const text = dataIn(at);
    return { file, text, value: JSON.parse(text) };
  } catch (error) {
    return refusal(project, file, `can't be read: ${error.message}`);
  }
}

/** The rules beside a script of a service, or of an API; undefined where there are none. */
function rulesBeside(project, script, kind) {
  const written = writtenBeside(project, script);
  if (!written || written.rules) return written?.rules;
  if (!isObject(written.value) || Array.isArray(written.value)) {
    const error = refusal(project, written.file, 'has to be a JSON object');
    project.beside.set(written.file, error);
    throw error;
  }
  written.rules = new Rules(kind, written, (file, line, message) => project.fault(file, line, message, false));
  return written.rules;
}

module.exports = { Rules, rulesBeside, writtenBeside };
