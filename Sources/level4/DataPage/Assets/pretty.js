// JSON laid out in lines, character by character: no number, escape or order of members changes.
import { parse, write } from "./json.js";

export function pretty(value) {
  return layOut(write(value));
}

// The text as it is where it isn't JSON, or too long to be read by anybody.
export function prettyText(text) {
  if (text.length > 1_000_000) return text;
  try {
    parse(text);
  } catch {
    return text;
  }
  return layOut(text);
}

function layOut(text) {
  const parts = [];
  let depth = 0;
  const newLine = () => parts.push("\n" + "  ".repeat(depth));
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') {
      const end = stringEnd(text, place);
      parts.push(text.slice(place, end));
      place = end - 1;
    } else if (character === "{" || character === "[") {
      const next = skipSpace(text, place + 1);
      if (text[next] === "}" || text[next] === "]") {
        parts.push(character + text[next]);
        place = next;
      } else {
        parts.push(character);
        depth += 1;
        newLine();
      }
    } else if (character === "}" || character === "]") {
      depth -= 1;
      newLine();
      parts.push(character);
    } else if (character === ",") {
      parts.push(",");
      newLine();
    } else if (character === ":") parts.push(": ");
    else if (!isSpace(character)) parts.push(character);
  }
  return parts.join("");
}

function stringEnd(text, start) {
  let place = start + 1;
  while (text[place] !== '"') place += text[place] === "\\" ? 2 : 1;
  return place + 1;
}

function skipSpace(text, start) {
  let place = start;
  while (isSpace(text[place])) place += 1;
  return place;
}

function isSpace(character) {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}
