'use strict';

// Files of a project, some of which are none: folders that are called so, links to nothing or to themselves, and what
// this process may not read.

const fs = require('fs');

/** What a path leads to; undefined where nobody can tell. */
function statusOf(whole) {
  try {
    return fs.statSync(whole);
  } catch {
    return undefined;
  }
}

const isFile = (whole) => statusOf(whole)?.isFile() ?? false;
const isFolder = (whole) => statusOf(whole)?.isDirectory() ?? false;

/** The text of a file, or an error that says why there is none: a pipe, say, would never come to its end. */
function textIn(whole) {
  const status = fs.statSync(whole);
  if (status.isDirectory()) throw new Error('it is a folder');
  if (!status.isFile()) throw new Error('it is no file');
  return fs.readFileSync(whole, 'utf8');
}

/** The same of data, which has no place for a byte order mark. */
const dataIn = (whole) => textIn(whole).replace(/^\uFEFF/, '');

module.exports = { dataIn, isFile, isFolder, textIn };
