'use strict';

// What a table's definition has to say in each of its operations: filters, which narrow queries, transforms, which change
// items before they are written, and hooks, which are told what was done.

const list = (given) => (Array.isArray(given) ? given : given ? [given] : []);

/** Whether a table has any of them. */
const hasRules = (live) => ['filters', 'transforms', 'hooks'].some((name) => list(live?.[name]).length > 0);

/** The query with all filters; what one gives back stands in the query's place. */
const filtered = (live, query, context) => list(live?.filters)
  .reduce((before, filter) => filter(before, context) ?? before, query);

/** The item with all transforms. */
const transformed = (live, item, context) => list(live?.transforms)
  .reduce((before, transform) => transform(before, context) ?? before, item);

/** Tells all hooks, by the name that the SDK's data layer had for what was done. */
function tell(live, results, context) {
  const hooks = list(live?.hooks);
  if (!hooks.length) return results;
  const told = context.operation === 'insert' ? Object.create(context, { operation: { value: 'create' } }) : context;
  for (const hook of hooks) hook(results, told);
  return results;
}

module.exports = { hasRules, filtered, transformed, tell };
