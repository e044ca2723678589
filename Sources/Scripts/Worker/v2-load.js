'use strict';

// Reads the modules of the Node SDK: tables and APIs.

const fs = require('fs');
const path = require('path');
const Module = require('module');
const { apiOf } = require('./v2-api');
const { missingModules } = require('./resolve');
const { dataOf, definitionOf } = require('./table-definition');
const { operationsOf, run, tableOf, undeletesByUpdate } = require('./v2-table');

/** `require` as a script in the folder has it. */
const requireIn = (project) => Module.createRequire(path.join(project.root, 'script.js'));

/** What a module exports, and what the data beside it says: `{ code, data }` are files, each may be missing. */
function partsOf(project, { code, data }) {
  const read = (file) => fs.readFileSync(path.join(project.root, file), 'utf8');
  const parts = [];
  if (code) {
    const exported = requireIn(project)(path.join(project.root, code));
    parts.push({ file: code, value: exported?.default ?? exported, source: read(code) });
  }
  for (const file of data) {
    const source = read(file);
    try {
      parts.push({ file, value: dataOf(source), source, isData: true });
    } catch (error) {
      // Whom it keeps out isn't known.
      project.fault(file, null, `can't be read: ${error.message}`, true);
    }
  }
  return parts;
}

/** Reads a table: its module, its data, or both. */
function loadTable(project, group) {
  addTable(project, group.name, partsOf(project, group));
}

/** Serves a table. */
function addTable(project, fallback, parts) {
  const { name, value, definition, permissions, places, faults } = definitionOf('table', parts);
  const { file } = parts[0];
  const table = tableOf(value);
  if (!table) {
    const sentence = 'exports no table: module.exports = table, of require("azure-mobile-apps").table()';
    project.fault(file, null, sentence, true);
    return;
  }
  // What is beside a configuration's script is read there too, and told of.
  if (project.form !== 'config') for (const each of faults) project.fault(each.file, each.line, each.message, false);
  project.addTable({
    name: name ?? fallback, file, generation: 'v2', definition, permissions, places, operations: operationsOf(table),
    undeletesByUpdate: undeletesByUpdate(table), run: (call) => run(call, table, project),
  });
}

/** Reads an API: its module, and the levels that data beside it gives its verbs. */
function loadAPI(project, group) {
  addAPI(project, group.name, partsOf(project, group));
}

function addAPI(project, fallback, parts) {
  const { name, value, permissions, faults } = definitionOf('api', parts);
  const { file } = parts[0];
  for (const each of faults) project.fault(each.file, each.line, each.message, false);
  const api = apiOf(name ?? fallback, file, value, project, permissions);
  if (!api) {
    project.fault(file, null, 'exports no API: a function for a verb, such as exports.get = (req, res) => …', true);
    return;
  }
  project.addAPI(api);
}

/**
 * The modules and data of a folder, or of one file without its ending, by their names: `{ name, code, data }`. A path is from
 * the project's root.
 */
function groupsIn(project, given, isDeep) {
  const groups = new Map();
  const take = (file) => {
    const { name, ext } = path.parse(file);
    if (!['.js', '.json'].includes(ext) || name.startsWith('.')) return;
    // Names match in any case.
    const group = groups.get(name.toLowerCase()) ?? { name, code: undefined, data: [] };
    if (ext === '.json') group.data.push(file);
    else if (group.code) project.fault(file, null, `is of the same name as ${group.code}`, true);
    else Object.assign(group, { name, code: file });
    groups.set(name.toLowerCase(), group);
  };
  const walk = (folder) => {
    for (const entry of fs.readdirSync(path.join(project.root, folder), { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const isFolder = fs.statSync(path.join(project.root, file)).isDirectory();
      if (!isFolder) take(file);
      else if (isDeep && entry.name !== 'node_modules' && !entry.name.startsWith('.')) walk(file);
    }
  };
  const at = path.join(project.root, given);
  if (fs.existsSync(at) && fs.statSync(at).isDirectory()) {
    walk(given);
  } else {
    const stem = given.replace(/\.js(?:on)?$/, '');
    for (const file of [`${stem}.js`, `${stem}.json`]) if (fs.existsSync(path.join(project.root, file))) take(file);
  }
  return [...groups.values()];
}

/** Reads tables or APIs of a folder; what is wrong with one is a fault, and the others are served. */
async function importAll(project, given, load) {
  const relative = path.relative(project.root, path.resolve(project.root, given));
  const groups = groupsIn(project, relative, true);
  if (!groups.length) project.fault(relative, null, 'is imported and is not there', false);
  for (const group of groups) {
    if (!group.code) {
      try {
        load(project, group);
      } catch (error) {
        project.failed(group.data[0], error);
      }
      continue;
    }
    await project.reading(group.code, (source, at) => {
      for (const { name, line } of missingModules(at, source)) {
        project.fault(group.code, line, `requires '${name}'`, false);
      }
      load(project, group);
    });
  }
}

/** A script of a configuration's folder, with the data beside it. */
function besideIn(project, file) {
  const { dir, name } = path.parse(file);
  const data = fs.readdirSync(path.join(project.root, dir))
    .filter((each) => each.toLowerCase() === `${name.toLowerCase()}.json`).map((each) => path.join(dir, each));
  return { name, code: file, data };
}

module.exports = { loadTable, addTable, loadAPI, addAPI, importAll, besideIn, requireIn };
