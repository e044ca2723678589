'use strict';

// What a module and the JSON file of its name say together of a table or an API: the data counts over the code, key by
// key. Nothing here reads files or remembers anything.

const { plain } = require('./answers');
const { GUARDS, LOOKS_LIKE_RIGHT, nearest } = require('./unknown-keys');
const { lineInCode, linesOfData } = require('./written-lines');

const OPERATIONS = ['read', 'insert', 'update', 'delete', 'undelete'];
const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'all', 'head', 'options'];
/** What says how a table is, here and in a definition of a configuration. */
const PROPERTIES = [
  'name', 'databaseTableName', 'containerName', 'schema', 'columns', 'dynamicSchema', 'softDelete', 'autoIncrement',
  'pageSize', 'maxTop', 'indexes', 'seed', 'perUser', 'userIdColumn', 'recordsExpire', 'webhook', 'visible', 'writable',
  'conflictPolicy', 'conflictPolicyParameter', 'required', 'parameterEcho', 'identities', 'tombstones',
];
const RIGHTS = ['access', 'authorize', 'disable'];
const LEVELS = ['anonymous', 'application', 'authenticated', 'admin', 'disabled'];
/** A key of code that nobody knows, and that was to keep others out: code has many keys of its own. */
const MISSPELT = /^(?:acc?ess?|authori[sz]|authent|disabl|permiss)/i;

const isObject = (value) => typeof value === 'object' && value !== null;
const isKeyed = (value) => isObject(value) || typeof value === 'function';
/** Not a member that every object has: a router's `get` is its prototype's. */
const own = (value, key) => (isKeyed(value) && Object.hasOwn(value, key) ? value[key] : undefined);

/**
 * Lays data over what a module exports, in place: members of objects and functions one by one, anything else as a
 * whole.
 * @returns what counts
 */
function overlay(value, data) {
  if (!isKeyed(value) || !isObject(data)) return data === null && isKeyed(value) ? value : data;
  for (const key of Object.keys(data)) {
    // A file has no say in what an object inherits, such as a router's `get`, and takes nobody's function away.
    const isInherited = key === '__proto__' || (!Object.hasOwn(value, key) && typeof value[key] === 'function');
    if (isInherited || (typeof value[key] === 'function' && !isObject(data[key]))) continue;
    // What can't be written, such as the name of a function, stays.
    Reflect.set(value, key, overlay(own(value, key), data[key]));
  }
  return value;
}

/** One file's say on who may do something, as it is collected. */
class Rights {
  constructor(kind) {
    this.kind = kind;
    this.words = kind === 'table' ? OPERATIONS : VERBS;
    /** By operation or verb, and under '' what counts for all: `{ access, authorize, disable }`. */
    this.said = {};
    /** By key with dots: `{ file, line }`. */
    this.places = {};
    this.faults = [];
  }

  say(scope, key, value, place) {
    (this.said[scope] ??= {})[key] = value;
    this.places[scope ? `${scope}.${key}` : key] = place;
  }

  /** Nobody is let in where it isn't understood who should be. */
  close(scope, place, sentence) {
    this.say(scope, 'access', 'disabled', place);
    this.faults.push({ ...place, message: `${sentence}; nobody is let in` });
  }

  take(part) {
    const lines = part.isData ? linesOfData(part.source) : undefined;
    this.placeOf = (name) => ({
      file: part.file,
      line: (lines ? lines.get(name) : lineInCode(part.source ?? '', name, this.words)) ?? null,
    });
    this.takeScope('', part.value, part.isData);
    for (const word of this.words) {
      const value = own(part.value, word);
      if (isKeyed(value)) this.takeScope(word, value, part.isData);
      else if (part.isData && value !== undefined && value !== null) {
        const sentence = `\`${word}\` has to be an object, such as { "access": "authenticated" }`;
        this.close(word, this.placeOf(word), sentence);
      }
    }
  }

  takeScope(scope, value, isData) {
    const named = (key) => (scope ? `${scope}.${key}` : key);
    const level = own(value, 'access');
    if (level) {
      const word = String(level).toLowerCase();
      const place = this.placeOf(named('access'));
      if (LEVELS.includes(word)) this.say(scope, 'access', word, place);
      else this.close(scope, place, `\`${named('access')}\` is '${level}', and has to be one of ${LEVELS.join(', ')}`);
    }
    for (const key of ['authorize', 'disable']) {
      const given = own(value, key);
      // Whatever it is, that it is there says something: `"false"` is true to JavaScript.
      if (given !== undefined && given !== null) this.say(scope, key, Boolean(given), this.placeOf(named(key)));
    }
    for (const key of Object.keys(value)) this.takeUnknown(scope, named(key), key, value[key], isData);
  }

