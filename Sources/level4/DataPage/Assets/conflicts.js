// A conflict that a device met: what it sent beside the row that was there.
import { encode } from "./api.js";
import { el } from "./dom.js";
import { same, write } from "./json.js";
import { timeElement } from "./times.js";

export function conflictDetail(conflict, words) {
  if (conflict === null) return [];
  const { sent, current } = conflict;
  const facts = [
    [words.status, words.conflictStatus[String(conflict.status)] ?? String(conflict.status)],
    [words.when, timeElement(conflict.at)],
    [words.installation, conflict.installation ?? words.none],
  ];
  const filter = `id eq '${String(conflict.id).replaceAll("'", "''")}'`;
  const address = `/_/tables/${encode(conflict.table)}?filter=${encode(filter)}&deleted=1`;
  return [
    el("div", { class: "panel-head" },
      el("h2", { class: "code" }, `${conflict.table} / ${conflict.id}`),
      el("a", { class: "button", href: address }, words.openRow)),
    el("dl", { class: "facts" }, ...facts.map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    isObject(sent) && isObject(current) ? comparison(sent, current, words) : texts(sent, current, words),
  ];
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value)
    && Object.getPrototypeOf(value) === null;
}

function comparison(sent, current, words) {
  const names = [...new Set([...Object.keys(sent), ...Object.keys(current)])];
  return el("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": words.versions },
    el("table", { class: "plain-table comparison" },
      el("caption", { class: "only-heard" }, words.versions),
      el("thead", {}, el("tr", {}, ...[words.column, words.sent, words.current].map((text) =>
        el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...names.map((name) => {
        const isSent = name in sent;
        const isThere = name in current;
        const differs = isSent && !(isThere && same(sent[name], current[name]));
        return el("tr", { class: differs ? "differs" : "" },
          el("th", { scope: "row", class: "code" }, name),
          cell(isSent, sent[name], words), cell(isThere, current[name], words));
      }))));
}

function cell(isThere, value, words) {
  return isThere ? el("td", { class: "code" }, write(value)) : el("td", { class: "quiet" }, words.absent);
}

// Where one of both is no row: a delete sends nothing, and a row may be gone.
function texts(sent, current, words) {
  const side = (title, value) => el("div", {}, el("h3", {}, title),
    value === null || value === undefined ? el("p", { class: "quiet" }, words.absent)
      : el("pre", { class: "code-block", tabindex: "0", role: "region", "aria-label": title }, write(value)));
  return el("div", { class: "two" }, side(words.sent, sent), side(words.current, current));
}
