'use strict';

// `tables` of Mobile Services: other tables by callbacks, past scripts and access, for the rows of everybody.

const { current } = require('./calls');
const { callingBack } = require('./callbacks');
const { Query } = require('./query');
const known = require('./table-arguments');
const { QUERY_METHODS, tableOf } = require('./v2-tables');
const { elsewhere, projected, projecting, systemOf } = require('./v1-query');
const { SYSTEM, columnOf, withoutSystem } = require('./v1-rows');

/** An item that a table takes, or an error that says which one does not. */
function checked(item, operation, name, needsID) {
  const failed = `Operation '${operation}' on table '${name}' failed`;
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item) && !(item instanceof Query);
  if (!isObject) throw new Error(`${failed}: it takes an object`);
  if (needsID && (item.id ?? null) === null) throw new Error(`${failed}: the object has no id`);
  return item;
}

/** What is written of an item, by the server's names: its own columns are the server's. */
function written(item) {
  const copy = { ...item };
  for (const name of SYSTEM) delete copy[name];
  for (const name of Object.keys(copy)) {
    const column = columnOf(name);
    if (column === name) continue;
    copy[column] = copy[name];
    delete copy[name];
  }
  return copy;
}

const OPTIONS = ['success', 'error', 'conflict', 'systemProperties', 'includeDeleted'];

/** What stands behind a call's first argument: callbacks and options, and nothing else. */
function callbacksOf(operation, name, callbacks, more) {
  const call = `Operation '${operation}' on table '${name}'`;
  known.nothingElse(call, more, 'callbacks and options behind its item, id or query');
  known.optionsOf(call, callbacks, OPTIONS);
}

/** The folder whose tables these are. */
let folder;

/** Writes a row, and then deletes it where its script has set `__deleted`, as that column did where a table keeps tombstones. */
function writing(name, item, table) {
  const write = () => table.update({ ...written(item), version: item.__version });
  // A row that was read with its system columns has `false`, which asks for nothing.
  if (!folder || item.__deleted !== true) return write();
  if (folder.tables.get(name.toLowerCase())?.definition?.softDelete !== true) {
    throw new Error(`Table '${name}' has no column '__deleted': it keeps no deleted rows (softDelete)`);
  }
  return write().then((row) => table.delete(item.id).then(() => row));
}

/** A table whose methods work for whichever call runs them. */
function getTable(name) {
  if (typeof name !== 'string' || !name) throw new Error('tables.getTable takes the name of a table');
  const inner = () => {
    const call = current();
    if (!call) throw new Error('tables work while a request is answered or a job runs');
    return tableOf(name, call);
  };
  const became = (item, row, callbacks) => Object.assign(item, withoutSystem(row, callbacks?.systemProperties));
  const read = (query, callbacks, ...more) => {
    callbacksOf('read', name, callbacks, more);
    if (callbacks?.includeDeleted) query.includeDeleted();
    return callingBack(inner().read(elsewhere(query)).then((rows) => {
      const asked = [...systemOf(query), callbacks?.systemProperties ?? []].flat();
      for (const row of rows) withoutSystem(row, asked);
      return projected(query, rows);
    }), callbacks);
  };
  const table = {
    getTableName: () => name,
    read: (first, ...rest) => (first instanceof Query ? read(first, ...rest) : read(new Query(name), first, ...rest)),
    lookup(id, callbacks, ...more) {
      callbacksOf('lookup', name, callbacks, more);
      if (!id) throw new Error(`Operation 'lookup' on table '${name}' failed: it takes an id`);
      return callingBack(inner().find(id, { includeDeleted: callbacks?.includeDeleted }).then((row) => {
        if (!row) throw Object.assign(new Error(`An item with id '${id}' does not exist.`), { notFound: true });
        return withoutSystem(row, callbacks?.systemProperties);
      }), callbacks);
    },
    insert(item, callbacks, ...more) {
      callbacksOf('insert', name, callbacks, more);
      checked(item, 'insert', name, false);
      return callingBack(inner().insert(written(item)).then((row) => became(item, row, callbacks)), callbacks);
    },
    update(item, callbacks, ...more) {
      callbacksOf('update', name, callbacks, more);
      checked(item, 'update', name, true);
      const sent = writing(name, item, inner());
      return callingBack(sent.then((row) => became(item, row, callbacks), (error) => {
        // What is written next is meant for the row as it stands.
        if (callbacks?.conflict && error.item) item.__version = error.item.__version;
        throw error;
      }), callbacks);
    },
    del(item, callbacks, ...more) {
      callbacksOf('delete', name, callbacks, more);
      const isItem = typeof item === 'object';
      if (isItem) checked(item, 'delete', name, true);
      const sent = inner().delete(isItem ? item.id : item, isItem ? item.__version : undefined);
      return callingBack(sent.then(() => undefined), callbacks);
    },
    undelete(item, callbacks, ...more) {
      callbacksOf('undelete', name, callbacks, more);
      const id = typeof item === 'object' ? checked(item, 'undelete', name, true).id : item;
      return callingBack(inner().undelete(id).then(() => undefined), callbacks);
    },
  };
  table.delete = table.del;
  for (const method of QUERY_METHODS) {
    table[method] = (...values) => {
      const query = projecting(new Query(name))[method](...values);
      query.read = (...rest) => read(query, ...rest);
      return query;
    };
  }
  return table;
}

const tables = {
  getTable,
  /** The table whose script runs. */
  get current() {
    const message = current()?.message;
    return message?.kind === 'table' ? getTable(message.table) : undefined;
  },
};

module.exports = {
  tables,
  settle(project) {
    folder = project;
  },
};
