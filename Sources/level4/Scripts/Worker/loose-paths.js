'use strict';

// Files by names whose letters have another case: the old servers ran on Windows, where that said nothing.

const fs = require('fs');
const path = require('path');
const Module = require('module');

/** The file or folder that a path means; undefined where there is none. */
function loose(whole) {
  if (fs.existsSync(whole)) return whole;
  const folder = path.dirname(whole);
  const real = folder === whole ? undefined : loose(folder);
  if (!real) return undefined;
  const wanted = path.basename(whole).toLowerCase();
  try {
    const name = fs.readdirSync(real).find((each) => each.toLowerCase() === wanted);
    return name && path.join(real, name);
  } catch {
    return undefined;
  }
}

const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, parent, ...rest) {
  try {
    return resolve.call(this, request, parent, ...rest);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || !/^\.{1,2}\//.test(request) || !parent?.filename) throw error;
    const whole = path.resolve(path.dirname(parent.filename), request);
    const found = loose(whole) ?? loose(`${whole}.js`) ?? loose(`${whole}.json`);
    if (!found || found === whole) throw error;
    return resolve.call(this, found, parent, ...rest);
  }
};

module.exports = { loose };
