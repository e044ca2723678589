'use strict';

// The Express that scripts run on: that of their folder, else the one that Debian installs.

const Module = require('module');
const path = require('path');
const { runThrough } = require('./handlers');
const { makeExchange } = require('./http-exchange');

/** Where Debian keeps modules, which not every Node looks for. */
const DEBIAN = '/usr/share/nodejs';

let known;
let folder;
let isApp;

/** Has whatever isn't found elsewhere be looked for among Debian's modules. */
function lookThere() {
  const paths = (process.env.NODE_PATH ?? '').split(path.delimiter).filter(Boolean);
  if (paths.includes(DEBIAN)) return;
  process.env.NODE_PATH = [...paths, DEBIAN].join(path.delimiter);
  Module._initPaths();
}

/** Says whose scripts will want it; to be called before any of them is read. */
function settle({ root, form }) {
  folder = root;
  isApp = form === 'app';
  lookThere();
}

/** Loads it, once; where there is none the error says what to do. */
function home() {
  if (known) return known;
  const why = lacking();
  if (why) throw new Error(why);
  const find = Module.createRequire(path.join(folder, 'script.js'));
  const express = find('express');
  const parser = typeof express.json === 'function' ? express : find('body-parser');
  const { write, end, json, send } = express.response;
  return known = { express, bodies: bodiesOf(parser), response: { write, end, json, send } };
}

/** Why there is none; undefined where there is. It is not loaded for that: few folders use it in each of their workers. */
function lacking() {
  try {
    Module.createRequire(path.join(folder, 'script.js')).resolve('express');
    return undefined;
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') return error.message;
    return 'needs Express, and neither the folder nor the system has it: npm install express in the folder, '
      + 'or apt-get install node-express';
  }
}

/** What reads bodies as the SDK had them read: JSON, and forms with what they nest. */
function bodiesOf(parser) {
  const limit = '64mb';
  const form = parser.urlencoded({ extended: true, limit });
  if (isApp) return [parser.json({ limit }), form];
  // Nothing else reads bodies for the scripts of a folder: any value of JSON, also without a type, texts and bytes.
  const type = ({ headers }) => /^(?:$|application\/json|[^;]*\+json)\s*(?:;|$)/i.test(headers['content-type'] ?? '');
  return [parser.json({ type, limit, strict: false }), form, parser.text({ type: 'text/*', limit }),
    parser.raw({ type: '*/*', limit })];
}

/** Reads the body, unless what came before has. Gives what is wrong with it. */
async function readBody(req, res) {
  if (req.body === undefined || !req._body) {
    const error = await runThrough(home().bodies, req, res);
    if (error !== undefined) return { status: error.status ?? 400, message: error.message };
  }
  req.body ??= {};
  return undefined;
}

let plain;

/** The application of scripts that have none. */
function plainApp() {
  const app = home().express();
  if (!isApp) app.disable('etag');
  return app;
}

/** Gives a request that came past every application what Express gives it. */
function dress(req, res, app) {
  const on = app ?? (plain ??= plainApp());
  req.res = res;
  res.req = req;
  Object.setPrototypeOf(req, on.request);
  Object.setPrototypeOf(res, on.response);
  res.locals ??= Object.create(null);
  req.params ??= {};
  if (!req.query) req.query = queryOf(req.url, on);
}

/** The exchange of an API's call that came past every application. */
function exchangeOf(call, app) {
  const { request, body } = call.message;
  const exchange = makeExchange({
    method: request.method, url: request.url, fields: request.fields, body: Buffer.from(body ?? '', 'base64'),
    address: request.address, isSecured: request.secured,
  });
  dress(exchange.req, exchange.res, app);
  return exchange;
}

/** A query as the application reads it. */
function queryOf(url, app) {
  const at = url.indexOf('?');
  const parse = app.get('query parser fn');
  return parse ? parse(at < 0 ? '' : url.slice(at + 1)) : {};
}

module.exports = { dress, exchangeOf, home, lacking, queryOf, readBody, settle };
