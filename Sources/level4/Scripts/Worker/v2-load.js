'use strict';

// Reads the modules of the Node SDK: tables and APIs.

const fs = require('fs');
const path = require('path');
const Module = require('module');
const { lacking } = require('./express-home');
const { withoutKept } = require('./kept-columns');
const { apiOf } = require('./v2-api');
const { missingModules } = require('./resolve');
const { isFolder, textIn } = require('./source-files');
const { dataOf, definitionOf } = require('./table-definition');
const { runAlone } = require('./v2-operation');
const { operationsOf, tableOf, undeletesByUpdate, OPERATIONS } = require('./v2-table');

/** `require` as a script in the folder has it. */
const requireIn = (project) => Module.createRequire(path.join(project.root, 'script.js'));

/**
 * What a module exports, and what the data beside it says: `{ code, data }` are files, each may be missing. Nothing
 * where data can't be read.
 */
function partsOf(project, { code, data }) {
  const read = (file) => textIn(path.join(project.root, file));
  const parts = [];
  if (code) {
    const exported = requireIn(project)(path.join(project.root, code));
    parts.push({ file: code, value: exported?.default ?? exported, source: read(code) });
  }
  for (const file of data) {
    try {
      const source = read(file);
      parts.push({ file, value: dataOf(source), source, isData: true });
    } catch (error) {
      // Whom it keeps out isn't known, so that nothing is served of it.
      return void project.fault(file, null, `can't be read: ${error.message}`, true);
    }
  }
  return parts;
}

/** Reads a table: its module, its data, or both. */
function loadTable(project, group, configuration) {
  const parts = partsOf(project, group);
  if (parts) addTable(project, group.name, parts, configuration);
}

/**
 * Serves a table.
 * @param {object} [configuration] that of the application which it is a part of
 */
function addTable(project, fallback, parts, configuration) {
  const { file } = parts[0];
  const isEmpty = parts.every(({ value }) => value === undefined || isBare(value));
  // On the old platform a module that exports nothing was a table too.
  if (isEmpty && configuration && file !== project.main) {
    project.fault(file, null, 'exports nothing: its table is as all are that nobody defines', false);
  }
  const { name: given, value, definition: said, permissions, places, faults } = definitionOf('table', parts);
  const live = isEmpty && !configuration ? undefined : tableOf(value);
  if (!live) {
    const sentence = 'exports no table: module.exports = table, of require("azure-mobile-apps").table()';
    project.fault(file, null, sentence, true);
    return;
  }
  // What is beside a configuration's script is read there too, and told of.
  const told = project.form === 'config' ? faults.filter((each) => each.file === file) : faults;
  for (const each of told) project.fault(each.file, each.line, each.message, false);
  const name = given ?? fallback;
  const definition = project.form === 'config' ? said
    : withoutKept(said, (message) => project.fault(file, null, message, false));
  const lack = lacking();
  // What looks at neither does without.
  if (lack) project.fault(file, null, `${lack}: context.req, context.res and what is used around operations fail`, false);
  live.name = name;
  const table = {
    name, file, generation: 'v2', live, permissions, places,
    definition: withDefaults(definition, project, configuration),
    operations: operationsOf(live), undeletesByUpdate: undeletesByUpdate(live), configuration,
    run: (call) => runAlone(call, call.message, table, project),
  };
  project.addTable(table);
  if (configuration) configuration.tables[name] = live;
}

