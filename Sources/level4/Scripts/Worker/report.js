'use strict';

// What `zumod check` tells of a project beside what is wrong with it: what stands in the way of a request, which SQL
// its scripts have run, and what is other than it was.

const fs = require('fs');
const path = require('path');
const { DIFFERENCES } = require('./differences');
const { textIn } = require('./source-files');
const { lineAt } = require('./written-lines');

/** The most files that are looked through, and the most bytes of one. */
const [MOST_FILES, MOST_BYTES] = [2000, 1 << 20];
const LITERAL = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
/** What begins as a statement does, and has the words that make it one: prose begins so too. */
const STATEMENT = new RegExp([
  'SELECT\\s[\\s\\S]*?(?:\\bFROM\\b|@|\\()', 'INSERT\\s+INTO\\b',
  'UPDATE\\s[\\s\\S]*?\\bSET\\b', 'DELETE\\s[\\s\\S]*?\\b(?:FROM|WHERE)\\b',
  'MERGE\\s+(?:INTO\\b|\\S+\\s+(?:AS\\b|USING\\b|\\S+\\s+USING\\b))', 'TRUNCATE\\s+TABLE\\b',
  'WITH\\s+\\w+\\s+AS\\s*\\(',
  'DECLARE\\s+@', 'EXEC(?:UTE)?\\s+\\w', 'IF\\s+(?:NOT\\s+)?EXISTS\\b',
  '(?:CREATE|ALTER|DROP)\\s+(?:TABLE|INDEX|VIEW)\\b',
].map((each) => `^\\s*${each}`).join('|'), 'i');

/** What a look at a file or a folder gives; nothing where it can't be read: who needs it has told of that. */
function readable(look, otherwise) {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** The sources of a project, without what it has installed: `{ file, text }`. */
function sourcesOf(root) {
  const sources = [];
  const walk = (folder) => {
    for (const entry of readable(() => fs.readdirSync(path.join(root, folder), { withFileTypes: true }), [])) {
      const file = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || sources.length >= MOST_FILES) continue;
      if (entry.isDirectory()) walk(file);
      else if (entry.name.endsWith('.js')) {
        const whole = path.join(root, file);
        const text = readable(() => (fs.statSync(whole).size <= MOST_BYTES ? textIn(whole) : undefined));
        if (text !== undefined) sources.push({ file, text });
      }
    }
  };
  walk('');
  return sources;
}

const ESCAPES = { n: '\n', r: '\r', t: '\t', '\n': '' };
const textOf = (literal) => literal.slice(1, -1).replace(/\\([\s\S])/g, (_, each) => ESCAPES[each] ?? each);

/**
 * The SQL in a source: texts that are written out, also with `+` between them. One that is put together while it runs
 * is `isOpen`.
 */
