'use strict';

// Tables of a service that its scripts name and that no file is about: the portal had made them.

const path = require('path');
const { statementsIn } = require('./report');
const { withoutComments } = require('./unsupported');
const { lineAt } = require('./written-lines');

const FOLDERS = ['table', 'api', 'scheduler', 'shared', 'extensions'];
const GET_TABLE = /\bgetTable\(\s*(['"])([A-Za-z_]\w{0,127})\1\s*\)/g;
const WORD = '\\[?([A-Za-z_]\\w{0,127})\\]?';
const OF_STATEMENT = new RegExp(
  `\\b(?:FROM|JOIN|INTO|UPDATE|TRUNCATE\\s+TABLE)\\s+(?:\\[?[A-Za-z_][\\w-]*\\]?\\s*\\.\\s*)?${WORD}(?!\\w|\\s*\\.)`, 'gi');
const ALIAS = /\b(?:FROM|JOIN|,)\s+[\w.[\]]+\s+(?:AS\s+)?\[?([A-Za-z_]\w*)\]?/gi;
const COMMON = /\b([A-Za-z_]\w*)\s*(?:\([^()]*\)\s*)?AS\s*\(/gi;
/** What the database says of itself. */
const CATALOG = /\b(?:INFORMATION_SCHEMA|sys)\s*\.\s*\w+/gi;
/** What stands there and is no table. */
const WORDS = new Set(['select', 'set', 'top', 'inserted', 'deleted', 'values', 'where', 'statistics']);

/** The tables that a statement names. */
function tablesOf(statement) {
  const sql = statement.replace(CATALOG, ' ');
  const others = [...sql.matchAll(ALIAS), ...sql.matchAll(COMMON)].map((match) => match[1].toLowerCase());
  return [...sql.matchAll(OF_STATEMENT)].map((match) => match[1])
    .filter((name) => !WORDS.has(name.toLowerCase()) && !others.includes(name.toLowerCase()));
}

/** The tables that a source names: `{ name, line }`. */
function namedIn(file, text) {
  const bare = withoutComments(text);
  const named = [...bare.matchAll(GET_TABLE)].map((match) => ({ name: match[2], line: lineAt(bare, match.index) }));
  if (!/\bmssql\b/.test(bare)) return named;
  const statements = statementsIn({ file, text }).filter(({ isOpen }) => !isOpen);
  return [...named, ...statements.flatMap(({ text: sql, line }) => tablesOf(sql).map((name) => ({ name, line })))];
}

/** Has those that no file is about be served, to scripts and to operators alone. */
function nameTables(project, at) {
  for (const folder of FOLDERS) {
    for (const file of project.files(path.join(at, folder))) {
      for (const { name, line } of namedIn(file, project.textOf(file) ?? '')) {
        if (project.tables.has(name.toLowerCase())) continue;
        const rules = path.join(at, 'table', `${name.toLowerCase()}.json`);
        const sentence = `names the table ${name}, of which there is no file: scripts have it, and clients only with the `
          + `master key; ${rules} says who else may`;
        project.fault(file, line, sentence, false);
        const access = Object.fromEntries(['read', 'insert', 'update', 'delete', 'undelete'].map((each) => [each, 'admin']));
        const definition = { access, dynamicSchema: true };
        project.addTable({ name, file, generation: 'v1', operations: new Set(), definition });
      }
    }
  }
}

module.exports = { nameTables };
