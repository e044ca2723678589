'use strict';

// Who may do what, as the files beside the scripts of Mobile Services say it.

const { linesOfData } = require('./written-lines');

const LEVELS = {
  public: 'anonymous', anonymous: 'anonymous', everyone: 'anonymous', application: 'application',
  user: 'authenticated', authenticated: 'authenticated', admin: 'admin', master: 'admin', disabled: 'disabled',
};
const STRICTNESS = { anonymous: 0, application: 1, authenticated: 2, admin: 3, disabled: 4 };
const WORDS = ['read', 'insert', 'update', 'delete', 'undelete', 'del', 'get', 'post', 'put', 'patch', '*'];

const strictness = (level) => STRICTNESS[level];
const isObject = (value) => typeof value === 'object' && value !== null;
const bare = (route) => route.replace(/^\/+|\/+$/g, '');

/** The level that a rule means, `"user"` or `{"permission":"user"}`; undefined where it says nothing. */
function said(rule) {
  const word = typeof rule === 'string' ? rule : rule?.permission ?? rule?.access;
  if (word === undefined) return undefined;
  // What nobody understands lets nobody in.
  return LEVELS[String(word).toLowerCase()] ?? 'disabled';
}

/** Whether a file says who may do something: it may as well say only what the columns are. */
const saysAnything = (rules) => isObject(rules.routes) || said(rules) !== undefined
  || WORDS.some((word) => rules[word] !== undefined);

/** The rule for a verb or an operation, of a route that is named or of all, with its key; undefined where there is none. */
function ruleOf(rules, route, word) {
  const among = (object, prefix, others = []) => [word, ...(word === 'delete' ? ['del'] : []), ...others]
    .filter((name) => (object[name] ?? undefined) !== undefined)
    .map((name) => ({ key: prefix + name, rule: object[name] }))[0];
  if (!isObject(rules.routes)) {
    const key = (rules.permission ?? undefined) === undefined ? 'access' : 'permission';
    return among(rules, '') ?? (said(rules) === undefined ? undefined : { key, rule: rules });
  }
  const name = Object.keys(rules.routes).find((each) => bare(each) === bare(route)) ?? '*';
  const rule = rules.routes[name];
  if (isObject(rule) && WORDS.some((each) => each in rule)) return among(rule, `routes.${name}.`, ['*']);
  return rule === undefined ? undefined : { key: `routes.${name}`, rule };
}

/** Where a file says the level: `{ key, file, line }`; the file alone where nothing in it does. */
function placeOf(rules, route, word, { file, text }) {
  const found = isObject(rules) ? ruleOf(rules, route, word) ?? (word === 'undelete' ? ruleOf(rules, route, 'insert') : undefined)
    : undefined;
  return { key: found?.key ?? null, file, line: found ? linesOfData(text).get(found.key) ?? null : null };
}

/**
 * The level for a verb of a route, or for an operation of a table, whose route is `/`.
 * @param {object | undefined} rules the file; where it leaves something out, that is the operators' alone
 * @param {string} fallback the level where there is no file
 */
function routeLevel(rules, route, word, fallback) {
  if (!isObject(rules) || !saysAnything(rules)) return fallback;
  const level = said(ruleOf(rules, route, word)?.rule);
  if (level !== undefined) return level;
  return word === 'undelete' ? routeLevel(rules, route, 'insert', fallback) : 'admin';
}

/** The words in a file that are no level. */
function unknownLevels(rules) {
  const unknown = [];
  const look = (value, key) => {
    if (typeof value === 'string' && (key === 'permission' || key === 'access')) {
      if (!LEVELS[value.toLowerCase()]) unknown.push(value);
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
    const isLevel = key === 'permission' || key === 'access' || LEVELS[String(value).toLowerCase()] !== undefined;
    return typeof value === 'string' && isLevel && strictness(said(value)) > STRICTNESS.application;
  };
  const look = (value, key) => {
    if (guards(value, key)) return value;
    return isObject(value) ? Object.keys(value).map((each) => look(value[each], each)).find((each) => each !== undefined)
      : undefined;
  };
  return look(rules);
}

module.exports = { guardIn, placeOf, routeLevel, strictness, unknownLevels };
