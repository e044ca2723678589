'use strict';

// What scripts hand to the functions of tables. Whatever would narrow an operation and isn't known is an error: passed
// over, it would change rows that the script did not mean.

const { Query } = require('./query');

/** Gives the object that is to become what extends it. */
class Itself {
  constructor(object) {
    return object;
  }
}

/**
 * The rows that the server has given to scripts, which stand for themselves whatever columns they have. They are known by
 * a private member, which no script can see: a WeakSet takes ten times as long, and the collector has to look at all of it.
 */
class Given extends Itself {
  #isGiven = true;

  static has(row) {
    return #isGiven in row;
  }
}

/** Remembers a row, which a script may hand back whole. */
function remember(row) {
  if (typeof row === 'object' && row !== null && !Given.has(row)) new Given(row);
  return row;
}

const kindOf = (value) => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Query) return 'a query';
  if (value instanceof Date) return 'a date';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'an empty text' : `${typeof value}`;
};

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
  && !(value instanceof Query) && !(value instanceof Date);
const isID = (value) => (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);

/** The words of an error, which begin with the call that a script has written. */
const refused = (call, words) => new TypeError(`${call}: ${words}`);

/** Nothing may stand behind the arguments that are known. */
function nothingElse(call, values, takes) {
  const place = values.findIndex((value) => value !== undefined);
  if (place < 0) return;
  const other = kindOf(values[place]);
  throw refused(call, `it takes ${takes} and nothing else, but was handed ${other} too; nothing was done`);
}

/** An item that is written. */
function itemOf(call, item) {
  if (!isObject(item)) throw refused(call, `it takes an object, not ${kindOf(item)}`);
  return item;
}

/** The id of a row. */
function idOf(call, id) {
  if (!isID(id)) throw refused(call, `it takes an id, a text or a whole number, not ${kindOf(id)}`);
  return id;
}

/** The version that a row has to have, null for any. */
function versionOf(call, version) {
  if (version === undefined || version === null) return null;
  if (typeof version !== 'string') throw refused(call, `a version is a text, not ${kindOf(version)}; nothing was done`);
  return version;
}

/** The one row that is meant: by its id, by an object with its id and what else is true of it, or as the server gave it. */
function oneRow(call, name, row, version) {
  const query = new Query(name);
  if (!isObject(row)) return { rowID: idOf(call, row), version: versionOf(call, version), query };
  const { id, version: own } = row;
  const [had, said] = [versionOf(call, own), versionOf(call, version)];
  if (had !== null && said !== null && had !== said) {
    throw refused(call, 'the version of the item is not the one beside it; nothing was done');
  }
  const more = {};
  // What it has from another object counts too.
  for (const column in row) if (!['id', 'version'].includes(column)) more[column] = row[column];
  if (!Given.has(row)) query.where(more);
  return { rowID: idOf(call, id), version: said ?? had, query: closed(call, query) };
}

/** Whether a value means one row rather than a condition. */
const isOne = (value) => (isObject(value) ? 'id' in value : !(value instanceof Query) && typeof value !== 'function');

/** A query of a request for one row asks for that row of any table that it is handed to. */
function withID(call, query) {
  if (query.id === undefined || query.id === null) return query;
  return query.copy().where({ id: idOf(call, query.id) });
}

/** The query of a list. */
function queryOf(call, name, query) {
  if (query instanceof Query) return withID(call, query);
  if (query === undefined || query === '') return new Query(name);
  if (typeof query !== 'string' && typeof query !== 'function' && !isObject(query)) {
    throw refused(call, `it takes a query, an object, a text or a function, not ${kindOf(query)}`);
  }
  return new Query(name).where(query);
}

/** A query none of whose values is missing. */
function closed(call, query) {
  if (!query.isOpen) return query;
  throw refused(call, 'a value of its condition is undefined or no number, and would mean null; nothing was done');
}

/** What else is asked of one row. */
function besides(call, name, query) {
  const asked = closed(call, queryOf(call, name, query ?? undefined));
  const { skip, top } = asked.parts;
  if (skip === null && top === null) return asked;
  throw refused(call, 'skip and take of a query say nothing of one row; nothing was done');
}

/** The query of what is deleted or brought back: it has to say which rows. */
function narrowQuery(call, name, condition) {
  const query = closed(call, queryOf(call, name, condition));
  const { skip, top } = query.parts;
  if (!query.isNarrow && skip === null && top === null) {
    throw refused(call, 'it has no condition, which would be every row; nothing was done');
  }
  return query;
}

/** Options by names that are known. */
function optionsOf(call, options, names) {
  if (options === undefined || options === null) return {};
  if (typeof options === 'function') return options;
  if (!isObject(options)) throw refused(call, `options are an object, not ${kindOf(options)}`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw refused(call, `it knows no option '${unknown}' (${names.join(', ')}); nothing was done`);
  }
  return options;
}

module.exports = {
  besides, idOf, isOne, itemOf, narrowQuery, nothingElse, oneRow, optionsOf, queryOf, refused, remember, versionOf,
};
