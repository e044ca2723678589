'use strict';

// Which modules are ours, whatever is installed.

const Module = require('module');
const path = require('path');
require('./loose-paths');

const ours = new Map();
const load = Module._load;

/** Answers `require(name)` with ours: what is installed by that name talks to services that are gone. */
function replace(name, exports) {
  ours.set(name, exports);
}

Module._load = function (request, parent, isMain) {
  return ours.has(request) ? ours.get(request) : load.call(this, request, parent, isMain);
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
    if (ours.has(name)) continue;
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

module.exports = { isOurs, replace, missingModules, placeOf };
