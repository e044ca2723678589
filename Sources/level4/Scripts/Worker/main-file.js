'use strict';

// The file that starts a project.

const fs = require('fs');
const path = require('path');
const { isFile } = require('./source-files');

/** The file of `node FILE`, as App Service read it out of a package's start script. */
const STARTED = /^\s*(?:\w+=\S+\s+)*node(?:mon)?\s+(?:--?\S+\s+)*([^\s&;|]+)/;

/** What a file that starts one of these projects has: the SDK, or something of the project's own that may have it. */
const LEADS = /azure-mobile-apps|\b(?:require\(\s*|from\s+|import\s+)['"`]\.{1,2}\//;

/** What a file requires of the project's own. */
const REQUIRED = /\brequire\(\s*['"`](\.{1,2}\/[^'"`]+)['"`]/g;

/** A name's file, with the ending that Node would find. */
function fileOf(root, name) {
  if (typeof name !== 'string' || name === '') return undefined;
  return [name, `${name}.js`].find((each) => isFile(path.join(root, each)));
}

/** What a start script runs, in the folder that it goes to. */
function startedBy(script) {
  let folder = '.';
  for (const step of script.split(/&&|;/)) {
    const to = /^\s*cd\s+(.+?)\s*$/.exec(step)?.[1];
    if (to) folder = path.join(folder, to);
    const file = STARTED.exec(step)?.[1];
    if (file) return path.join(folder, file);
  }
  return undefined;
}

/** @returns its path from the root; an error where there is none */
function mainOf(root) {
  const at = path.join(root, 'package.json');
  const { main, scripts } = fs.existsSync(at) ? JSON.parse(fs.readFileSync(at, 'utf8').replace(/^\uFEFF/, '')) : {};
  const present = (names) => names.map((name) => fileOf(root, name)).filter(Boolean);
  const usual = present(['app.js', 'server.js', 'index.js']);
  const textOf = (file) => fs.readFileSync(path.join(root, file), 'utf8');
  const isServer = (file) => textOf(file).includes('azure-mobile-apps') && /\blisten\s*\(/.test(textOf(file));
  const leads = (file) => LEADS.test(textOf(file));
  /** Where it would have something listen that does so itself and hands over nothing, that: nobody has kept it true. */
  const kept = (file) => (/\blisten\s*\(/.test(textOf(file)) ? [...textOf(file).matchAll(REQUIRED)] : [])
    .map((match) => fileOf(root, path.join(path.dirname(file), match[1])))
    .find((other) => other && isServer(other) && !/\bexports?\b/.test(textOf(other))) ?? file;
  const named = present([startedBy(scripts?.start ?? ''), main]).map(kept);
  if (!named.length && !usual.length) throw new Error('there is no app.js, and package.json names no main');
  // What is named may be filled in by `npm init` and lead nowhere; beside what leads there may be an old server.
  const found = named.find(leads) ?? usual.find(isServer) ?? usual.find(leads) ?? named[0] ?? usual[0];
  return path.normalize(found);
}

module.exports = { mainOf };
