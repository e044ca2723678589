'use strict';

// What a script of the Node SDK is handed: `context`, which is `req.azureMobile` too.

const { copyOf, revive } = require('./changes');
const { itemChanges } = require('./execution');
const { makePush } = require('./push');
const { Query } = require('./query');
const { nothingElse } = require('./table-arguments');
const { filtered, hasHooks, tell, transformed } = require('./table-rules');
const { dataOf, namedTable } = require('./v2-data');
const { rowsOf } = require('./v2-tables');

const logger = {};
for (const [name, method] of Object.entries({
  silly: 'debug', verbose: 'debug', debug: 'debug', log: 'log', info: 'info', warn: 'warn', error: 'error',
})) {
  logger[name] = (...values) => console[method](...values);
}

/** All claims of a token that the server has found good, numbers too. */
function claimsOf(token) {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString('utf8'));
  } catch {
    return {};
  }
}

/** Claims, those with the long names of SOAP by short ones too. */
function shortened(claims) {
  const whole = { ...claims };
  for (const name of Object.keys(claims)) {
    if (name.includes('http://schemas.xmlsoap.org/ws')) whole[name.slice(name.lastIndexOf('/') + 1)] = claims[name];
  }
  return whole;
}

/** Claims as `/.auth/me` had them, each of a list by itself. */
const pairsOf = (claims) => Object.keys(claims).flatMap((typ) => [claims[typ]].flat().map((val) => ({ typ, val: String(val) })));

/** Who asks; undefined for nobody. */
function userOf({ user }) {
  if (!user?.id) return undefined;
  const { id, provider } = user;
  const identities = provider ? {
    [provider]: {
      userId: id, ...user.claims, provider_name: provider, user_id: id,
      claims: shortened(user.claims), user_claims: pairsOf({ ...claimsOf(user.token), ...user.claims }),
    },
  } : {};
  return {
    id,
    token: user.token,
    claims: { ...claimsOf(user.token), ...user.claims },
    // With a callback or a promise; for one provider, or for all.
    getIdentity(first, callback) {
      const name = typeof first === 'string' ? first.toLowerCase() : undefined;
      const given = name ? { [name]: identities[name] } : identities;
      const done = typeof first === 'function' ? first : callback;
      done?.(null, given);
      return Promise.resolve(given);
    },
  };
}

/** What the members of a context are made of. */
const SOURCE = Symbol('source');

/**
 * Members that are made when somebody wants them: most scripts look at a few. All contexts have the same functions for them,
 * or each would have a shape of its own, which costs more than all the rest.
 */
const LENT = {};
for (const [name, make] of Object.entries({
  user: ({ told }) => userOf(told),
  push: ({ call, project, context }) => (
    project.form !== 'app' || context.configuration.notifications?.hubName ? makePush(call) : undefined),
  req: ({ exchange }) => exchange.req,
  res: ({ exchange }) => exchange.res,
})) {
  const set = ({ context }, value) => {
    Object.defineProperty(context, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  LENT[name] = {
    get() { return set(this[SOURCE], make(this[SOURCE])); },
    set(value) { set(this[SOURCE], value); },
    enumerable: true,
    configurable: true,
  };
}

/** Of a row those columns that are selected, whose names match in any case, and what the server makes its answer's head of. */
function picked(row, select) {
  const names = ['id', 'version', ...select.toLowerCase().split(',').map((name) => name.trim())];
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name.toLowerCase())));
}

const noOperation = () => Promise.reject(new Error('an API has no operation of a table'));

/** The context of a request; what is about its operation comes with that. */
function makeContext(call, project, exchange, configuration = project.configuration) {
  const context = {
    configuration,
    logger,
    execute: noOperation,
    apiVersion: 2,
  };
  Object.defineProperty(context, SOURCE, { value: { call, project, exchange, context, told: call.message } });
  Object.defineProperties(context, LENT);
  context.data = dataOf(call, project, context);
  context.tables = (name, ...more) => {
    nothingElse('tables(name)', more, "a table's name");
    return namedTable(name, call, project, context);
  };
  return context;
}

/** Adds the members of a context that are about its operation. */
function addOperation(context, call, message, operation, { name, live }, project) {
  const told = message.user ? message : call.message;
  // What stands before may know more of who asks than a token says.
  if (!call.known) {
    context[SOURCE].told = told;
    Object.defineProperty(context, 'user', LENT.user);
  } else if (String(context.user?.id ?? '') !== (told.user?.id ?? '')) context.user = userOf(told);
  context.table = live;
  context.operation = message.operation;
  context.id = message.rowID ?? undefined;
  context.version = message.version ?? undefined;
  const isWrite = message.operation === 'insert' || message.operation === 'update';
  const original = { ...(message.item ?? {}) };
  if (isWrite) {
    if (message.operation === 'update') original.id = message.rowID;
    if (message.version) original.version = message.version;
    context.item = copyOf(original);
    // As it came, for an answer that says so.
    context.sent = message.operation === 'insert' ? original : undefined;
  }
  const isOfRow = message.operation === 'read' && (message.rowID ?? null) !== null;
  const isList = message.operation === 'read' && !isOfRow;
  context.query = Query.from(message.query ?? {}, name);
  if (isList) context.query.usualTake = live.pageSize ?? context.configuration?.pageSize ?? 50;
  if (context.id !== undefined) Object.assign(context.query, { id: context.id, single: true });

  if (hasHooks(live)) operation.hear = (results) => tell(live, results, context);
  const request = () => {
    const asked = {};
    if (isWrite) {
      const item = transformed(live, context.item ?? {}, context);
      Object.assign(asked, itemChanges(original, item, { version: 'version' }));
      // As an item's own `id` is no change of the row, unless it is another one.
      if (message.operation === 'update') delete asked.set.id;
      asked.unset = asked.unset.filter((each) => each !== 'id');
    }
    const id = message.operation === 'update' ? context.item?.id ?? context.id : context.id;
    if (id !== undefined && id !== message.rowID) asked.rowID = id;
    const said = isWrite && context.item?.version !== original.version ? context.item?.version : context.version;
    if (said !== (message.version ?? undefined)) asked.version = said ?? null;
    const query = message.operation === 'insert' ? context.query : filtered(live, context.query, context);
    if (message.operation === 'read' || query.isNarrow) asked.query = query.toMessage();
    // As the SDK had it.
    if (isList && project.form === 'app' && message.generation === 'v2') asked.query.goesOn = true;
    return asked;
  };
  const result = (reply) => {
    const rows = isList ? rowsOf(reply) : revive(reply.row, reply.dates);
    if (!isOfRow) return rows;
    // The server gives a row whole; to the SDK it was a query like any other.
    // Where that looks itself whether a row may be seen, it needs all of it.
    const select = message.aside ? undefined : context.query.parts.select;
    if (select) operation.isNarrowed = true;
    return [rows].filter(Boolean).map((row) => (select ? picked(row, select) : row));
  };
  const missed = (error) => {
    // A read by id gives a list of at most one.
    if (isOfRow && error.notFound) return tell(live, [], context);
    if (error.notFound && !error.deleted) Object.assign(error, { message: 'No records were updated', concurrency: true });
    throw error;
  };
  context.execute = () => operation.execute(request, result, missed);
}

module.exports = { makeContext, addOperation, logger };
