'use strict';

// The Express that scripts run on: the project's own, else the one that Debian installs, else as much of it as we have.

const Module = require('module');
const path = require('path');

/** Where Debian keeps modules, which not every Node looks for. */
const DEBIAN = '/usr/share/nodejs';

let known;
let folder = '/';

/** Has whatever isn't found elsewhere be looked for among Debian's modules. */
function lookThere() {
  const paths = (process.env.NODE_PATH ?? '').split(path.delimiter).filter(Boolean);
  if (paths.includes(DEBIAN)) return;
  process.env.NODE_PATH = [...paths, DEBIAN].join(path.delimiter);
  Module._initPaths();
}

/** Says whose scripts will want it; to be called before any of them is read. */
function settle(root) {
  folder = root;
  lookThere();
}

/** Finds it, once. */
function home() {
  if (known) return known;
  const find = Module.createRequire(path.join(folder, 'script.js'));
  try {
    known = { express: find('express'), isReal: true };
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    known = { express: undefined, isReal: false };
  }
  if (!known.isReal) known.express = require('./express').express;
  known.bodies = known.isReal ? bodiesOf(known.express, find) : [];
  return known;
}

/** What reads bodies as the SDK had them read: JSON, and forms with what they nest. */
function bodiesOf(express, find) {
  const parser = typeof express.json === 'function' ? express : find('body-parser');
  return [parser.json({ limit: '64mb' }), parser.urlencoded({ extended: true, limit: '64mb' })];
}

let plain;

/** Gives a request that came past every application what Express gives it. */
function dress(req, res, app) {
  const { express, isReal } = home();
  if (!isReal) return void require('./express').dress(req, res);
  const on = app ?? (plain ??= express());
  req.res = res;
  res.req = req;
  Object.setPrototypeOf(req, on.request);
  Object.setPrototypeOf(res, on.response);
  res.locals ??= Object.create(null);
  req.params ??= {};
  if (!req.query) req.query = queryOf(req.url, on);
}

/** A query as the application reads it. */
function queryOf(url, app) {
  const at = url.indexOf('?');
  const parse = app.get('query parser fn');
  return parse ? parse(at < 0 ? '' : url.slice(at + 1)) : {};
}

module.exports = { settle, dress, queryOf, home };
