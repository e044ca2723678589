'use strict';

// The query of a read script, which changes it in place, or looks at what the client wants.

const { Query } = require('./query');
const { componentsOf } = require('./query-components');

function queryOf(message) {
  const query = projecting(Query.from(message.query ?? {}, message.table));
  query.id = message.rowID ?? undefined;
  query.getComponents = () => {
    const { projection, id, single, ...parts } = componentsOf(query);
    return { ...parts, filters: query.filter };
  };
  return query;
}

/**
 * Has `select` take a function too: what it makes of each row, its `this`, is the result. The columns that it reads are
 * asked for.
 */
function projecting(query) {
  const { select } = query;
  query.select = (first, ...rest) => {
    if (typeof first !== 'function') return select.call(query, first, ...rest);
    const names = [...new Set([...String(first).matchAll(/\bthis\.([A-Za-z_]\w*)/g)].map((match) => match[1]))];
    query.projection = first;
    return names.length ? select.call(query, ...names) : query;
  };
  return query;
}

/** Rows as a query's function makes them, the count kept. */
function projected(query, rows) {
  if (!query.projection) return rows;
  const made = rows.map((row) => query.projection.call(row));
  if (rows.totalCount !== undefined) made.totalCount = rows.totalCount;
  return made;
}

module.exports = { projected, projecting, queryOf };
