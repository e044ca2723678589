'use strict';

// Which modules are ours, whatever is installed.

const fs = require('fs');
const Module = require('module');
const path = require('path');
require('./loose-paths');

const ours = new Map();
const earlier = new Map();
const lent = new Map();
const load = Module._load;

/** Answers `require(name)` with ours: what is installed by that name talks to services that are gone. */
function replace(name, exports) {
  ours.set(name, exports);
}

/** Answers it with an earlier one where a file of a folder asks, and not where a package does. */
function keep(name, exports, root) {
  // Node knows what is required by its real place.
  const inside = [root, fs.realpathSync(root)].map((each) => (each.endsWith(path.sep) ? each : each + path.sep));
  const isOwn = (file) => inside.some((each) => file?.startsWith(each)) && !file.includes(`${path.sep}node_modules${path.sep}`);
  earlier.set(name, { exports, isOwn });
}

/** Answers it with ours where who asks has none installed. */
function lend(name, make) {
  lent.set(name, make);
}

/** Whether somebody who asks for a module finds none. */
function lacks(request, parent) {
  try {
    Module._resolveFilename(request, parent);
    return false;
  } catch (error) {
    return error.code === 'MODULE_NOT_FOUND' && error.message.startsWith(`Cannot find module '${request}'`);
  }
}

Module._load = function (request, parent, isMain) {
  if (ours.has(request)) return ours.get(request);
  if (lent.has(request) && lacks(request, parent)) return lent.get(request)();
  const kept = earlier.get(request);
  return kept?.isOwn(parent?.filename) ? kept.exports : load.call(this, request, parent, isMain);
};

/** Whether a module is always ours. */
const isOurs = (name) => ours.has(name);

/** The modules that a source asks for by name and that aren't there, each with its line. */
function missingModules(file, source) {
  const from = Module.createRequire(file);
  const missing = [];
  for (const match of source.matchAll(/\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/g)) {
    const before = source.slice(0, match.index);
    const line = before.split('\n').length;
    if (/(^|[^:])\/\/[^\n]*$/.test(before.slice(before.lastIndexOf('\n') + 1))) continue;
    const name = match[2];
    if (ours.has(name) || lent.has(name)) continue;
    try {
      from.resolve(name);
    } catch {
      missing.push({ name, line });
    }
  }
  return missing;
}

/** Where an error came from: the first place in its stack that is in the folder. */
function placeOf(error, root) {
  const stack = String(error?.stack ?? '');
  const prefix = root.endsWith(path.sep) ? root : root + path.sep;
  for (const line of stack.split('\n')) {
    const at = line.indexOf(prefix);
    if (at < 0) continue;
    const match = /^(.*?):(\d+)(?::\d+)?\)?$/.exec(line.slice(at + prefix.length).trim());
    if (match) return { file: match[1], line: Number(match[2]) };
  }
  return {};
}

module.exports = { isOurs, keep, lend, replace, missingModules, placeOf };
