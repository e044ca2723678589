'use strict';

// Other tables, as `context.tables(name)` gives them: past scripts and access, for the rows of everybody.

const { current } = require('./calls');
const { revive } = require('./changes');
const { errorOf } = require('./execution');
const { Query } = require('./query');
const known = require('./table-arguments');

const QUERY_METHODS = [
  'where', 'orderBy', 'orderByDescending', 'skip', 'take', 'top', 'select', 'includeTotalCount', 'includeDeleted',
];

/** The rows of a reply, with the count where there is one. */
function rowsOf(reply) {
  const rows = reply.rows.map((row) => known.remember(revive(row, reply.dates)));
  if (reply.count !== null && reply.count !== undefined) rows.totalCount = reply.count;
  return rows;
}

function tableOf(name, call) {
  const ask = async (request) => {
    try {
      return await (current() ?? call).ask({ do: 'table', table: name, ...request });
    } catch (error) {
      throw errorOf(error);
    }
  };
  const row = async (request) => {
    const reply = await ask(request);
    return known.remember(revive(reply.row, reply.dates));
  };
  const list = async (query) => rowsOf(await ask({ operation: 'read', query: query.toMessage() }));
  const deleteAll = async (condition) => {
    const gone = [];
    const query = condition.copy();
    // Each row goes by its id.
    query.parts.select = null;
    for (;;) {
      // As many as are answered at once, until there are none.
      const rows = await list(query);
      for (const each of rows) await row({ operation: 'delete', rowID: each.id });
      gone.push(...rows);
      if (rows.length < 1000 || query.parts.top !== null) return gone;
    }
  };

  // What a call means is found out before its promise is made: a mistake is its script's, even where nobody waits.
  const table = {
    name,
    read(query, ...more) {
      known.nothingElse('read(query)', more, 'a query');
      return list(known.queryOf('read(query)', name, query));
    },
    find(id, options, ...more) {
      known.nothingElse('find(id, options)', more, 'an id and options');
      const { includeDeleted } = known.optionsOf('find(id, options)', options, ['includeDeleted']);
      // No row has no id.
      if (id === undefined || id === null) return Promise.resolve(undefined);
      known.idOf('find(id, options)', id);
      return row({ operation: 'read', rowID: id, query: { includeDeleted: includeDeleted ?? false } });
    },
    insert: (item) => row({ operation: 'insert', item: known.itemOf('insert(item)', item) }),
    update(item, ...more) {
      known.nothingElse('update(item)', more, 'an item with its id, and a version where it has one');
      known.itemOf('update(item)', item);
      const rowID = known.idOf('update(item)', item.id);
      return row({ operation: 'update', rowID, item, version: known.versionOf('update(item)', item.version) });
    },
    delete(query, version, ...more) {
      const call = 'delete(query, version)';
      known.nothingElse(call, more, 'a row and its version, or a condition');
      if (known.isOne(query)) return row({ operation: 'delete', ...known.oneRow(call, query, version) });
      known.nothingElse(call, [version], 'a version of the one row that an id names, or a condition');
      return deleteAll(known.narrowQuery(call, name, query));
    },
    undelete(query, version, ...more) {
      known.nothingElse('undelete(id, version)', more, 'a row and its version');
      return row({ operation: 'undelete', ...known.oneRow('undelete(id, version)', query, version) });
    },
    truncate(...values) {
      known.nothingElse('truncate()', values, 'no condition');
      return ask({ operation: 'truncate' }).then(() => undefined);
    },
    initialize: async () => undefined,
    schema: async () => undefined,
  };
  table.lookup = table.find;
  table.del = table.delete;
  for (const method of QUERY_METHODS) {
    table[method] = (...values) => {
      const query = new Query(name)[method](...values);
      query.read = (...more) => table.read(query, ...more);
      return query;
    };
  }
  return table;
}

module.exports = { tableOf, rowsOf, QUERY_METHODS };