  /** Tells of a key that counts for nothing; in data one that was to keep others out does so. */
  takeUnknown(scope, name, key, value, isData) {
    const known = scope ? RIGHTS : [...RIGHTS, ...this.words, ...(this.kind === 'table' ? PROPERTIES : ['name'])];
    if (known.includes(key) || typeof value === 'function' || value === null) return;
    const place = this.placeOf(name);
    const holdsRights = isObject(value) && RIGHTS.some((each) => own(value, each) !== undefined);
    const sentence = `\`${name}\` is no key of ${this.kind === 'table' ? 'a table' : 'an API'}`;
    const meant = this.kind === 'table' && !scope ? nearest(key, PROPERTIES) : undefined;
    const idle = `${sentence}, and counts for nothing${meant ? `: \`${meant}\` is one` : ''}`;
    if (isData && (holdsRights || LOOKS_LIKE_RIGHT.test(key) || GUARDS.includes(meant))) this.close(scope, place, sentence);
    else if (isData) this.faults.push({ ...place, message: idle });
    // Code may keep what it likes with its table.
    else if (MISSPELT.test(key) && ['string', 'boolean'].includes(typeof value)) {
      this.faults.push({ ...place, message: `${sentence}, and counts for nothing: whom it keeps out is let in` });
    } else if (meant) {
      this.faults.push({ ...place, message: idle });
    }
  }
}

/**
 * Who may do something, and by which key: an operation's own `access`, then `disable` and `authorize`, each its own or
 * that of all.
 */
function permissionOf(said, word) {
  const [mine, all] = [said[word] ?? {}, said[''] ?? {}];
  if (mine.access) return { level: mine.access, key: `${word}.access` };
  const every = { disable: all.access === 'disabled', authorize: all.access === 'authenticated' };
  const resolve = (key) => {
    if (mine[key] !== undefined) return { is: mine[key], key: `${word}.${key}` };
    if (all.access) return { is: every[key], key: 'access' };
    return { is: all[key] ?? false, key: all[key] === undefined ? null : key };
  };
  const [disable, authorize] = [resolve('disable'), resolve('authorize')];
  if (disable.is) return { level: 'disabled', key: disable.key };
  // The SDK had no word for these, and so none that opens them.
  if (all.access === 'admin') return { level: 'admin', key: 'access' };
  if (authorize.is) return { level: 'authenticated', key: authorize.key };
  if (all.access === 'application') return { level: 'application', key: 'access' };
  return { level: 'anonymous', key: authorize.key ?? disable.key };
}

/**
 * @param {'table' | 'api'} kind
 * @param {{ file: string, value: any, source?: string, isData?: boolean }[]} parts what the module exports, then its
 *   data
 * @returns `value`: the module's with the data laid over it; `definition`: the same as data, in the keys of a
 *   definition's file; `permissions` by operation or verb: `{ level, key, file, line }`; `places` of the keys that say them; `name`,
 *   where one is given; `faults`: what is told, `{ file, line, message }`
 */
function definitionOf(kind, parts) {
  const rights = new Rights(kind);
  let definition = {};
  let value;
  for (const part of parts) {
    if (isKeyed(part.value)) {
      rights.take(part);
      const said = PROPERTIES.filter((name) => own(part.value, name) !== undefined)
        .map((name) => [name, plain(part.value[name])]);
      // A function has a name of its own, which nobody gave a table.
      definition = overlay(definition, Object.fromEntries(
        said.filter(([name]) => name !== 'name' || typeof part.value !== 'function')));
    }
    value = part.isData ? overlay(value, part.value) : part.value;
  }
  const permissions = {};
  for (const word of rights.words) {
    const { level, key } = permissionOf(rights.said, word);
    permissions[word] = { level, key, ...(key ? rights.places[key] : { file: parts[0]?.file, line: null }) };
  }
  const { '': all, ...each } = rights.said;
  Object.assign(definition, all, each);
  const name = typeof definition.name === 'string' && definition.name ? definition.name : undefined;
  return { name, value, definition, permissions, places: rights.places, faults: rights.faults };
}

/** The content of a JSON file: an object, or it is an error. */
function dataOf(text) {
  const value = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (!isObject(value) || Array.isArray(value)) throw new Error('has to be a JSON object');
  return value;
}

module.exports = { definitionOf, dataOf, OPERATIONS };
