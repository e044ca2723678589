// The most frequent values of a column: how often each is there, and a click that keeps only rows with it.
import { encode } from "./api.js";
import { el, popover } from "./dom.js";
import { literal } from "./filtertext.js";
import { exactText } from "./look.js";
import { grouped } from "./tables.js";

const LONGEST = 120;

// `state` is the view's {filter, deleted}; `choose(condition)` is told of a condition to add.
export async function openFacets(anchor, { api, words, table, column, state, choose }) {
  const said = words.facets;
  const stop = new AbortController();
  const body = el("div", { class: "facet-list", tabindex: "-1", autofocus: true },
    el("p", { class: "quiet" }, said.loading));
  const panel = popover(anchor, [el("h2", {}, said.title(column.name)), body],
    { className: "facets", label: said.title(column.name), onclose: () => stop.abort() });
  try {
    const query = [`column=${encode(column.name)}`];
    if (state.filter !== "") query.push(`filter=${encode(state.filter)}`);
    if (state.deleted) query.push("deleted=1");
    const answer = await api.get(`tables/${encode(table)}/values?${query.join("&")}`, { signal: stop.signal });
    body.replaceChildren(...list(answer.body, column, said, (condition) => {
      panel.close();
      choose(condition);
    }));
    panel.place();
    (body.querySelector("button") ?? body).focus();
  } catch (failure) {
    if (failure.name !== "AbortError") {
      body.replaceChildren(el("p", { class: "problem", role: "alert" }, failure.error ?? failure.message));
    }
  }
}

function list({ values, isWhole }, column, said, choose) {
  if (values.length === 0) return [el("p", { class: "quiet" }, said.none)];
  const counts = values.map(({ count }) => Number(String(count)));
  const most = Math.max(...counts);
  return [
    el("ul", {}, values.map(({ value, count }, place) => {
      const isEmpty = value === null || value === "";
      const text = value === null ? said.null : value === "" ? said.empty : exactText(value);
      const short = text.length > LONGEST ? text.slice(0, LONGEST) + "…" : text;
      const condition = literal(value, column.kind);
      return el("li", {}, el("button", { type: "button", class: "facet", disabled: condition === null,
        title: said.only(short), click: () => choose(`${column.name} eq ${condition}`) },
      el("span", { class: "facet-bar", "aria-hidden": "true",
        style: { inlineSize: `${Math.max(1, 100 * counts[place] / most)}%` } }),
      el("span", { class: isEmpty ? "facet-value quiet" : "facet-value" }, short),
      el("span", { class: "facet-count" }, grouped(String(count)))));
    })),
    el("p", { class: "quiet" }, isWhole ? said.whole : said.part)];
}
