'use strict';

// What `require('azure-mobile-apps')` gives: the SDK's own surface, over this server.

const { literal, Query } = require('./query');
const { makeApp } = require('./mobile-app');
const { textsOf } = require('./query-components');
const { makeTable } = require('./v2-table');
const { logger } = require('./v2-context');

const queries = {
  create: (table) => new Query(table),
  fromRequest: (req) => req.azureMobile.query,
  toOData: textsOf,
};

const sleep = (milliseconds, value) => new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));

const promises = {
  getConstructor: () => Promise,
  // There is one kind here.
  setConstructor() {},
  create: (body) => new Promise(body),
  resolved: (value) => Promise.resolve(value),
  rejected: (error) => Promise.reject(error),
  isPromise: (value) => typeof value?.then === 'function',
  sleep,
  delayed: sleep,
  wrap: (body, target) => (...values) => new Promise((resolve, reject) => {
    body.call(target, ...values, (error, result) => (error ? reject(error) : resolve(result)));
  }),
  all: (list) => Promise.all(list),
  async series(items, body) {
    const results = [];
    for (const [place, item] of (items ?? []).entries()) results.push(await body(item, place));
    return results;
  },
};

/** What a project's own code gets, with the project that its applications are a part of. */
function sdkOf(project) {
  const make = (configuration) => makeApp(project, configuration);
  return Object.assign((configuration) => make(configuration), {
    table: makeTable,
    api: (definition) => definition ?? {},
    create: make,
    express: Object.assign((configuration) => make(configuration), { table: makeTable }),
    query: queries,
    queries,
    promises,
    logger,
    literal,
    configuration: project.configuration,
  });
}

module.exports = { sdkOf, queries, promises };
