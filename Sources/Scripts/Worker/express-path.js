'use strict';

// The paths of routes: `/items/:id`, `/*`, `/a(b)?`-like ones as regular expressions.

/** What tells whether a path is meant, and what its parts are. */
function matcherOf(path, isWhole) {
  if (path instanceof RegExp) {
    return (text) => {
      const match = path.exec(text);
      return match && { params: { ...match.slice(1) }, length: match[0].length };
    };
  }
  if (Array.isArray(path)) {
    const all = path.map((one) => matcherOf(one, isWhole));
    return (text) => {
      for (const match of all) {
        const found = match(text);
        if (found) return found;
      }
      return null;
    };
  }
  const names = [];
  const plain = path.replace(/\/+$/, '');
  const source = plain.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\/:(\w+)\\?(\?)?/g, (_, name, isOptional) => {
      names.push(name);
      return isOptional ? '(?:/([^/]+))?' : '/([^/]+)';
    })
    .replace(/\*/g, () => {
      names.push(String(names.filter((name) => /^\d+$/.test(name)).length));
      return '(.*)';
    });
  const pattern = new RegExp(`^${source}${isWhole ? '/?$' : '(?=/|$)'}`, 'i');
  return (text) => {
    const match = pattern.exec(text);
    if (!match) return null;
    const params = {};
    names.forEach((name, place) => {
      if (match[place + 1] !== undefined) params[name] = decodeURIComponent(match[place + 1]);
    });
    return { params, length: match[0].length };
  };
}

module.exports = { matcherOf };
