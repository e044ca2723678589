'use strict';

// Tables of a service that its scripts name and that no file is about: the portal had made them.

const path = require('path');
const { statementsIn } = require('./report');
const { textIn } = require('./source-files');
const { withoutComments } = require('./unsupported');
const { lineAt } = require('./written-lines');

const FOLDERS = ['table', 'api', 'scheduler', 'shared', 'extensions'];
const GET_TABLE = /\bgetTable\(\s*(['"])([A-Za-z_]\w{0,127})\1\s*\)/g;
const TEXT = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const WORD = '\\[?([A-Za-z_]\\w{0,127})\\]?';
const OF_STATEMENT = new RegExp(
  `\\b(FROM|JOIN|INTO|UPDATE|TRUNCATE\\s+TABLE)\\s+(?:\\[?[A-Za-z_][\\w-]*\\]?\\s*\\.\\s*)?${WORD}(?![\\w\\]]|\\s*\\.)`,
  'gi');
/** What SQL has that names nothing: its comments, its texts, and what is read of a cursor. */
const UNNAMING = /'(?:''|[^'])*'|--[^\n]*|\/\*[\s\S]*?\*\/|\bFETCH\s+(?:(?:NEXT|PRIOR|FIRST|LAST)\s+)?FROM\s+\w+/gi;
/** Behind a name: it is a function's, and no hint's about locks. */
const CALLED = /^\s*\((?!\s*\w*LOCK\b)/i;
const ALIAS = /\b(?:FROM|JOIN|,)\s+[\w.[\]]+\s+(?:AS\s+)?\[?([A-Za-z_]\w*)\]?/gi;
const COMMON = /\b([A-Za-z_]\w*)\s*(?:\([^()]*\)\s*)?AS\s*\(/gi;
/** What the database says of itself. */
const CATALOG = /(?:\[(?:INFORMATION_SCHEMA|sys)\]|\b(?:INFORMATION_SCHEMA|sys))\s*\.\s*\[?\w+\]?/gi;
/** What no table of the server may be called, and what the databases have by themselves. */
const RESERVED = new RegExp('^(?:(?:zumod|pg|sqlite)_|(?:sys|information_schema)$|sys(?:objects|columns|indexes|indexkeys|types'
  + '|comments|users|databases|tables|files|depends|foreignkeys|references|processes)$)', 'i');
/** What stands there and is no table. */
const WORDS = new Set(['select', 'set', 'top', 'inserted', 'deleted', 'values', 'where', 'statistics', 'as', 'on', 'of', 'into',
  'from', 'the', 'a', 'an']);

/** The tables that a statement names. */
function tablesOf(statement) {
  const sql = statement.replace(UNNAMING, ' ').replace(CATALOG, ' ');
  const others = [...sql.matchAll(ALIAS), ...sql.matchAll(COMMON)].map((match) => match[1].toLowerCase());
  return [...sql.matchAll(OF_STATEMENT)]
    .filter((match) => /^INTO$/i.test(match[1]) || !CALLED.test(sql.slice(match.index + match[0].length)))
    .map((match) => match[2])
    .filter((name) => !WORDS.has(name.toLowerCase()) && !others.includes(name.toLowerCase()));
}

/** The tables that a source names: `{ name, line }`. */
function namedIn(file, text) {
  const bare = withoutComments(text);
  const texts = [...bare.matchAll(TEXT)].map((match) => [match.index, match.index + match[0].length]);
  const named = [...bare.matchAll(GET_TABLE)]
    .filter(({ index }) => !texts.some(([start, end]) => start < index && index < end))
    .map((match) => ({ name: match[2], line: lineAt(bare, match.index) }));
  if (!/\bmssql\b/.test(bare)) return named;
  const statements = statementsIn({ file, text }).filter(({ isOpen }) => !isOpen);
  return [...named, ...statements.flatMap(({ text: sql, line }) => tablesOf(sql).map((name) => ({ name, line })))];
}

/** The text of a file, as far as it can be read. */
function textFor(project, file) {
  try {
    return textIn(path.join(project.root, file));
  } catch (error) {
    // What is shared is read by nobody till somebody requires it; the others are told of where they are read.
    if (path.basename(path.dirname(file)) === 'shared') project.fault(file, null, `can't be read for the tables that it names: ${error.message}`, false);
    return '';
  }
}

/** Has those that no file is about be served, to scripts and to operators alone. */
function nameTables(project, at) {
  for (const folder of FOLDERS) {
    for (const file of project.files(path.join(at, folder))) {
      for (const { name, line } of namedIn(file, textFor(project, file))) {
        if (project.tables.has(name.toLowerCase()) || RESERVED.test(name)) continue;
        const rules = path.join(at, 'table', `${name.toLowerCase()}.json`);
        const sentence = `names the table ${name}, of which the project has no file: unless the configuration defines it, `
          + `scripts have it, and clients only with the master key; ${rules} says who else may`;
        project.fault(file, line, sentence, false);
        const access = Object.fromEntries(['read', 'insert', 'update', 'delete', 'undelete'].map((each) => [each, 'admin']));
        const definition = { access, dynamicSchema: true };
        project.addTable({ name, file, generation: 'v1', operations: new Set(), definition, isAssumed: true });
      }
    }
  }
}

module.exports = { nameTables };
