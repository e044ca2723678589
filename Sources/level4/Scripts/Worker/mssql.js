'use strict';

// `mssql` of Mobile Services: SQL with question marks for its values, by callbacks.

const { current } = require('./calls');
const { revive } = require('./changes');
const { errorOf } = require('./execution');
const { callingBack } = require('./callbacks');
const known = require('./table-arguments');

/** Runs statements and gives the last one's result. */
async function run(sql, values) {
  const call = current();
  if (!call) throw new Error('mssql works while a request is answered or a job runs');
  if (typeof sql !== 'string') throw new Error('mssql takes SQL as a text');
  // An object alone is a mistake for callbacks; the driver of those days took it for no values too.
  const given = Array.isArray(values) ? values : [values ?? []].flat();
  const parameters = given.length === 1 && isPlain(given[0]) ? [] : given;
  try {
    const { results } = await call.ask({ do: 'sql', sql, parameters: parameters.map((value) => value ?? null) });
    const nothing = { columns: [], rows: [], dates: [], affected: 0 };
    return results.findLast((result) => result.rows.length > 0) ?? results.at(-1) ?? nothing;
  } catch (error) {
    throw errorOf(error);
  }
}

const isPlain = (value) => Object.prototype.toString.call(value) === '[object Object]';

/** `query(sql, [values,] callbacks)`: the values may be left out. */
function split(values) {
  const [first, second, ...more] = values;
  known.nothingElse('mssql', more, 'SQL, its values and callbacks');
  const isCallbacks = typeof first === 'function'
    || (first && !Array.isArray(first) && !(first instanceof Date) && typeof first === 'object');
  return isCallbacks && second === undefined ? { callbacks: first } : { values: first, callbacks: second };
}

/** What would hold a transaction open between two questions, and others' writes with it. */
function noTransaction(name) {
  return (callbacks) => callingBack(Promise.reject(new Error(
    `mssql has no ${name}: the statements of one text are one transaction, all of them done or none`)), callbacks);
}

const connection = {
  query(sql, ...rest) {
    const { values, callbacks } = split(rest);
    const rows = run(sql, values).then((result) => result.rows.map((row) => revive(row, result.dates)));
    return callingBack(rows, callbacks);
  },
  /** As the driver of those days gave it: names of columns, and rows as arrays. */
  queryRaw(sql, ...rest) {
    const { values, callbacks } = split(rest);
    return callingBack(run(sql, values).then((result) => {
      const names = result.columns;
      return {
        meta: names.map((name) => ({ name })),
        rows: result.rows.map((row) => names.map((name) => revive(row, result.dates)[name])),
        rowcount: result.affected,
      };
    }), callbacks);
  },
  beginTransaction: noTransaction('beginTransaction'),
  commit: noTransaction('commit'),
  rollback: noTransaction('rollback'),
  close(callbacks) {
    if (callbacks) callingBack(Promise.resolve(), callbacks);
  },
};

const mssql = {
  ...connection,
  open(callbacks) {
    return callingBack(Promise.resolve(connection), callbacks);
  },
};

module.exports = { mssql };
