// Filters of OData as conditions on rows in memory, as far as the scripts of these tests have them.

const TOKEN = /datetime'([^']*)'|'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)\b|([A-Za-z_]\w*)|([(),])|\s+/gy;
const OPERATORS = {
  eq: '===', ne: '!==', lt: '<', le: '<=', gt: '>', ge: '>=', and: '&&', or: '||', not: '!', add: '+', sub: '-',
};
const FUNCTIONS = {
  tolower: (text) => text?.toLowerCase(),
  length: (text) => text?.length,
  indexof: (text, part) => text?.indexOf(part),
  substringof: (part, text) => text?.includes(part) ?? false,
  startswith: (text, part) => text?.startsWith(part) ?? false,
};

export function matches(filter, row) {
  if (!filter) return true;
  const parts = [];
  for (const [, date, text, number, name, mark] of filter.matchAll(TOKEN)) {
    if (date !== undefined) parts.push(JSON.stringify(date));
    else if (text !== undefined) parts.push(JSON.stringify(text.replaceAll("''", "'")));
    else if (number !== undefined) parts.push(number);
    else if (mark) parts.push(mark);
    else if (name && OPERATORS[name]) parts.push(OPERATORS[name]);
    else if (name && FUNCTIONS[name]) parts.push(`functions.${name}`);
    else if (name && ['true', 'false', 'null'].includes(name)) parts.push(name);
    else if (name) parts.push(`(row.${name} ?? null)`);
  }
  return Boolean(new Function('row', 'functions', `return ${parts.join(' ')};`)(row, FUNCTIONS));
}
