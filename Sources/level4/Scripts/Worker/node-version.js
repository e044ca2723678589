'use strict';

// Whether this Node is one that scripts run in, and what a project says of it.

/** The oldest that is tried. */
const LEAST = '18.18.0';

/** A version or a part of one, as numbers: `18.x` is `[18]`. */
const parts = (text) => {
  const numbers = [];
  for (const each of text.replace(/^v/, '').split(/[-+]/)[0].split('.')) {
    if (!/^\d+$/.test(each)) break;
    numbers.push(Number(each));
  }
  return numbers;
};

/** Less than 0 where a version is older than another, of which only the parts count that are there. */
const compare = (version, other) => {
  const known = parts(version);
  for (const [place, number] of parts(other).entries()) {
    if (known[place] !== number) return (known[place] ?? 0) - number;
  }
  return 0;
};

/** The version that a range's `^` or `~` ends before. */
const endOf = (sign, given) => {
  const [major, minor] = parts(given);
  if (sign === '~' && minor !== undefined) return `${major}.${minor}`;
  return major === 0 && minor ? `0.${minor}` : String(major);
};

function fulfils(version, comparator) {
  const [, sign, given] = /^([<>=^~]*)\s*v?(.*)$/.exec(comparator);
  if (parts(given).length === 0) return true;
  const order = compare(version, given);
  switch (sign) {
    case '>': return order > 0;
    case '>=': return order >= 0;
    case '<': return order < 0;
    case '<=': return order <= 0;
    case '^': case '~': return order >= 0 && compare(version, endOf(sign, given)) === 0;
    default: return order === 0;
  }
}

/** Whether a version is within a range, as package.json writes them. */
const isWithin = (version, range) => range.split('||').some((each) => each
  .replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2').replace(/([<>=^~])\s+/g, '$1').trim().split(/\s+/)
  .every((comparator) => fulfils(version, comparator)));

/** What is wrong with this Node, for whoever starts the server; undefined where nothing is. */
function refusal(version) {
  return compare(version, LEAST) < 0
    ? `Node ${version} is too old for scripts: it has to be ${LEAST} or later; install it, or name it by scripts.node`
    : undefined;
}

module.exports = { isWithin, refusal };
