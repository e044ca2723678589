'use strict';

// Tables of the Node SDK: `table()`, with its functions and what stands before them.

const { OPERATIONS } = require('./table-definition');
const { hasRules } = require('./table-rules');

/** A table as scripts define it. */
function makeTable(definition = {}) {
  const table = { ...definition };
  // What runs before every operation, and whether the operation has its place in it.
  table.middleware = [];
  table.operation = Object.assign((req, res, next) => next(), { isOperation: true });
  table.use = (...handlers) => {
    table.middleware.push(...handlers.flat(Infinity));
    return table;
  };
  for (const name of OPERATIONS) {
    // Each gives the table, so that definitions can be written in one chain.
    const operation = (body) => {
      operation.body = body;
      return table;
    };
    // A definition's function may say whom it is for.
    if (definition[name]) Object.assign(operation, definition[name]);
    operation.body = typeof definition[name] === 'function' ? definition[name] : undefined;
    operation.middleware = [];
    operation.use = (...handlers) => {
      operation.middleware.push(...handlers.flat(Infinity));
      return table;
    };
    table[name] = operation;
  }
  // Where the operation has its place among what is used around all of them.
  table.execute = Object.assign((context) => context.execute(), { isPlace: true });
  return table;
}

/** The table that a module exports: one of ours, an object that says how it is, or nothing at all, which is a plain one. */
function tableOf(exported) {
  if (exported?.operation?.isOperation) return exported;
  if (exported === undefined || exported === null) return makeTable();
  return typeof exported === 'object' && !Array.isArray(exported) ? makeTable(exported) : undefined;
}

/** The operations that a table has a say in. */
function operationsOf(table) {
  if (hasRules(table)) return OPERATIONS;
  return OPERATIONS.filter(
    (name) => table.middleware.length || table[name].body || table[name].middleware.length);
}

/**
 * Whether a row is brought back by the script of updates, as on Mobile Services: where nobody has written one for that,
 * it would be anybody's to bring back, and to see.
 */
function undeletesByUpdate({ undelete, update }) {
  const isOwn = undelete.body || undelete.middleware.length;
  return !isOwn && Boolean(update.body || update.middleware.length);
}

module.exports = { makeTable, tableOf, operationsOf, undeletesByUpdate, OPERATIONS };
