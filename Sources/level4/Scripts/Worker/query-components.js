'use strict';

// A query in its parts: as scripts look at them, set them, and hand them to their own database.

/** What a query's parts are called when they are set. */
const COMPONENTS = [
  'table', 'filters', 'ordering', 'selections', 'skip', 'take', 'includeTotalCount', 'includeDeleted', 'projection',
  'version', 'id', 'single',
];

/** Terms of order, each with whether it ascends. */
function orderOf(text) {
  const order = {};
  for (const term of (text ?? '').split(',').filter(Boolean)) {
    const [name, way] = term.trim().split(/\s+/);
    order[name] = way !== 'desc';
  }
  return order;
}

/** A text that stays one condition among others: what it opens it closes, and it closes nothing that it didn't open. */
function inBrackets(text) {
  const bare = text.replace(/'(?:[^']|'')*'/g, '');
  let depth = 0;
  for (const letter of bare) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0 || bare.includes("'")) throw new TypeError(`'${text}' is no condition by itself`);
  return `(${text})`;
}

/** A condition in brackets, its own where it has some. */
function bracketed(text) {
  const whole = inBrackets(text);
  let depth = 0;
  const bare = text.replace(/'(?:[^']|'')*'/g, (quoted) => '_'.repeat(quoted.length));
  const isInOwn = bare.startsWith('(') && [...bare].every((letter, place) => {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    return depth > 0 || place === bare.length - 1;
  });
  return isInOwn ? text : whole;
}

/** All conditions as one text; null for none. */
function filterOf(query) {
  const { id } = query;
  const row = id === undefined || id === null ? []
    : [typeof id === 'number' ? `id eq ${id}` : `id eq '${String(id).replaceAll("'", "''")}'`];
  const parts = [...row, query.parts.filter, ...query.added].filter(Boolean).map(bracketed);
  return parts.length ? parts.reduce((joined, part) => `(${joined} and ${part})`) : null;
}

/** The parts in the members that scripts look at; the filter is a text. */
function componentsOf(query) {
  const { orderby, skip, top, select, count, includeDeleted } = query.parts;
  return {
    table: query.table, filters: filterOf(query), ordering: orderOf(orderby), skip,
    take: top ?? query.usualTake ?? null, selections: select ? select.split(',') : [], projection: null,
    includeTotalCount: count, includeDeleted, id: query.id, single: query.single,
  };
}

/** The parts in the texts of OData. */
function textsOf(query) {
  const { orderby, skip, top, select, count, includeDeleted } = query.parts;
  const order = orderby ?? '';
  return {
    table: query.table, filters: filterOf(query) ?? '', ordering: order, orderClauses: order, skip,
    take: top ?? query.usualTake ?? null, selections: select ?? '', includeTotalCount: count, includeDeleted,
  };
}

/** Sets the parts that are given, and leaves the others. */
function setComponents(query, given) {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('setComponents takes an object of parts');
  }
  const unknown = Object.keys(given).find((name) => !COMPONENTS.includes(name));
  if (unknown !== undefined) throw new TypeError(`setComponents knows no part '${unknown}' (${COMPONENTS.join(', ')})`);
  const { filters, ordering, selections, skip, take, includeTotalCount, includeDeleted } = given;
  if (given.projection) throw new TypeError('setComponents takes no projection');
  if (filters !== undefined && filters !== filterOf(query)) {
    if (filters !== null && typeof filters !== 'string') throw new TypeError('filters is a text of OData, or null');
    query.parts.filter = null;
    query.added = filters ? [filters] : [];
  }
  if (ordering !== undefined) {
    query.parts.orderby = null;
    for (const [name, ascends] of Object.entries(ordering ?? {})) {
      if (ascends) query.orderBy(name);
      else query.orderByDescending(name);
    }
  }
  if (selections !== undefined) {
    query.parts.select = null;
    if (selections?.length) query.select(...selections);
  }
  if (skip === null) query.parts.skip = null;
  else if (skip !== undefined) query.skip(skip);
  if (take === null) query.parts.top = null;
  else if (take !== undefined && take !== query.usualTake) query.take(take);
  if (includeTotalCount !== undefined) query.includeTotalCount(includeTotalCount);
  if (includeDeleted !== undefined) query.includeDeleted(includeDeleted);
  for (const name of ['table', 'id', 'single']) if (given[name] !== undefined) query[name] = given[name];
  return query;
}

module.exports = { componentsOf, inBrackets, setComponents, textsOf };
