'use strict';

// The Express that a project runs on: its own, else the one that Debian installs. Scripts of a configuration have as much
// of it as we have: no application is theirs.

const Module = require('module');
const path = require('path');

/** Where Debian keeps modules, which not every Node looks for. */
const DEBIAN = '/usr/share/nodejs';

let known;
let folder;

/** Has whatever isn't found elsewhere be looked for among Debian's modules. */
function lookThere() {
  const paths = (process.env.NODE_PATH ?? '').split(path.delimiter).filter(Boolean);
  if (paths.includes(DEBIAN)) return;
  process.env.NODE_PATH = [...paths, DEBIAN].join(path.delimiter);
  Module._initPaths();
}

/** Says whose scripts will want it; to be called before any of them is read. */
function settle({ root, form }) {
  folder = form === 'app' ? root : undefined;
  lookThere();
}

/** Finds it, once. */
function home() {
  if (known) return known;
  const own = { express: require('./express').express, isReal: false, bodies: [readAtOnce] };
  if (!folder) return known = own;
  const find = Module.createRequire(path.join(folder, 'script.js'));
  try {
    const express = find('express');
    known = { express, isReal: true, bodies: bodiesOf(express, find), response: writingOf(express) };
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    known = own;
  }
  return known;
}

/** How responses are written before the project's own code has changed anything. */
function writingOf({ response }) {
  return response && { write: response.write, end: response.end, json: response.json, send: response.send };
}

/** What reads bodies as the SDK had them read: JSON, and forms with what they nest. */
function bodiesOf(express, find) {
  const parser = typeof express.json === 'function' ? express : find('body-parser');
  return [parser.json({ limit: '64mb' }), parser.urlencoded({ extended: true, limit: '64mb' })];
}

/** Reads a body whose bytes are all there, as its type says. */
function readAtOnce(req, res, next) {
  const bytes = req.read() ?? Buffer.alloc(0);
  const type = String(req.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  // Marks it as read for the real body-parser.
  req._body = type === '' || /json$|^text\/|urlencoded$/.test(type);
  try {
    if (bytes.length === 0) req.body = {};
    else if (type === '' || type === 'application/json' || type.endsWith('+json')) {
      req.body = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    } else if (type === 'application/x-www-form-urlencoded') {
      req.body = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
    } else req.body = type.startsWith('text/') ? bytes.toString('utf8') : bytes;
  } catch (error) {
    error.status = 400;
    return next(error);
  }
  return next();
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

module.exports = { readAtOnce, settle, dress, queryOf, home };
