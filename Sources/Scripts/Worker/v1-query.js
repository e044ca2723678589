'use strict';

// The query of a read script, which changes it in place, or looks at what the client wants.

const { Query } = require('./query');

/** A list's terms of order, each with whether it ascends. */
function orderOf(text) {
  const order = {};
  for (const term of (text ?? '').split(',').filter(Boolean)) {
    const [name, way] = term.trim().split(/\s+/);
    order[name] = way !== 'desc';
  }
  return order;
}

/** What is asked for, in the members that scripts look at; the filter is the text that it is sent as. */
function componentsOf(query) {
  const { orderby, skip, top, select, count, includeDeleted } = query.parts;
  return {
    table: query.table, filters: query.filter, ordering: orderOf(orderby), skip, take: top,
    selections: select ? select.split(',') : [], includeTotalCount: count, includeDeleted,
  };
}

function queryOf(message) {
  const query = projecting(Query.from(message.query ?? {}, message.table));
  query.id = message.rowID ?? undefined;
  query.getComponents = () => componentsOf(query);
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
