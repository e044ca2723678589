'use strict';

// One spelling for each address: what guards one in an application knows no other, and the server takes them all for the same.

/** What may stand in a part of a path as it is. */
const plain = (text) => encodeURIComponent(text)
  .replace(/%(2[14678-9BC]|3[ABD]|40)/g, (code) => decodeURIComponent(code));

const isASCII = (text) => /^[\x00-\x7f]*$/.test(text);

/** The parts of a path, decoded; undefined where it isn't one. */
function partsOf(path) {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Splits an address into its path, without a server's name, and what follows. */
function split(url) {
  const [, path, rest] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(url);
  return { path: path || '/', rest };
}

/** The address as an application is told of it. */
function plainAddress(url) {
  const { path, rest } = split(url);
  const parts = partsOf(path);
  return parts ? `/${parts.map(plain).join('/')}${rest}` : url;
}

/** What has a name, in any case. A letter beyond ASCII that has one of ASCII for its other case is another for Express. */
function named(map, name) {
  const folded = name.toLowerCase();
  return isASCII(folded) && !isASCII(name) ? undefined : map.get(folded);
}

/** What of a project the server itself takes an address for: a table, an API or undefined. */
function meantBy(url, project) {
  const [kind, name] = partsOf(split(url).path) ?? [];
  const known = new Map([['tables', project.tables], ['api', project.apis]]).get(kind?.toLowerCase());
  return known?.get((name ?? '').toLowerCase());
}

module.exports = { plainAddress, meantBy, named };
