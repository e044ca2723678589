'use strict';

// The query of a read script, which changes it in place, or looks at what the client wants.

const { Query } = require('./query');
const { componentsOf } = require('./query-components');

/** The server's columns as scripts of Mobile Services call them, outside of texts. */
const SYSTEM_NAME = /'(?:[^']|'')*'|\b__(createdAt|updatedAt|version|deleted)\b/gi;

const OWN_NAMES = { createdat: 'createdAt', updatedat: 'updatedAt', version: 'version', deleted: 'deleted' };

const renamed = (text) => (text ?? '').replace(SYSTEM_NAME,
  (part, name) => (name ? OWN_NAMES[name.toLowerCase()] : part)) || null;

/**
 * What the server is asked: its columns by its own names. What the client has sent itself is left as it is, as its
 * generation may have other names.
 */
function asked(query, { filter, orderby, select } = {}) {
  const message = Query.prototype.toMessage.call(query);
  message.added = message.added.map(renamed);
  if (message.own !== filter) message.own = renamed(message.own);
  if (message.select !== select) message.select = renamed(message.select);
  const kept = orderby && message.orderby?.startsWith(orderby) ? orderby : '';
  message.orderby = message.orderby && kept + (renamed(message.orderby.slice(kept.length)) ?? '');
  return message;
}

function queryOf(message) {
  const query = projecting(Query.from(message.query ?? {}, message.table), message.query ?? {});
  query.id = message.rowID ?? undefined;
  query.getComponents = () => {
    const { projection, id, single, ...parts } = componentsOf(query);
    return { ...parts, filters: query.filter };
  };
  query.setComponents = (given) => {
    const parts = { ...given };
    // A client's own words stay as they are where they say the same.
    if ((parts.filters ?? null) === query.filter) delete parts.filters;
    if (JSON.stringify(parts.ordering) === JSON.stringify(componentsOf(query).ordering)) delete parts.ordering;
    return Query.prototype.setComponents.call(query, parts);
  };
  return query;
}

/**
 * Has `select` take a function too: what it makes of each row, its `this`, is the result. The columns that it reads are
 * asked for.
 */
function projecting(query, sent) {
  const { select } = query;
  query.toMessage = () => asked(query, sent);
  query.select = (first, ...rest) => {
    if (typeof first !== 'function') return select.call(query, first, ...rest);
    const names = [...new Set([...String(first).matchAll(/\bthis\.([A-Za-z_]\w*)/g)].map((match) => match[1]))];
    query.projection = first;
    return names.length ? select.call(query, ...names) : query;
  };
  return query;
}

/** The server's columns that a query asks for by their names. */
const systemOf = (query) => (query.parts.select ?? '').split(',').filter((name) => name.trim().startsWith('__'));

/** Rows as a query's function makes them, the count kept. */
function projected(query, rows) {
  if (!query.projection) return rows;
  const made = rows.map((row) => query.projection.call(row));
  if (rows.totalCount !== undefined) made.totalCount = rows.totalCount;
  return made;
}

module.exports = { projected, projecting, queryOf, systemOf };
