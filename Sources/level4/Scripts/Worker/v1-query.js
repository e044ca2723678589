'use strict';

// The query of a read script, which changes it in place, or looks at what the client wants.

const { Query } = require('./query');
const { componentsOf } = require('./query-components');
const { columnOf } = require('./v1-rows');

/** What the server's columns are called, and an app's own by those names, outside of texts: in Mobile Services, and here. */
const SERVICES_NAME = /'(?:[^']|'')*'|\b(__)?(createdAt|updatedAt|version|deleted)\b/gi;
const NAME = /'(?:[^']|'')*'|\b(__own_)?(createdAt|updatedAt|version|deleted)\b/gi;

const SERVERS = { createdat: 'createdAt', updatedat: 'updatedAt', version: 'version', deleted: 'deleted' };

/** A text with the names of Mobile Services as the server has it. */
const renamed = (text) => (text ?? '').replace(SERVICES_NAME, (part, prefix, name) => {
  if (!name) return part;
  return prefix ? SERVERS[name.toLowerCase()] : columnOf(name);
}) || null;

/** What a client of later generations has sent, by the names of Mobile Services. */
const shownOf = (text) => text && text.replace(NAME, (part, prefix, name) => {
  if (!name) return part;
  return prefix ? name : `__${name}`;
});

/**
 * What the server is asked, by its own names. What the client has sent itself is left as it is, as its generation may have
 * other names.
 * @param {object} shown the client's query as the script got it
 */
function asked(query, shown = {}, sent = shown) {
  const message = Query.prototype.toMessage.call(query);
  message.added = message.added.map(renamed);
  message.own = message.own === shown.filter ? sent.filter : renamed(message.own);
  message.select = message.select === shown.select ? sent.select : renamed(message.select);
  const { orderby } = shown;
  const isKept = orderby && (message.orderby === orderby || message.orderby?.startsWith(`${orderby},`));
  const added = message.orderby?.slice(isKept ? orderby.length : 0);
  message.orderby = message.orderby && (isKept ? sent.orderby : '') + (renamed(added) ?? '');
  return message;
}

function queryOf(message) {
  const sent = message.query ?? {};
  const { filter, orderby, select } = sent;
  const isOfServices = (message.generation ?? 'v1') === 'v1';
  const shown = isOfServices ? sent
    : { ...sent, filter: shownOf(filter), orderby: shownOf(orderby), select: shownOf(select) };
  const query = withParts(projecting(Query.from(shown, message.table), shown, sent));
  query.id = message.rowID ?? undefined;
  return query;
}

/** Has a client's query give its parts as Mobile Services did, and take back those that are as they were. */
function withParts(query) {
  const { copy } = query;
  query.copy = () => withParts(copy());
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
function projecting(query, shown, sent) {
  const { select } = query;
  query.toMessage = () => asked(query, shown, sent);
  query.copy = () => {
    const copy = projecting(Query.prototype.copy.call(query), shown, sent);
    copy.projection = query.projection;
    return copy;
  };
  query.select = (first, ...rest) => {
    if (typeof first !== 'function') return select.call(query, first, ...rest);
    const names = [...new Set([...String(first).matchAll(/\bthis\.([A-Za-z_]\w*)/g)].map((match) => match[1]))];
    query.projection = first;
    return names.length ? select.call(query, ...names) : query;
  };
  return query;
}

/** The query as other tables are asked: those know no client's language, so that its own words too get the server's names. */
const elsewhere = (query) => projecting(Query.prototype.copy.call(query));

/** The server's columns that a query asks for by their names. */
const systemOf = (query) => (query.parts.select ?? '').split(',').filter((name) => name.trim().startsWith('__'));

/** Rows as a query's function makes them, the count kept. */
function projected(query, rows) {
  if (!query.projection) return rows;
  const made = rows.map((row) => query.projection.call(row));
  if (rows.totalCount !== undefined) made.totalCount = rows.totalCount;
  return made;
}

module.exports = { elsewhere, projected, projecting, queryOf, systemOf };
