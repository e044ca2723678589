'use strict';

// Where in a file a key is said, for whoever has to look for it: exact in JSON, a good guess in code.

const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The line of each key of a text of JSON, by the keys that lead to it with dots. */
function linesOfData(text) {
  const lines = new Map();
  const path = [];
  const isList = [];
  let [line, at, key] = [1, 0, undefined];
  for (const match of text.matchAll(TOKEN)) {
    line += text.slice(at, match.index).split('\n').length - 1;
    at = match.index;
    const token = match[0];
    if (token === '{' || token === '[') {
      isList.push(token === '[');
      path.push(key);
      key = undefined;
    } else if (token === '}' || token === ']') {
      isList.pop();
      path.pop();
      key = undefined;
    } else if (token === ',') {
      key = undefined;
    } else if (key === undefined && token[0] === '"' && !isList.at(-1)) {
      key = JSON.parse(token);
      const name = [...path, key].filter((each) => each !== undefined).join('.');
      lines.set(name, line);
    }
  }
  return lines;
}

const lineAt = (source, place) => source.slice(0, place).split('\n').length;

/** The line of a piece of code that says `access`, or `read.access`, of what it exports; null where it isn't found. */
function lineInCode(source, name, words) {
  const [key, word] = name.split('.').reverse();
  const owner = word ? `\\b${word}` : `\\b(?!(?:${words.join('|')})\\b)[\\w$]+`;
  const assigned = new RegExp(`${owner}\\s*(?:\\.\\s*${key}|\\[\\s*['"]${key}['"]\\s*\\])\\s*=(?!=)`, 'g');
  const found = [...source.matchAll(assigned)].at(-1);
  if (found) return lineAt(source, found.index);
  const member = `['"]?\\b${key}['"]?\\s*:`;
  const listed = new RegExp(word ? `\\b${word}['"]?\\s*:\\s*\\{[^{}]*?${member}` : member).exec(source);
  return listed ? lineAt(source, listed.index + listed[0].length) : null;
}

module.exports = { linesOfData, lineInCode, lineAt };
