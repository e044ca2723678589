'use strict';

// Imports of the SDK: what `require` is given here, `import` passes by. Node would load an installed one, which stores rows
// elsewhere, or find none.

const path = require('path');
const { isFile, textIn } = require('./source-files');
const { ownFiles, withoutComments } = require('./unsupported');
const { lineAt } = require('./written-lines');

const FROM = String.raw`[\w*{}$,\s]*?\bfrom\s*`;
const IMPORT = new RegExp(
  String.raw`(?:(?<=^|[;}\n])[ \t]*(?:import\s*(?:${FROM})?|export\s*${FROM})|\bimport\s*\(\s*)(['"\`])([^'"\`\n]+)\1`, 'g');
const SDK = /^azure-mobile-apps(?:\/(?!package)|$)/;

/** What a source imports, also later: `{ name, line }` each. */
function importsIn(source) {
  const text = withoutComments(source);
  return [...text.matchAll(IMPORT)].map((match) => ({
    name: match[2], line: lineAt(text, match.index + match[0].length),
  }));
}

/**
 * The first import of the SDK in a file, or in what that imports of the project's own.
 * @param {string} file from the root
 * @returns `{ file, line, message }`; undefined where there is none
 */
function sdkImport(root, file, source, seen = new Set([file])) {
  for (const { name, line } of importsIn(source)) {
    if (SDK.test(name)) {
      const message = `imports '${name}', which passes by what the server provides: write require('${name}'), which an ES `
        + "module has by import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)";
      return { file, line, message };
    }
    const other = /^\.{1,2}\//.test(name) ? path.join(path.dirname(file), name) : undefined;
    if (!other || seen.has(other) || !isFile(path.join(root, other))) continue;
    seen.add(other);
    const found = sdkImport(root, other, textIn(path.join(root, other)), seen);
    if (found) return found;
  }
  return undefined;
}

/** Looks for it in whatever of the project's own was read beside its tables and APIs. */
function lookForImports(project) {
  for (const file of ownFiles(project)) {
    const found = sdkImport(project.root, file, project.textOf(file) ?? '');
    const isKnown = project.faults.some((each) => each.file === found?.file && each.line === found?.line);
    if (found && !isKnown) project.fault(found.file, found.line, found.message, true);
  }
}

module.exports = { importsIn, lookForImports, sdkImport };
