'use strict';

// Reads the modules of the Node SDK: tables and APIs.

const fs = require('fs');
const path = require('path');
const Module = require('module');
const { apiOf } = require('./v2-api');
const {
  levelOf, definitionOf, operationsOf, run, tableOf, undeletesByUpdate,
} = require('./v2-table');

/** `require` as a script in the folder has it. */
const requireIn = (project) => Module.createRequire(path.join(project.root, 'script.js'));

/** Reads a table's module. */
function loadTable(project, file) {
  const exported = requireIn(project)(path.join(project.root, file));
  addTable(project, path.basename(file, '.js'), file, exported?.default ?? exported);
}

/** Serves a table that was defined by code. */
function addTable(project, fallback, file, exported) {
  const table = tableOf(exported);
  if (!table) {
    const sentence = 'exports no table: module.exports = table, of require("azure-mobile-apps").table()';
    project.fault(file, null, sentence, true);
    return;
  }
  const name = typeof table.name === 'string' && table.name ? table.name : fallback;
  project.addTable({
    name, file, generation: 'v2', definition: definitionOf(table), operations: operationsOf(table),
    undeletesByUpdate: undeletesByUpdate(table), run: (call) => run(call, table, project),
  });
}

/** Reads an API's module, and the levels that a file beside it gives its verbs. */
function loadAPI(project, file) {
  const exported = requireIn(project)(path.join(project.root, file));
  addAPI(project, path.basename(file, '.js'), file, exported?.default ?? exported);
}

function addAPI(project, name, file, exported) {
  const api = apiOf(name, file, exported, project);
  if (!api) {
    project.fault(file, null, 'exports no API: a function for a verb, such as exports.get = (req, res) => …', true);
    return;
  }
  const beside = path.join(project.root, file.replace(/\.js$/, '.json'));
  if (fs.existsSync(beside)) {
    const levels = JSON.parse(fs.readFileSync(beside, 'utf8'));
    for (const verb of Object.keys(api.verbs)) {
      // What the code says itself counts.
      if (api.verbs[verb] !== 'anonymous') continue;
      api.verbs[verb] = levelOf(levels[verb] ?? {}) ?? levelOf(levels) ?? 'anonymous';
    }
  }
  project.addAPI(api);
}

module.exports = { loadTable, addTable, loadAPI, addAPI, requireIn };
