// A recorded request as a command line of curl, which a shell takes as it is, whatever stands in it.

// What curl sets by itself, and what belongs to the connection and not to the request.
const OWN_FIELDS = new Set([
  "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
]);

// Quotes a text for bash, zsh and every shell that knows $'…'. Control characters, and those that turn the direction
// of text, are written as escapes: so what one pastes is what one sees, and no terminal takes it for a key.
export function quoteForShell(text) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!/[\p{Cc}\p{Cf}\u2028\u2029']/u.test(text)) return `'${text}'`;
  let quoted = "";
  for (const character of text) {
    if (character === "\n") quoted += "\\n";
    else if (character === "\t") quoted += "\\t";
    else if (character === "\\") quoted += "\\\\";
    // An exclamation mark calls up the history where a shell takes the quote before it for the end.
    else if (/[\p{Cc}\p{Cf}\u2028\u2029'!]/u.test(character)) quoted += escapedBytes(character);
    else quoted += character;
  }
  return `$'${quoted}'`;
}

// Octal, of three digits always: \x would take a following hexadecimal digit for its own.
function escapedBytes(character) {
  let text = "";
  for (const byte of new TextEncoder().encode(character)) text += "\\" + byte.toString(8).padStart(3, "0");
  return text;
}

// `origin` is where the page comes from: the recorded host may be a name that only another machine knows.
export function curlCommand(request, origin) {
  const parts = ["curl --globoff --path-as-is"];
  if (request.method === "HEAD") parts.push("--head");
  else parts.push("--request " + quoteForShell(request.method));
  for (const [name, value] of request.request.fields) {
    if (OWN_FIELDS.has(name.toLowerCase())) continue;
    // "Name:" would take the field away, "Name;" sends it empty.
    parts.push("--header " + quoteForShell(value === "" ? `${name};` : `${name}: ${value}`));
  }
  const { body, bodyBase64 } = request.request;
  if (typeof bodyBase64 === "string" && bodyBase64 !== "") {
    parts.push("--data-binary @-", quoteForShell(origin + request.target));
    return `printf %s ${quoteForShell(bodyBase64)} | base64 -d | ` + parts.join(" \\\n  ");
  }
  // --data-raw, since --data and --data-binary read a file where the text begins with @.
  if (typeof body === "string" && body !== "") parts.push("--data-raw " + quoteForShell(body));
  parts.push(quoteForShell(origin + request.target));
  return parts.join(" \\\n  ");
}
