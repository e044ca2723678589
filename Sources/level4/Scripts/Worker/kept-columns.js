'use strict';

// The columns that the server keeps in every table. A project may name them beside its own, and first rows that were copied
// out of a database have them: what they say there is the server's to say.

const KEPT = ['createdat', 'updatedat', 'version', 'deleted'];
const isKept = (name) => KEPT.includes(name.toLowerCase());
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of an object whose names a test leaves in. */
const those = (object, stays) => Object.fromEntries(Object.entries(object).filter(([name]) => stays(name)));

/** Whether a first row is deleted from the start. */
const isGone = (row) => isObject(row) && Object.entries(row).some(([name, value]) => name.toLowerCase() === 'deleted' && value);

/**
 * A definition of a project without them.
 * @param {(message: string) => void} tell hears what was left out
 */
function withoutKept(definition, tell) {
  const { columns, seed } = definition;
  const whole = { ...definition };
  if (isObject(columns)) {
    const isServers = (name) => isKept(name) || name.toLowerCase() === 'id';
    const named = Object.keys(columns).filter(isServers);
    if (named.length) {
      tell(`names ${named.join(', ')} among its columns, which the server keeps in every table`);
      whole.columns = those(columns, (name) => !isServers(name));
    }
  }
  if (Array.isArray(seed) && seed.some((row) => isObject(row) && Object.keys(row).some(isKept))) {
    tell('has first rows with columns that the server keeps: it gives them values of its own, and leaves out deleted rows');
    whole.seed = seed.filter((row) => !isGone(row)).map((row) => (isObject(row) ? those(row, (name) => !isKept(name)) : row));
  }
  return whole;
}

module.exports = { withoutKept };
