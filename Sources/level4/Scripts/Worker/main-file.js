'use strict';

// The file that starts a project.

const fs = require('fs');
const path = require('path');

/** The file of `node FILE`, as App Service read it out of a package's start script. */
const STARTED = /(?:^|&&|;)\s*(?:\w+=\S+\s+)*node(?:mon)?\s+(?:--?\S+\s+)*([^\s&;|]+)/;

/** What a file that starts one of these projects has: the SDK, or something of the project's own that may have it. */
const LEADS = /azure-mobile-apps|\b(?:require\(\s*|from\s+|import\s+)['"`]\.{1,2}\//;

/** A name's file, with the ending that Node would find. */
function fileOf(root, name) {
  if (typeof name !== 'string' || name === '') return undefined;
  return [name, `${name}.js`].find((each) => fs.statSync(path.join(root, each), { throwIfNoEntry: false })?.isFile());
}

/** @returns its path from the root; an error where there is none */
function mainOf(root) {
  const at = path.join(root, 'package.json');
  const { main, scripts } = fs.existsSync(at) ? JSON.parse(fs.readFileSync(at, 'utf8').replace(/^\uFEFF/, '')) : {};
  const found = [STARTED.exec(scripts?.start ?? '')?.[1], main, 'app.js', 'server.js', 'index.js']
    .map((name) => fileOf(root, name)).filter(Boolean);
  if (!found.length) throw new Error('there is no app.js, and package.json names no main');
  const texts = new Map(found.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
  const isServer = (file) => texts.get(file).includes('azure-mobile-apps') && /\blisten\s*\(/.test(texts.get(file));
  // Beside the server there may be another one that a package names, as `npm init` and generators fill it in.
  return path.normalize(found.find(isServer) ?? found.find((file) => LEADS.test(texts.get(file))) ?? found[0]);
}

module.exports = { mainOf };
