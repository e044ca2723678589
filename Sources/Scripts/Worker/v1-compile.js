'use strict';

// Compiles a script of Mobile Services: sloppy code whose functions are found by their names, with the globals that the
// old servers gave them.

const path = require('path');
const vm = require('vm');
const Module = require('module');
const { SERVICES, TIMERS } = require('./v1-services');

const GIVEN = ['require', 'module', 'exports', '__filename', '__dirname'];

const RESERVED = new Set((
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends '
  + 'false finally for function if implements import in instanceof interface let new null package private protected '
  + 'public return static super switch this throw true try typeof undefined var void while with yield').split(' '));

const ASSIGNED = [
  /(?<![.\w$])([A-Za-z_$][\w$]*)\s*(?:=(?![=>])|(?:[-+*/%&|^]|<<|>>>?|\*\*|&&|\|\||\?\?)=|\+\+|--)/g,
  /(?:\+\+|--)\s*([A-Za-z_$][\w$]*)/g,
  /\bfor\s*\(\s*([A-Za-z_$][\w$]*)\s+(?:in|of)\b/g,
];

/**
 * Every name that a source gives a value to. They are declared around it: one that is declared within hides that, and
 * one that isn't stays the script's own, where it would be every script's.
 */
function assignedNames(source) {
  const names = new Set();
  for (const pattern of ASSIGNED) for (const match of source.matchAll(pattern)) names.add(match[1]);
  const given = [...GIVEN, ...Object.keys(SERVICES), ...Object.keys(TIMERS)];
  return [...names].filter((name) => !RESERVED.has(name) && !given.includes(name) && !(name in globalThis));
}

/** A script, ready to run. */
class Script {
  /** @param {string[]} names the functions that are asked for */
  constructor(project, file, source, names) {
    this.whole = path.join(project.root, file);
    const asked = names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name))
      .map((name) => `${name}: typeof ${name} === 'function' ? ${name} : undefined`);
    const text = source.replace(/^\uFEFF/, '').replace(/^#!/, '//');
    const own = assignedNames(text);
    // On the script's first line and behind its last, so that its lines keep their numbers.
    const head = `${own.length ? `var ${own.join(', ')}; ` : ''}return (function () { `;
    const tail = `\n;return { ${asked.join(', ')} };}).call(this);`;
    const parameters = [...GIVEN, ...Object.keys(SERVICES), ...Object.keys(TIMERS)];
    const place = { filename: this.whole, columnOffset: -head.length };
    this.body = vm.compileFunction(head + text + tail, parameters, place);
  }

  /**
   * Runs the outermost code, as the old servers did for every request: what a script keeps outside its functions is
   * this request's alone.
   * @returns the functions by their names, and `exports`
   */
  run() {
    const { whole } = this;
    const module = { exports: {}, filename: whole, id: whole, paths: [], children: [], loaded: true };
    const functions = this.body.call(
      module.exports, Module.createRequire(whole), module, module.exports, whole, path.dirname(whole),
      ...Object.values(SERVICES), ...Object.values(TIMERS));
    return { ...functions, exports: module.exports };
  }
}

module.exports = { Script };
