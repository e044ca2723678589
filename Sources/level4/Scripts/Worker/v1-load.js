'use strict';

// Reads the scripts of Mobile Services: of a whole service's folder, or one by one.

const fs = require('fs');
const path = require('path');
const { lacking } = require('./express-home');
const { Script } = require('./v1-compile');
const { routeLevel, unknownLevels } = require('./v1-levels');
const { Schedule } = require('./schedule');
const { statusCodes } = require('./status-codes');
const { nameTables } = require('./v1-named-tables');
const { columnOf } = require('./v1-rows');
const { rulesBeside, writtenBeside } = require('./v1-rules');
const { config } = require('./v1-services');
const { loadExtensions } = require('./v1-startup');

const OPERATIONS = { insert: 'insert', read: 'read', update: 'update', delete: 'del', undelete: 'undelete' };
const FILE_OF_OPERATION = /^(.+)\.(insert|read|update|delete|del|undelete)$/i;

/** What a table may be called. */
const NAME = /^[A-Za-z_]\w{0,127}$/;

/** Whether a source is a table's script of Mobile Services: bare functions, and no module. */
const isTable = (source) => /^\s*(?:async\s+)?function\s+(?:insert|read|update|del|delete|undelete)\s*\(/m.test(source)
  && !/\bmodule\.exports\b/.test(source) && !/require\(\s*['"]azure-mobile-apps/.test(source);

const OLD_VERB =
  /exports\.(?:get|post|put|patch|delete|all)\s*=\s*(?:async\s+)?function\s*\w*\s*\(\s*request\s*,\s*response\s*\)/;

/** Whether a source is an API of Mobile Services, by words that the Node SDK has no use for. */
const isAPI = (source) => /\bexports\.register\s*=/.test(source) || OLD_VERB.test(source)
  || /\b(?:req|request)\.service\.(?:tables|mssql|push|config)\b/.test(source);

/** The script of a table's name, beside which its rules are. */
const scriptOf = (file) => path.join(path.dirname(file), `${namesOf(file).name}.js`);

/** Where the levels of a table are said. */
function placesOf(project, file) {
  const rules = rulesBeside(project, scriptOf(file), 'table');
  return rules === undefined ? {} : Object.fromEntries(
    Object.keys(OPERATIONS).map((operation) => [`${operation}.access`, rules.place('/', operation)]));
}

/** The name of a table whose file's name may say the operation too. */
function namesOf(file) {
  const base = path.basename(file).replace(/\.js(?:on)?$/i, '');
  const match = FILE_OF_OPERATION.exec(base);
  if (!match) return { name: base };
  const operation = match[2].toLowerCase();
  return { name: match[1], operation: operation === 'del' ? 'delete' : operation };
}

/** Reads one file of a table's scripts: one function, or several. */
function loadTable(project, file, source, given) {
  const { name, operation } = namesOf(file);
  const known = project.tables.get(name.toLowerCase());
  const table = known?.bodies ? known : {
    name, file, generation: 'v1', operations: new Set(), bodies: {}, files: {}, definition: given ?? configured(project, file),
    places: given ? placesOf(project, file) : {},
    run: (call) => require('./v1-table').run(call, table, project),
  };
  const wanted = operation ? { [operation]: OPERATIONS[operation] } : OPERATIONS;
  const script = new Script(project, file, source, Object.values(OPERATIONS));
  const functions = script.run();
  if (!operation && project.form === 'service' && !Object.values(wanted).some((word) => functions[word])) {
    project.fault(file, null, 'is no script of a table, as its name has no operation: it is passed over', false);
    return;
  }
  for (const each of Object.keys(wanted)) {
    const word = wanted[each];
    if (!functions[word]) continue;
    if (table.bodies[each]) project.fault(file, null, `has another ${word} for table ${name}; this one counts`, false);
    // Anew for each request, so that it keeps nothing of the one before.
    table.bodies[each] = () => script.run()[word];
    table.operations.add(each);
    table.files[each] = file;
  }
  undeletingByUpdate(table);
  if (operation && !table.bodies[operation]) {
    project.fault(file, null, `has no function ${OPERATIONS[operation]}, which its name promises`, true);
  }
  if (!known) project.addTable(table);
}

/** The old servers ran a table's update script for an undelete, where it has none for that. */
function undeletingByUpdate(table) {
  const { bodies, files, operations } = table;
  table.undeletesByUpdate = operations.has('update') && !bodies.undelete;
  if (!table.undeletesByUpdate) return;
  operations.add('undelete');
  files.undelete = files.update;
}

/**
 * What stands beside a script in the folder of a configuration, where the words are those of Mobile Services. The server
 * reads it too, and takes no key there that it doesn't know.
 */
function configured(project, file) {
  const written = writtenBeside(project, scriptOf(file));
  const rules = written?.value;
  for (const word of unknownLevels(rules)) {
    const sentence = `'${word}' is no level: public, application, user or admin; nobody is let in`;
    project.fault(written.file, null, sentence, false);
  }
  const isOld = rules && (rules.routes || /"permission"\s*:/.test(JSON.stringify(rules)));
  return isOld ? { access: accessOf((operation) => routeLevel(rules, '/', operation, 'application')) } : {};
}

/** Reads an API. */
function loadAPI(project, file, source) {
  // A folder of a configuration has no application key unless somebody wants one.
  const fallback = project.form === 'service' ? 'application' : 'anonymous';
  project.addAPI(require('./v1-api').apiOf(project, file, source, rulesBeside(project, file, 'api'), fallback));
}

/** Reads a job. */
function loadJob(project, file, source) {
  const name = path.basename(file, '.js');
  const names = [...source.matchAll(/^(?:async\s+)?function\s+([A-Za-z_$][\w$]*)/gm)].map((match) => match[1]);
  const word = names.find((each) => each === name) ?? names.find((each) => each.toLowerCase() === name.toLowerCase())
    ?? (names.length === 1 ? names[0] : name);
  const script = new Script(project, file, source, [word]);
  const bodyOf = () => {
    const { [word]: body, exports } = script.run();
    return body ?? exports;
  };
  if (typeof bodyOf() !== 'function') {
    project.fault(file, null, `has no function ${name}, by which a job begins`, true);
    return;
  }
  let schedule;
  try {
    const written = writtenBeside(project, file);
    schedule = written && new Schedule(name, written, (...fault) => project.fault(...fault));
  } catch (error) {
    if (!error.fault) throw error;
  }
  const place = schedule && { file: schedule.file, line: schedule.lineOf('cron') };
  const run = (call) => require('./v1-job').run(call, () => bodyOf()(), project);
  project.addJob({ name, file, cron: schedule?.cron ?? null, place, run });
}

/** Reads the jobs in a folder. */
async function loadJobs(project, folder) {
  for (const file of project.files(folder)) {
    await project.reading(file, (source) => loadJob(project, file, source));
  }
  noteAlone(project, folder, 'job');
}

/** Tells of files that are beside no script, so that what they say is about nothing. */
function noteAlone(project, folder, kind) {
  const scripts = new Set(project.files(folder).map((file) => path.basename(file, '.js').toLowerCase()));
  for (const name of project.namesIn(folder).filter((each) => each.endsWith('.json') && !each.startsWith('.'))) {
    const own = path.basename(name, '.json');
    if (scripts.has(own.toLowerCase())) continue;
    const sentence = `counts for nothing: the script of the ${kind}, ${own}.js, isn't beside it`;
    project.fault(path.join(folder, name), null, sentence, false);
  }
}

/** Reads the folder of a service. */
async function loadService(project) {
  const at = fs.existsSync(path.join(project.root, 'service')) ? 'service' : '';
  const folder = path.join(at, 'table');
  const defined = project.namesIn(folder);
  for (const file of project.files(folder)) {
    const before = project.faults.length;
    await project.reading(file, (source) => loadTable(project, file, source, definitionOf(project, file)));
    project.standFor(file, before, (fail) => standForTable(project, file, fail));
  }
  // A table may have rules and no script.
  for (const entry of defined.filter((each) => each.endsWith('.json'))) {
    const { name } = namesOf(entry);
    const file = path.join(folder, entry);
    if (project.tables.has(name.toLowerCase())) continue;
    if (!NAME.test(name)) {
      project.fault(file, null, `'${name}' is no name of a table: it is passed over`, false);
      continue;
    }
    const before = project.faults.length;
    try {
      const [definition, places] = [definitionOf(project, file), placesOf(project, file)];
      project.addTable({ name, file, generation: 'v1', operations: new Set(), definition, places });
    } catch (error) {
      project.failed(file, error);
    }
    project.standFor(file, before, (fail) => standForTable(project, file, fail));
  }
  const apis = project.files(path.join(at, 'api'));
  const lack = apis.length ? lacking() : undefined;
  if (lack) project.fault(apis[0], null, lack, true);
  else for (const file of apis) {
    const before = project.faults.length;
    await project.reading(file, (source) => loadAPI(project, file, source));
    project.standFor(file, before, (fail) => standForAPI(project, file, fail));
  }
  noteAlone(project, path.join(at, 'api'), 'API');
  await loadJobs(project, path.join(at, 'scheduler'));
  nameTables(project, at);
  await loadExtensions(project, path.join(at, 'extensions'));
}

/**
 * Has the operations of a table fail whose script can't be read; what others say of it counts.
 * @returns the status of what is refused before that, where its rules can't be read
 */
function standForTable(project, file, fail) {
  const { name, operation } = namesOf(file);
  const known = project.tables.get(name.toLowerCase());
  const table = known?.bodies ? known : {
    name, file, generation: 'v1', operations: new Set(), bodies: {}, files: {}, definition: {},
    run: (call) => require('./v1-table').run(call, table, project),
  };
  for (const each of operation ? [operation] : Object.keys(OPERATIONS)) {
    table.bodies[each] = fail;
    table.operations.add(each);
    table.files[each] = file;
  }
  undeletingByUpdate(table);
  if (known) return undefined;
  let status;
  try {
    table.definition = definitionOf(project, file);
  } catch (error) {
    // Whom it keeps out isn't known.
    status = 405;
    const place = { file: error.fault?.file ?? file, line: null };
    Object.assign(table, { definition: { access: 'disabled' }, places: { access: place } });
    if (error.fault) project.serveAround(error.fault, status);
  }
  project.addTable(table);
  return status;
}

/** The same of an API. */
function standForAPI(project, file, fail) {
  const name = path.basename(file, '.js');
  if (project.apis.has(name.toLowerCase())) return;
  const verbs = Object.fromEntries(['get', 'post', 'put', 'patch', 'delete'].map((verb) => [verb, 'anonymous']));
  project.addAPI({ name, file, generation: 'v1', verbs, isBroken: true, run: fail });
}

/** Who may do what with a table. */
const accessOf = (levelOf) => Object.fromEntries(
  Object.keys(OPERATIONS).map((operation) => [operation, levelOf(operation)]));

/** A table's indexes, each a column or a list of them, over the columns that it declares: no other is the app's own. */
function indexesOver(declared, indexes) {
  const own = new Set(declared.map((name) => name.toLowerCase()));
  const named = (name) => (typeof name === 'string' && own.has(name.toLowerCase()) ? columnOf(name) : name);
  return indexes.map((index) => (Array.isArray(index) ? index.map(named) : named(index)));
}

/** What a service says of a table. */
function definitionOf(project, file) {
  const said = rulesBeside(project, scriptOf(file), 'table');
  const access = accessOf((operation) => said?.level('/', operation, 'application') ?? 'application');
  const definition = { access, dynamicSchema: true };
  const rules = said?.value ?? {};
  for (const name of ['softDelete', 'columns', 'indexes', 'autoIncrement', 'dynamicSchema']) {
    if (rules[name] !== undefined) definition[name] = rules[name];
  }
  if (typeof rules.columns === 'object' && rules.columns !== null && !Array.isArray(rules.columns)) {
    definition.columns = Object.fromEntries(
      Object.entries(rules.columns).map(([name, column]) => [columnOf(name), column]));
    if (Array.isArray(rules.indexes)) definition.indexes = indexesOver(Object.keys(rules.columns), rules.indexes);
  }
  if (rules.enableSoftDelete !== undefined) definition.softDelete = rules.enableSoftDelete;
  return definition;
}

/** The modules of the old servers. */
function provide(project) {
  const { keep, replace } = require('./resolve');
  replace('mobileservice-config', config());
  if (project.form === 'service') {
    keep('crypto', require('./old-crypto'), project.root);
    require('./mssql').tellEach();
    require('./v1-tables').settle(project);
  }
  // The only one that shared scripts had too.
  globalThis.statusCodes ??= statusCodes;
}

module.exports = { isTable, isAPI, loadTable, loadAPI, loadJobs, loadService, provide };
