'use strict';

// `mssql` of Mobile Services: SQL with question marks for its values, by callbacks.

const { current } = require('./calls');
const { revive } = require('./changes');
const { errorOf } = require('./execution');
const { callingBack, guarded } = require('./callbacks');
const known = require('./table-arguments');

/** Runs statements and gives the results of those that have one. */
async function run(sql, values) {
  const call = current();
  if (!call) throw new Error('mssql works while a request is answered or a job runs');
  if (typeof sql !== 'string') throw new Error('mssql takes SQL as a text');
  // An object alone is a mistake for callbacks; the driver of those days took it for no values too.
  const given = Array.isArray(values) ? values : [values ?? []].flat();
  const parameters = given.length === 1 && isPlain(given[0]) ? [] : given;
  try {
    const { results } = await call.ask({ do: 'sql', sql, parameters: parameters.map((value) => value ?? null) });
    return results.length ? results : [{ columns: [], rows: [], dates: [], affected: 0 }];
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

/** Whether callbacks hear of every result, as the driver of those days told each; else of the last one that has rows. */
let isEachTold = false;

/** The results that are told: after SET NOCOUNT ON those that have columns. */
function shown(results, sql) {
  if (!isEachTold || !/\bSET\s+NOCOUNT\s+ON\b/i.test(sql) || /\bSET\s+NOCOUNT\s+OFF\b/i.test(sql)) return results;
  const rows = results.filter(({ columns }) => columns.length > 0);
  return rows.length > 0 ? rows : results.slice(-1);
}

/** Hands results on as a script gets them, with whether more follow. */
function handing(sql, running, callbacks, shape) {
  const { success } = callbacks ?? {};
  let all = [];
  const last = running.then((results) => {
    all = shown(results, sql).map(shape);
    const place = results.findLastIndex((result) => result.rows.length > 0);
    return place < 0 ? all.at(-1) : all[place];
  });
  if (!isEachTold || typeof success !== 'function') return callingBack(last, callbacks);
  const call = current();
  // What throws for one result hears of the others all the same.
  const each = () => all.forEach((one, place) => guarded(call, () => success(one, place < all.length - 1)));
  return callingBack(last, { ...callbacks, success: each });
}

/** What would hold a transaction open between two questions, and others' writes with it. */
function noTransaction(name) {
  return (callbacks) => callingBack(Promise.reject(new Error(
    `mssql has no ${name}: the statements of one text are one transaction, all of them done or none`)), callbacks);
}

const connection = {
  query(sql, ...rest) {
    const { values, callbacks } = split(rest);
    return handing(sql, run(sql, values), callbacks, (result) => result.rows.map((row) => revive(row, result.dates)));
  },
  /** As the driver of those days gave it: names of columns, and rows as arrays. */
  queryRaw(sql, ...rest) {
    const { values, callbacks } = split(rest);
    return handing(sql, run(sql, values), callbacks, ({ columns, rows, dates, affected }) => ({
      meta: columns.map((name) => ({ name })),
      rows: rows.map((row) => columns.map((name) => revive(row, dates)[name])),
      rowcount: affected,
    }));
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

/** Has callbacks hear of every result. */
function tellEach() {
  isEachTold = true;
}

module.exports = { mssql, tellEach };
