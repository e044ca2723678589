'use strict';

// Compiles a script of Mobile Services: sloppy code whose functions are found by their names, with the globals that the
// old servers gave them.

const path = require('path');
const vm = require('vm');
const Module = require('module');
const { SERVICES, TIMERS } = require('./v1-services');

const GIVEN = ['require', 'module', 'exports', '__filename', '__dirname'];

/** Where a script leaves what finds its functions: a name that none has. */
const COLLECT = '$zumod_functions';

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

/** Whether a source begins with the directive, before which nothing may stand. */
const isStrict = (text) => /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*(['"])use strict\1/.test(text);

/** The name that a source declares by `let`, `const` or `class` though it is one that every script is given. */
const redeclared = (error) => error instanceof SyntaxError
  && /^Identifier '(.+)' has already been declared$/.exec(error.message)?.[1];

/** A script, ready to run. */
class Script {
  /** @param {string[]} names the functions that are asked for */
  constructor(project, file, source, names) {
    this.whole = path.join(project.root, file);
    this.text = source.replace(/^\uFEFF/, '').replace(/^#!/, '//');
    const asked = names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name))
      .map((name) => `${name}: typeof ${name} === 'function' ? ${name} : undefined`);
    this.collected = `{ ${asked.join(', ')} }`;
    this.body = this.compiled([...GIVEN, ...Object.keys(SERVICES), ...Object.keys(TIMERS)]);
  }

  /**
   * As the old servers had it, the source is the body of the function that is given `require` and the others: `var
   * require` declares nothing new, and `return` ends it. Its functions are asked for behind it, whatever became of them.
   * @param {string[]} inner the names that are parameters of the body itself; `let` of one of them declares another
   */
  compiled(parameters, inner = parameters) {
    const own = assignedNames(this.text);
    // On the script's first line and behind its last, so that its lines keep their numbers.
    const around = own.length ? `var ${own.join(', ')}; ` : '';
    const strict = isStrict(this.text) ? "'use strict'; " : '';
    const ask = `${COLLECT}[0] = function () { return ${this.collected}; }; `;
    const head = `${around}(function (${inner.join(', ')}) { ${strict}${ask}`;
    const tail = `\n}).call(${['this', ...inner].join(', ')});`;
    const opening = `(function (${[...parameters, COLLECT].join(', ')}) {${head}`;
    // vm.compileFunction takes no negative offset before Node 20.
    const place = { filename: this.whole, columnOffset: -opening.length };
    try {
      return new vm.Script(`${opening}${this.text}${tail}})`, place).runInThisContext();
    } catch (error) {
      const name = redeclared(error);
      if (!inner.includes(name)) throw error;
      return this.compiled(parameters, inner.filter((each) => each !== name));
    }
  }

  /**
   * Runs the outermost code, as the old servers did for every request: what a script keeps outside its functions is
   * this request's alone.
   * @returns the functions by their names, and `exports`
   */
  run() {
    const { whole } = this;
    const module = { exports: {}, filename: whole, id: whole, paths: [], children: [], loaded: true };
    const collect = [];
    this.body.call(
      module.exports, Module.createRequire(whole), module, module.exports, whole, path.dirname(whole),
      ...Object.values(SERVICES), ...Object.values(TIMERS), collect);
    return { ...collect[0](), exports: module.exports };
  }
}

module.exports = { Script };
