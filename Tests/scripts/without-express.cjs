// A machine without Express: `node --require` of this before a worker.

'use strict';

const Module = require('module');

const resolve = Module._resolveFilename;

Module._resolveFilename = function (name, ...rest) {
  if (name === 'express') throw Object.assign(new Error("Cannot find module 'express'"), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(this, name, ...rest);
};
