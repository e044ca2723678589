'use strict';

// Other tables, as `context.tables(name)` gives them: past scripts and access, by the rules of the table. Whose rows they
// are the server says.

const { current } = require('./calls');
const { revive } = require('./changes');
const { errorOf, unmatched } = require('./execution');
const { Query } = require('./query');
const known = require('./table-arguments');
const { filtered, tell, transformed } = require('./table-rules');

const QUERY_METHODS = [
  'where', 'orderBy', 'orderByDescending', 'skip', 'take', 'top', 'select', 'includeTotalCount', 'includeDeleted',
];

/** The rows of a reply, with the count where there is one. */
function rowsOf(reply) {
  const rows = reply.rows.map((row) => known.remember(revive(row, reply.dates)));
  if (reply.count !== null && reply.count !== undefined) rows.totalCount = reply.count;
  return rows;
}

/** What a write without an id is about: nothing, as ever. */
const nothing = () => Promise.reject(unmatched());

/**
 * @param {object} [live] the table as its script has it, with the rules that it has for a context
 * @param {object} [context] of whoever asks
 */
function tableOf(name, call, live, context) {
  const narrow = (query) => filtered(live, query, context);
  const heard = (operation, results) => tell(live, results, context, operation);
  const ask = async (request) => {
    try {
      return await (current() ?? call).ask({ do: 'table', table: name, ...request });
    } catch (error) {
      throw errorOf(error);
    }
  };
  const rowOf = (reply) => known.remember(revive(reply.row ?? undefined, reply.dates));
  /** Asks for a write of one row, or of those that a query names. */
  const write = async (operation, { query, ...request }) => {
    const narrowed = narrow(query);
    // Each row goes by its id, and with all that it was.
    const condition = { ...narrowed.toMessage(), select: null };
    const reply = await ask({ operation, ...request, ...(narrowed.isNarrow || !request.rowID ? { query: condition } : {}) });
    if (!reply.rows) return heard(operation, rowOf(reply));
    const rows = rowsOf(reply);
    return heard(operation, rows.length === 1 ? rows[0] : rows);
  };
  /** An error without the row in the way, where the filters show it to nobody who asks. */
  const hiding = async (error) => {
    const query = narrow(new Query(name).includeDeleted());
    const isSeen = error.item && query.isNarrow
      && rowOf(await ask({ operation: 'read', rowID: error.item.id, query: query.toMessage() }).catch(() => ({})));
    if (query.isNarrow && !isSeen) delete error.item;
    throw error;
  };
  const list = async (query) => heard('read', rowsOf(await ask({ operation: 'read', query: query.toMessage() })));

  // What a call means is found out before its promise is made: a mistake is its script's, even where nobody waits.
  const table = {
    name,
    read(query, ...more) {
      known.nothingElse('read(query)', more, 'a query');
      return list(narrow(known.queryOf('read(query)', name, query)));
    },
    find(id, options, ...more) {
      known.nothingElse('find(id, options)', more, 'an id and options');
      const isNarrow = options instanceof Query || typeof options === 'function';
      const query = isNarrow ? known.besides('find(id, query)', name, options).copy() : new Query(name);
      const { includeDeleted } = isNarrow ? {} : known.optionsOf('find(id, options)', options, ['includeDeleted']);
      // No row has no id.
      if (id === undefined || id === null) return Promise.resolve(undefined);
      known.idOf('find(id, options)', id);
      if (includeDeleted !== undefined) query.includeDeleted(includeDeleted);
      const narrowed = narrow(query);
      const { includeDeleted: asked, ...rest } = narrowed.toMessage();
      const condition = narrowed.isNarrow ? { ...rest, includeDeleted: asked } : { includeDeleted: asked };
      return ask({ operation: 'read', rowID: id, query: condition }).then((reply) => {
        const row = rowOf(reply);
        heard('read', row ? [row] : []);
        return row;
      });
    },
    insert(item, ...more) {
      known.nothingElse('insert(item)', more, 'an item');
      const made = known.itemOf('insert(item)', transformed(live, known.itemOf('insert(item)', item), context));
      return ask({ operation: 'insert', item: made }).then((reply) => heard('insert', rowOf(reply)), hiding);
    },
    update(item, query, ...more) {
      const call = 'update(item, query)';
      known.nothingElse(call, more, 'an item with its id, and a version where it has one, and a query');
      known.itemOf(call, item);
      const condition = known.besides(call, name, query);
      const made = known.itemOf(call, transformed(live, { ...item }, context));
      if (made.id === undefined || made.id === null) return nothing();
      const version = known.versionOf(call, made.version);
      return write('update', { rowID: known.idOf(call, made.id), item: made, version, query: condition });
    },
    delete(query, version, ...more) {
      return gone('delete', query, version, more);
    },
    undelete(query, version, ...more) {
      return gone('undelete', query, version, more);
    },
    truncate(...values) {
      known.nothingElse('truncate()', values, 'no condition');
      const all = new Query(name);
      const narrowed = narrow(all);
      if (!narrowed.isNarrow) return ask({ operation: 'truncate' }).then(() => undefined);
      return ask({ operation: 'delete', query: narrowed.toMessage() }).then(() => undefined, (error) => {
        if (!error.concurrency) throw error;
      });
    },
    initialize: async () => undefined,
    schema: async () => undefined,
  };
  function gone(operation, query, version, more) {
    const call = `${operation}(query, version)`;
    known.nothingElse(call, more, 'a row or a condition, and a version');
    if (known.isOne(query)) return write(operation, known.oneRow(call, name, query, version));
    const condition = known.narrowQuery(call, name, query);
    return write(operation, { query: condition, version: known.versionOf(call, version) });
  }
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
