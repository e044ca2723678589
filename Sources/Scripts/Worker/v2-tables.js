'use strict';

// Other tables, as `context.tables(name)` gives them: past scripts and access, for the rows of everybody.

const { current } = require('./calls');
const { revive } = require('./changes');
const { errorOf } = require('./execution');
const { Query } = require('./query');

const QUERY_METHODS = [
  'where', 'orderBy', 'orderByDescending', 'skip', 'take', 'top', 'select', 'includeTotalCount', 'includeDeleted',
];

/** The rows of a reply, with the count where there is one. */
function rowsOf(reply) {
  const rows = reply.rows.map((row) => revive(row, reply.dates));
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
    return revive(reply.row, reply.dates);
  };
  const queryOf = (query) => {
    if (query instanceof Query) return query.toMessage();
    if (typeof query === 'string') return new Query(name).where(query).toMessage();
    return query ? new Query(name).where(query).toMessage() : new Query(name).toMessage();
  };
  const idOf = (item) => (typeof item === 'object' && item !== null ? item.id : item);

  const table = {
    name,
    read: async (query) => rowsOf(await ask({ operation: 'read', query: queryOf(query) })),
    find: async (id, options) => row({
      operation: 'read', rowID: id, query: { includeDeleted: options?.includeDeleted ?? false },
    }),
    insert: (item) => row({ operation: 'insert', item }),
    update: (item) => row({ operation: 'update', rowID: item.id, item, version: item.version ?? null }),
    async delete(query, version) {
      const isOne = typeof query !== 'object' || (query !== null && !(query instanceof Query) && 'id' in query);
      if (isOne) return row({ operation: 'delete', rowID: idOf(query), version: version ?? query?.version ?? null });
      const gone = [];
      for (;;) {
        // As many as are answered at once, until there are none.
        const rows = await table.read(query);
        for (const each of rows) await row({ operation: 'delete', rowID: each.id });
        gone.push(...rows);
        if (rows.length < 1000 || query?.parts?.top) return gone;
      }
    },
    undelete: (query, version) => row({ operation: 'undelete', rowID: idOf(query), version: version ?? null }),
    truncate: () => ask({ operation: 'truncate' }).then(() => undefined),
    initialize: async () => undefined,
    schema: async () => undefined,
  };
  table.lookup = table.find;
  table.del = table.delete;
  for (const method of QUERY_METHODS) {
    table[method] = (...values) => {
      const query = new Query(name)[method](...values);
      query.read = () => table.read(query);
      return query;
    };
  }
  return table;
}

module.exports = { tableOf, rowsOf, QUERY_METHODS };
