'use strict';

// Routes as Express 3 read them: later ones take `*` and `:name?` otherwise or not at all, and which of them a folder's
// scripts find is not theirs to say.

const PART = /(\/)?(\.)?:(\w+)(\([^)]*\))?(\?)?(\*)?|\/\(|[(/.]|\*/g;

/** What a route means: a pattern, and the names of its groups, null for those without. */
function patternOf(route) {
  const names = [];
  const source = `${route}/?`.replace(PART, (part, slash = '', point, name, group, isOptional, isDeep) => {
    if (name !== undefined) {
      const before = slash && '\\/';
      const value = group ?? (point ? '([^/.]+?)' : '([^/]+?)');
      names.push(name);
      if (isDeep) names.push(null);
      const inner = `${isOptional ? before : ''}${point ? '\\.' : ''}${value}`;
      return `${isOptional ? '' : before}(?:${inner})${isOptional ?? ''}${isDeep ? '(\\/.*)?' : ''}`;
    }
    if (part === '/(') return '(?:\\/';
    if (part === '/' || part === '.') return `\\${part}`;
    names.push(null);
    return part === '*' ? '(.*)' : part;
  });
  return { pattern: new RegExp(`^${source}$`, 'i'), names };
}

/** What a path has for the groups: a list of those without a name, with the others as members, as it was then. */
function paramsOf({ pattern, names }, path) {
  const params = [];
  (pattern.exec(path) ?? []).slice(1).forEach((text, place) => {
    const value = text === undefined ? undefined : decodeURIComponent(text);
    if (names[place]) params[names[place]] = value;
    else params.push(value);
  });
  return params;
}

module.exports = { paramsOf, patternOf };
