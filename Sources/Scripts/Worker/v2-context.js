'use strict';

// What a script of the Node SDK is handed: `context`, which is `req.azureMobile` too.

const { current } = require('./calls');
const { copyOf, revive } = require('./changes');
const { errorOf, itemChanges } = require('./execution');
const { makePush } = require('./push');
const { Query } = require('./query');
const { rowsOf, tableOf } = require('./v2-tables');

const logger = {};
for (const [name, method] of Object.entries({
  silly: 'debug', verbose: 'debug', debug: 'debug', log: 'log', info: 'info', warn: 'warn', error: 'error',
})) {
  logger[name] = (...values) => console[method](...values);
}

/** Who asks; undefined for nobody. */
function userOf({ user }, project) {
  if (!user?.id) return undefined;
  const identities = {};
  for (const provider of Object.keys(user.identities ?? {})) {
    identities[provider] = { ...user.identities[provider], user_id: user.id, claims: { ...user.claims } };
  }
  return {
    id: user.id,
    token: user.token,
    claims: { ...user.claims },
    // With a callback or a promise; for one provider, or for all.
    getIdentity(provider, callback) {
      const name = typeof provider === 'string' ? provider.toLowerCase() : undefined;
      const given = name ? { [name]: identities[name] } : identities;
      const done = typeof provider === 'function' ? provider : callback;
      done?.(null, given);
      return Promise.resolve(given);
    },
  };
}

/** What runs SQL: `{ sql, parameters: [{ name, value }] }`. */
function dataOf(call) {
  return {
    async execute(statement) {
      const { sql, parameters } = typeof statement === 'string' ? { sql: statement } : statement;
      const given = Array.isArray(parameters)
        ? Object.fromEntries(parameters.map(({ name, value }) => [String(name).replace(/^@/, ''), value ?? null]))
        : parameters ?? {};
      try {
        const { results } = await (current() ?? call).ask({ do: 'sql', sql, parameters: given });
        const last = results.at(-1) ?? { rows: [] };
        const rows = last.rows.map((row) => revive(row, last.dates));
        rows.rowsAffected = last.affected;
        return rows;
      } catch (error) {
        throw errorOf(error);
      }
    },
  };
}

/** A table past scripts and access; none whose rows belong to users, as these would be the rows of everybody. */
function otherTable(name, call) {
  const { owned = [] } = (current() ?? call).message;
  if (owned.some((each) => each.toLowerCase() === String(name).toLowerCase())) {
    throw new Error(`context.tables('${name}'): the table is perUser, and context.tables knows no users: it would read `
      + 'and write the rows of everybody. context.execute() does the caller\'s own; where the rows of all are meant, '
      + 'context.data.execute runs SQL');
  }
  return tableOf(name, call);
}

/** The context of a call, and of its operation where it is one of a table. */
function makeContext(call, project, exchange, table, operation) {
  const { message } = call;
  const context = {
    req: exchange?.req,
    res: exchange?.res,
    user: userOf(message, project),
    configuration: project.configuration,
    logger,
    data: dataOf(call),
    push: makePush(call),
    tables: (name) => otherTable(name, call),
    table,
    apiVersion: 2,
  };
  if (operation) makeOperation(context, call, operation);
  return context;
}

/** The members of a context that are about its operation. */
function makeOperation(context, call, operation) {
  const { message } = call;
  context.operation = message.operation;
  context.id = message.rowID ?? undefined;
  context.version = message.version ?? undefined;
  const isWrite = message.operation === 'insert' || message.operation === 'update';
  const original = { ...(message.item ?? {}) };
  if (isWrite) {
    if (message.operation === 'update') original.id = message.rowID;
    if (message.version) original.version = message.version;
    context.item = copyOf(original);
  }
  const isList = message.operation === 'read' && (message.rowID ?? null) === null;
  context.query = Query.from(message.query ?? {}, message.table);

  const request = () => {
    const asked = {};
    if (isWrite) {
      const item = context.item ?? {};
      Object.assign(asked, itemChanges(original, item, { version: 'version' }));
      // As an item's own `id` is no change of the row, unless it is another one.
      if (message.operation === 'update') delete asked.set.id;
      asked.unset = asked.unset.filter((name) => name !== 'id');
    }
    const id = isWrite && message.operation === 'update' ? context.item?.id ?? context.id : context.id;
    if (id !== undefined && id !== message.rowID) asked.rowID = id;
    const said = isWrite && context.item?.version !== original.version ? context.item?.version : context.version;
    if (said !== (message.version ?? undefined)) asked.version = said ?? null;
    if (message.operation === 'read' || context.query.isNarrow) asked.query = context.query.toMessage();
    return asked;
  };
  const result = (reply) => (isList ? rowsOf(reply) : revive(reply.row, reply.dates));
  context.execute = () => operation.execute(request, result);
  context.next = (error) => (error ? Promise.reject(error) : context.execute());
}

module.exports = { makeContext, logger };