const isBare = (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** A definition with what its application says of all tables. */
function withDefaults(definition, project, configuration) {
  if (!configuration) return definition;
  const whole = { ...definition };
  for (const key of ['pageSize', 'maxTop', 'userIdColumn']) {
    // What a project leaves as it was is as the server has it.
    if (whole[key] === undefined && configuration[key] !== project.configuration[key]) whole[key] = configuration[key];
  }
  if (whole.dynamicSchema === undefined && configuration.data?.dynamicSchema === false) whole.dynamicSchema = false;
  // Rows that are old at once are so as soon as there is a moment to tell.
  const life = Object.values(whole.recordsExpire ?? {});
  if (life.length && life.every((count) => count === 0)) whole.recordsExpire = { milliseconds: 1 };
  return whole;
}

/** Reads an API: its module, and the levels that data beside it gives its verbs. */
function loadAPI(project, group, configuration) {
  const parts = group.code ? partsOf(project, group) : undefined;
  if (parts) addAPI(project, group.name, parts, configuration);
}

function addAPI(project, fallback, parts, configuration) {
  const { name, value, permissions, faults } = definitionOf('api', parts);
  const { file } = parts[0];
  for (const each of faults) project.fault(each.file, each.line, each.message, false);
  const api = apiOf(name ?? fallback, file, value, permissions, project);
  if (!api) {
    const sentence = 'exports no API: a function for a verb, such as exports.get = (req, res) => …';
    // On the old platform it was passed over.
    project.fault(file, null, configuration ? `${sentence}; nothing is served under its name` : sentence, !configuration);
    return;
  }
  Object.assign(api, { configuration, permissions });
  project.addAPI(api);
}

/**
 * The modules and data of a folder, or of one file without its ending, by their names: `{ name, code, data }`. A path
 * is from the project's root.
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
  const walk = (folder, around) => {
    const real = fs.realpathSync(path.join(project.root, folder));
    if (around.includes(real)) {
      return project.fault(folder, null, 'is a link to a folder around it, and is passed over', false);
    }
    for (const name of project.namesIn(folder)) {
      const file = path.join(folder, name);
      if (name.startsWith('.')) continue;
      if (!isFolder(path.join(project.root, file))) take(file);
      else if (isDeep && name !== 'node_modules') walk(file, [...around, real]);
    }
    return undefined;
  };
  if (isFolder(path.join(project.root, given))) {
    walk(given, []);
  } else {
    const stem = given.replace(/\.js(?:on)?$/, '');
    for (const file of [`${stem}.js`, `${stem}.json`]) if (fs.existsSync(path.join(project.root, file))) take(file);
  }
  return [...groups.values()];
}

/** Where an import is, from the root: beside the main file, as in the SDK, else in the project's folder. */
function placeOfImport(project, given, configuration) {
  const beside = path.dirname(path.join(project.root, project.main ?? ''));
  const places = [configuration?.basePath, beside, project.root].filter(Boolean)
    .map((each) => path.resolve(each, given)).filter((each) => each.startsWith(project.root));
  const isThere = (place) => [place, `${place}.js`, `${place}.json`].some((each) => fs.existsSync(each));
  return path.relative(project.root, places.find(isThere) ?? path.resolve(project.root, given));
}

/** Reads tables or APIs of a folder; what is wrong with one is told, and the others are served. */
function importAll(project, given, kind, configuration) {
  const load = kind === 'table' ? loadTable : loadAPI;
  const relative = placeOfImport(project, given, configuration);
  const groups = groupsIn(project, relative, true);
  if (!groups.length && !project.faults.some(({ file }) => file === relative)) {
    project.fault(relative, null, 'is imported and is not there', false);
  }
  for (const group of groups) {
    const before = project.faults.length;
    project.readingNow(group.code ?? group.data[0], (source, at) => {
      if (group.code) {
        for (const { name, line } of missingModules(at, source)) {
          project.fault(group.code, line, `requires '${name}'`, false);
        }
      }
      load(project, group, configuration);
    });
    project.standFor(group.code ?? group.data[0], before, (fail) => standIn(project, group, kind, fail, configuration));
  }
}

function standIn(project, group, kind, fail, configuration) {
  const known = project.of(kind);
  const name = group.name.toLowerCase();
  if (known.has(name)) return;
  const value = Object.fromEntries((kind === 'table' ? OPERATIONS : ['all']).map((each) => [each, fail]));
  const part = { file: group.code ?? group.data[0], value, source: '' };
  (kind === 'table' ? addTable : addAPI)(project, group.name, [part], configuration);
  Object.assign(known.get(name) ?? {}, { isBroken: true });
}

/** A script of a configuration's folder, with the data beside it. */
function besideIn(project, file) {
  const { dir, name } = path.parse(file);
  const data = project.namesIn(dir)
    .filter((each) => each.toLowerCase() === `${name.toLowerCase()}.json`).map((each) => path.join(dir, each));
  return { name, code: file, data };
}

module.exports = { loadTable, addTable, loadAPI, addAPI, importAll, besideIn, requireIn };
