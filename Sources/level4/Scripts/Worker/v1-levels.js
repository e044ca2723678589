'use strict';

// Who may do what, as the files beside the scripts of Mobile Services say it.

const { linesOfData } = require('./written-lines');

const LEVELS = new Map(Object.entries({
  public: 'anonymous', anonymous: 'anonymous', everyone: 'anonymous', application: 'application',
  user: 'authenticated', authenticated: 'authenticated', admin: 'admin', master: 'admin', disabled: 'disabled',
}));
const STRICTNESS = { anonymous: 0, application: 1, authenticated: 2, admin: 3, disabled: 4 };
const WORDS = ['read', 'insert', 'update', 'delete', 'undelete', 'del', 'get', 'post', 'put', 'patch', '*'];

const strictness = (level) => STRICTNESS[level];
const isObject = (value) => typeof value === 'object' && value !== null;
const bare = (route) => route.replace(/^\/+|\/+$/g, '');

/** The level that a word means; undefined for one that is none. */
const levelOf = (word) => LEVELS.get(String(word).toLowerCase());

/** The level that a rule means, `"user"` or `{"permission":"user"}`; undefined where it says nothing. */
function said(rule) {
  const word = typeof rule === 'string' ? rule : rule?.permission ?? rule?.access;
  if (word === undefined) return undefined;
  // What nobody understands lets nobody in.
  return levelOf(word) ?? 'disabled';
}

/** Whether a file says who may do something: it may as well say only what the columns are. */
const saysAnything = (rules) => isObject(rules) && (isObject(rules.routes) || said(rules) !== undefined
  || WORDS.some((word) => rules[word] !== undefined));

/**
 * The rule for a verb or an operation, of a route that is named or of all.
 * @returns `rule` and its `key`, where there is one; `isOwn`: whether it is for this word alone; `parts` of the file, by
 *   their keys, that have a say in it: '' is all of it
 */
function ruleOf(rules, route, word) {
  if (!saysAnything(rules)) return { parts: [''] };
  const own = [word, ...(word === 'delete' ? ['del'] : [])];
  const among = (object, prefix, names) => names.filter((name) => (object[name] ?? undefined) !== undefined)
    .map((name) => ({ key: prefix + name, rule: object[name] }))[0];
  const alone = (mine) => ({ ...mine, isOwn: true, parts: [mine.key] });
  if (!isObject(rules.routes)) {
    const mine = among(rules, '', own);
    if (mine) return alone(mine);
    const key = (rules.permission ?? undefined) === undefined ? 'access' : 'permission';
    return { ...(said(rules) !== undefined && { key, rule: rules }), parts: [''] };
  }
  const name = Object.keys(rules.routes).find((each) => bare(each) === bare(route)) ?? '*';
  const [key, rule] = [`routes.${name}`, rules.routes[name]];
  if (isObject(rule) && WORDS.some((each) => each in rule)) {
    const mine = among(rule, `${key}.`, own);
    return mine ? alone(mine) : { ...among(rule, `${key}.`, ['*']), parts: ['', key, `${key}.*`] };
  }
  return { ...(rule !== undefined && { key, rule }), parts: ['', key] };
}

/** The key that closes what a rule is about, as it isn't understood; undefined where none does. */
const closingOf = ({ parts }, closed) => parts.map((part) => closed.get(part)).find((key) => key !== undefined);

const NONE = new Map();

/**
 * Where a file says the level: `{ key, file, line }`; the file alone where nothing in it does.
 * @param {Map<string, string>} closed see `routeLevel`
 */
function placeOf(rules, route, word, { file, text }, closed = NONE) {
  const found = ruleOf(rules, route, word);
  const closing = closingOf(found, closed);
  const key = closing ?? found.key;
  const asInsert = word === 'undelete' && (key === undefined || (closing !== undefined && !found.isOwn));
  if (asInsert) return placeOf(rules, route, 'insert', { file, text }, closed);
  return { key: key ?? null, file, line: key === undefined ? null : linesOfData(text).get(key) ?? null };
}

/**
 * The level for a verb of a route, or for an operation of a table, whose route is `/`.
 * @param {object | undefined} rules the file; where it leaves something out, that is the operators' alone
 * @param {string} fallback the level where there is no file
 * @param {Map<string, string>} closed the parts of the file that are the operators' alone, as something in them isn't
 *   understood: each with the key of that
 */
function routeLevel(rules, route, word, fallback, closed = NONE) {
  const found = ruleOf(rules, route, word);
  const isClosed = closingOf(found, closed) !== undefined;
  if (!isClosed && !saysAnything(rules)) return fallback;
  const level = said(found.rule);
  if (level === 'disabled' || (level !== undefined && !isClosed)) return level;
  const asInsert = word === 'undelete' && !(isClosed && found.isOwn);
  return asInsert ? routeLevel(rules, route, 'insert', fallback, closed) : 'admin';
}

/** The words in a file that are no level. */
function unknownLevels(rules) {
  const unknown = [];
  const look = (value, key) => {
    if (typeof value === 'string' && (key === 'permission' || key === 'access')) {
      if (!levelOf(value)) unknown.push(value);
    } else if (isObject(value)) {
      for (const each of Object.keys(value)) look(value[each], each);
    }
  };
  look(rules);
  return unknown;
}

/** The first word in a file that asks more of its callers than the application key; undefined where there is none. */
function guardIn(rules) {
  const guards = (value, key) => {
    const isLevel = key === 'permission' || key === 'access' || levelOf(value) !== undefined;
    return typeof value === 'string' && isLevel && strictness(said(value)) > STRICTNESS.application;
  };
  const look = (value, key) => {
    if (guards(value, key)) return value;
    return isObject(value) ? Object.keys(value).map((each) => look(value[each], each)).find((each) => each !== undefined)
      : undefined;
  };
  return look(rules);
}

module.exports = { LEVELS, WORDS, bare, guardIn, isObject, levelOf, placeOf, routeLevel, strictness, unknownLevels };
