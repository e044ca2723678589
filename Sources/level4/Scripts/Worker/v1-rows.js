'use strict';

// Rows as scripts of Mobile Services know them: the server's columns begin with `__`, and are there if somebody asks. The
// plain names are the app's own.

const SYSTEM = ['__createdAt', '__updatedAt', '__version', '__deleted'];

/** Removes the server's columns but for those that are asked for, by `'*'` or by names. */
function withoutSystem(row, asked) {
  if (!row) return row;
  const names = [asked ?? []].flat().flatMap((name) => String(name).split(','))
    .map((name) => name.trim().toLowerCase().replace(/^__/, ''));
  if (names.includes('*')) return row;
  for (const name of SYSTEM) if (!names.includes(name.slice(2).toLowerCase())) delete row[name];
  return row;
}

const OWN = /^(?:createdAt|updatedAt|version|deleted)$/i;

/** The server's name for a column of the app's own, where the plain one is the server's. */
const columnOf = (name) => (OWN.test(name) ? `__own_${name}` : name);

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/;

/** An item of a client's, whose dates were dates to scripts. */
function withDates(item) {
  const row = {};
  for (const name of Object.keys(item ?? {})) {
    const value = item[name];
    row[name] = typeof value === 'string' && DATE.test(value) ? new Date(value) : value;
  }
  return row;
}

module.exports = { columnOf, withoutSystem, withDates, SYSTEM };