function statementsIn({ file, text }) {
  const found = [];
  const literals = [...text.matchAll(LITERAL)].filter(([literal]) => literal[0] !== '/');
  for (let at = 0; at < literals.length; at += 1) {
    const start = literals[at];
    let sql = textOf(start[0]);
    if (!STATEMENT.test(sql)) continue;
    let end = start.index + start[0].length;
    let isOpen = start[0][0] === '`' && /\$\{/.test(start[0]);
    for (;;) {
      const next = literals[at + 1];
      const between = next ? text.slice(end, next.index) : '';
      if (!next || !/^\s*\+\s*$/.test(between)) break;
      sql += textOf(next[0]);
      end = next.index + next[0].length;
      at += 1;
    }
    if (/^\s*(?:\+|\.concat\b|\.replace\b)/.test(text.slice(end))) isOpen = true;
    found.push({ file, line: lineAt(text, start.index), text: sql, isOpen });
  }
  return found;
}

/** Where in a source something is that is other than it was. */
const differencesIn = (ofProject, { file, text }) => DIFFERENCES.flatMap(({ form = ofProject, pattern, sentence }) => {
  const match = form === ofProject && pattern.exec(text);
  return match ? [{ file, line: lineAt(text, match.index), text: sentence }] : [];
});

/** The places of functions, by what only a debugger knows. */
class Places {
  constructor(root) {
    this.root = root;
    this.files = new Map();
    // Nobody else has a use for it.
    const inspector = require('inspector');
    this.session = new inspector.Session();
    this.session.connect();
    this.session.on('Debugger.scriptParsed', ({ params }) => this.files.set(params.scriptId, params.url));
    this.post('Debugger.enable');
  }

  /** The debugger answers at once. */
  post(method, given) {
    let answer;
    this.session.post(method, given, (error, result) => { answer = error ? undefined : result; });
    return answer;
  }

  /** `{ name, file, line }`; a file that isn't the project's is the package's name. */
  of(body) {
    globalThis.zumodSought = body;
    const object = this.post('Runtime.evaluate', { expression: 'globalThis.zumodSought' })?.result;
    delete globalThis.zumodSought;
    const properties = this.post('Runtime.getProperties', { objectId: object?.objectId, ownProperties: true });
    const place = properties?.internalProperties?.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value;
    const url = place ? this.files.get(place.scriptId) ?? '' : '';
    const whole = url.startsWith('file://') ? new URL(url).pathname : url;
    const name = body.name || 'a function';
    const relative = path.relative(this.root, whole);
    const installed = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(whole) ?? /^\/usr\/share\/nodejs\/([^/]+)/.exec(whole);
    if (installed) return { name, file: installed[1], line: null };
    const isOwn = whole && !relative.startsWith('..') && !path.isAbsolute(relative);
    return { name, file: isOwn ? relative : '', line: isOwn ? place.lineNumber + 1 : null };
  }

  end() {
    this.session.disconnect();
  }
}

/** The path of a layer, as its pattern has it: '' for every path. */
function pathOf(layer) {
  if (layer.route) return [layer.route.path].flat().join(' or ');
  const source = layer.regexp?.fast_slash || layer.slash ? '' : layer.regexp?.source ?? layer.path ?? '';
  return source.replace(/^\^\\\/\?|^\^/, '').replace(/(?:\\\/\?\(\?=|\(\?:\[).*$|\$$/, '').replace(/\\(.)/g, '$1');
}

const stackOf = (app) => app?.stack ?? (app?._router ?? app?.router)?.stack ?? [];

/** What a request comes through, in its order: `{ at, path, name, file, line }`. */
function chainOf(project, places) {
  const { apps, mounts } = require('./mobile-app');
  const chain = [];
  const take = (at, layers) => {
    for (const layer of layers) {
      if (['query', 'expressInit'].includes(layer.name)) continue;
      // Of several nobody knows which one is mounted here: the one that has something in it is told of.
      const app = mounts.has(layer) ? apps.find((each) => each.isGuarded) ?? apps[0] : undefined;
      if (app) {
        for (const [name, router] of Object.entries(app.routers ?? {})) {
          take(name === 'own' ? 'the mobile app' : `the mobile app's ${name}`, stackOf(router));
        }
        chain.push({ at, path: pathOf(layer), name: 'the tables and APIs', file: '', line: null });
      } else if (layer.route) {
        const methods = Object.keys(layer.route.methods ?? {}).join(', ').replace('_all', 'any method');
        for (const each of layer.route.stack) {
          chain.push({ at: `${at}, ${methods}`, path: pathOf(layer), ...places.of(each.handle) });
        }
      } else if (layer.handle?.stack) {
        take(`${at}, a router at ${pathOf(layer) || 'every path'}`, layer.handle.stack);
      } else {
        chain.push({ at, path: pathOf(layer), ...places.of(layer.handle) });
      }
    }
  };
  if (project.form === 'app') take('the application', stackOf(project.handler));
  for (const { name, live } of project.tables.values()) {
    if (!live) continue;
    const list = (at, handlers) => handlers.forEach((each) => {
      const isPlace = each.isOperation || each.isPlace;
      chain.push({ at, path: '', ...(isPlace ? { name: 'the operation', file: '', line: null } : places.of(each)) });
    });
    list(`table ${name}`, live.middleware);
    for (const operation of ['read', 'insert', 'update', 'delete', 'undelete']) {
      list(`table ${name}, ${operation}`, live[operation].middleware);
    }
    for (const kind of ['filters', 'transforms', 'hooks']) {
      list(`table ${name}, ${kind}`, [live[kind] ?? []].flat().filter((each) => typeof each === 'function'));
    }
  }
  for (const { name, handlers } of project.apis.values()) {
    // The last one is the API itself.
    for (const [verb, functions] of handlers ?? []) {
      for (const each of functions.slice(0, -1)) {
        chain.push({ at: `API ${name}, ${verb}`, path: '', ...places.of(each) });
      }
    }
  }
  return chain;
}

/** Who may ask an API for what, and what says so. */
const apisOf = (project) => [...project.apis.values()].map(({ name, file, verbs, permissions = {} }) => ({
  name,
  verbs: Object.keys(verbs).map((verb) => {
    const said = [permissions[verb], permissions.all].find((each) => each?.level === verbs[verb]);
    return { verb, level: verbs[verb], key: said?.key ?? null, file: said?.file ?? file, line: said?.line ?? null };
  }),
}));

/** Everything that is told. */
function reportOf(project) {
  const sources = sourcesOf(project.root);
  const places = new Places(project.root);
  try {
    return {
      chain: chainOf(project, places), apis: apisOf(project), sql: sources.flatMap(statementsIn),
      differences: sources.flatMap((source) => differencesIn(project.form, source)),
    };
  } finally {
    places.end();
  }
}

module.exports = { reportOf, statementsIn };
