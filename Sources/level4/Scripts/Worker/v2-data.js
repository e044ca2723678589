'use strict';

// What a context gives of the database: SQL, and tables by their names or definitions.

const { current } = require('./calls');
const { revive } = require('./changes');
const { errorOf } = require('./execution');
const known = require('./table-arguments');
const { tableOf } = require('./v2-tables');

const STATEMENT = ['sql', 'parameters', 'multiple', 'transform'];
// SQL Server's types are the database's own business here.
const PARAMETER = ['name', 'value', 'type', 'pos'];

/** The rows of one result, by the names of their columns. */
function rowsOf({ rows, dates }) {
  return rows.map((row) => revive(row, dates));
}

/** The values of a statement by their names, given as `[{ name, value }]` or as an object. */
function valuesOf(call, parameters) {
  if (!Array.isArray(parameters)) return parameters ?? {};
  return Object.fromEntries(parameters.map((parameter) => {
    const { name, value } = known.optionsOf(call, parameter, PARAMETER);
    return [String(name).replace(/^@/, ''), value ?? null];
  }));
}

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\[([^\]]+)\]|"([^"]+)"|(?<![@\w])([A-Za-z_]\w*)/g;

/** SQL with the tables by the names that they have here, where it has those that they had in the old database. */
function renamed(sql, project) {
  const names = new Map();
  for (const { name, live } of project.tables.values()) {
    const former = live?.databaseTableName ?? live?.containerName;
    if (typeof former !== 'string' || project.tables.has(former.toLowerCase())) continue;
    names.set(former.toLowerCase(), name);
  }
  if (!names.size) return sql;
  return sql.replace(TOKEN, (token, ...groups) => {
    const former = groups.slice(0, 3).find((group) => group !== undefined);
    return (former && names.get(former.toLowerCase())) ?? token;
  });
}

/** Runs SQL: `{ sql, parameters: [{ name, value }], multiple, transform }`. */
async function execute(call, project, statement, ...more) {
  const name = 'data.execute(statement)';
  known.nothingElse(name, more, 'a statement');
  const given = typeof statement === 'string' ? { sql: statement } : statement;
  const { sql, parameters, multiple, transform } = known.optionsOf(name, given, STATEMENT);
  if (typeof sql !== 'string') throw known.refused(name, 'it takes SQL as a text, or an object with it');
  if (transform !== undefined && transform !== null && typeof transform !== 'function') {
    throw known.refused(name, 'transform is a function');
  }
  let results;
  try {
    ({ results } = await (current() ?? call).ask({
      do: 'sql', sql: renamed(sql, project), parameters: valuesOf(name, parameters),
    }));
  } catch (error) {
    throw errorOf(error);
  }
  const last = results.at(-1) ?? { rows: [] };
  // A statement that gives no rows has no list of them among several.
  const rows = multiple
    ? results.filter(({ columns }) => columns?.length).map(rowsOf)
    : Object.assign(rowsOf(last), { rowsAffected: last.affected });
  return transform ? transform(rows) : rows;
}

/** A table of the project by its name, with the rules that it has for a context. */
function namedTable(name, call, project, context) {
  const { tables = '' } = (current() ?? call).message;
  const wanted = String(name).toLowerCase();
  const script = project.tables.get(wanted);
  const isThere = script || tables.toLowerCase().split(' ').includes(wanted);
  if (typeof name !== 'string' || !isThere) throw new Error(`The table '${name}' does not exist.`);
  return tableOf(name, call, script?.live, context);
}

/** `context.data`: SQL by `execute`, and as a function what `tables` gives, by a table's definition. */
function dataOf(call, project, context) {
  const data = (table, ...more) => {
    // The context stood here; it is the one that runs.
    if (more.some((each) => each !== context)) known.nothingElse('data(table)', more, 'a table');
    if (!table) throw new Error('A table was not specified');
    const script = [...project.tables.values()].find(({ live }) => live === table);
    const name = typeof table === 'string' ? table : script?.name ?? table.name ?? table.containerName;
    return namedTable(name, call, project, context);
  };
  data.execute = (...values) => execute(call, project, ...values);
  return data;
}

module.exports = { dataOf, namedTable };
