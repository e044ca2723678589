'use strict';

// The rules that a table's definition has as functions: filters of what is seen and touched, transforms of what is written,
// and hooks that hear what came of it. They count for requests and for `context.tables` alike.

const { Query } = require('./query');

const RULES = ['filters', 'transforms', 'hooks'];

/** A table's functions of a kind: one, or a list. */
function functionsOf(table, kind) {
  const given = [table?.[kind] ?? []].flat(Infinity);
  const other = given.find((each) => typeof each !== 'function');
  if (other !== undefined) throw new TypeError(`${kind} of a table are functions, not ${typeof other}`);
  return given;
}

/** Whether a table has any. */
const hasRules = (table) => RULES.some((kind) => functionsOf(table, kind).length > 0);

/** Whether a table's hooks want to hear what comes of its operations. */
const hasHooks = (table) => functionsOf(table, 'hooks').length > 0;

/** A query as the filters leave it; the one that is given stays as it is. */
function filtered(table, query, context) {
  const filters = functionsOf(table, 'filters');
  if (!filters.length) return query;
  return filters.reduce((narrowed, filter) => {
    const made = filter(narrowed, context) ?? narrowed;
    // One that gave a promise, say, would leave the rows of everybody open.
    if (!(made instanceof Query)) throw new TypeError('a filter of a table returns its query, or nothing');
    return made;
  }, query.copy());
}

/** An item as the transforms leave it: they may change it, or return another one. */
function transformed(table, item, context) {
  return functionsOf(table, 'transforms').reduce((made, transform) => transform(made, context) ?? made, item);
}

/** Tells the hooks what came of an operation: the rows of a read, else the row. */
function tell(table, results, context, operation = context?.operation) {
  const hooks = functionsOf(table, 'hooks');
  if (!hooks.length) return results;
  // To them an insert is a create.
  const told = Object.create(context ?? null, {
    operation: { value: operation === 'insert' ? 'create' : operation, enumerable: true },
    table: { value: table, enumerable: true },
  });
  for (const hook of hooks) hook(results, told);
  return results;
}

module.exports = { filtered, hasHooks, hasRules, tell, transformed };
