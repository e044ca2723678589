'use strict';

// Keys of a file that nobody knows: which one is meant, and whether it was to keep somebody out.

/** A key that somebody wrote to keep others out. */
const LOOKS_LIKE_RIGHT = /acc?ess?|auth(?!ors?$)|disab|permi|role|allow|deny|forbid|level|public|private|secur/i;

/** Keys of a table that keep rows or columns from somebody. */
const GUARDS = ['perUser', 'visible', 'writable'];

/** What people write for themselves. */
const NOTE = new RegExp('^(?:[/#$_@]|(?:comments?|descriptions?|notes?|titles?|summary|version|authors?|name|displayName|id|tags?'
  + '|date|(?:created|updated|modified|deleted).*)$)', 'i');

const bare = (name) => name.toLowerCase().replace(/[^a-z0-9*]/g, '');

/** Whether a letter too many, too few, exchanged or for another makes one word of the other. */
function isNear(one, other) {
  if (one.length < other.length) return isNear(other, one);
  let at = 0;
  while (at < other.length && one[at] === other[at]) at += 1;
  const [mine, theirs] = [one.slice(at), other.slice(at)];
  if (mine.length > theirs.length) return mine.slice(1) === theirs;
  const isSwapped = mine[0] === theirs[1] && mine[1] === theirs[0] && mine.slice(2) === theirs.slice(2);
  return isSwapped || mine.slice(1) === theirs.slice(1);
}

/**
 * The known key that one is meant for: the same in another case, or with a letter wrong; undefined where there is none.
 * @param {number} least the shortest key that may have a letter wrong
 */
function nearest(name, known, least = 6) {
  const written = bare(name);
  return known.find((each) => bare(each) === written)
    ?? known.find((each) => each.length >= least && isNear(written, bare(each)));
}

module.exports = { GUARDS, LOOKS_LIKE_RIGHT, NOTE, nearest };
