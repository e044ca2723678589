// What is staged, shown as old and new before it is sent.
import { cellText } from "./cells.js";
import { el } from "./dom.js";
import { button, openDialog } from "./editdom.js";
import { valuesOf } from "./staging.js";

const MOST_SHOWN = 500;

// `send(changes, progress)` answers what is left to tell.
export function openReview(view, staging, { send }) {
  const said = view.words.edit;
  let isStopped = false;
  let isSending = false;
  const list = el("ul", { class: "diff" });
  const problem = el("p", { class: "problem", role: "alert" });
  const progress = el("p", { class: "quiet", role: "status" });
  const sendButton = button(said.send, () => go(), { class: "primary" });
  const discard = button(said.discard, () => {
    staging.clear();
    dialog.close();
  });
  const stop = button(said.stop, () => {
    isStopped = true;
  }, { hidden: true });
  // Not while changes are sent: of many, each that is done would draw all the others anew.
  const draw = () => {
    if (isSending) return;
    list.replaceChildren(...staging.all.slice(0, MOST_SHOWN).map((change) => item(view, staging, change)),
      staging.size > MOST_SHOWN ? el("li", { class: "quiet" }, said.more(staging.size - MOST_SHOWN)) : "");
    if (staging.size === 0) dialog?.close();
  };
  const go = async () => {
    isSending = true;
    isStopped = false;
    problem.textContent = "";
    [sendButton.disabled, discard.disabled, stop.hidden] = [true, true, false];
    try {
      const troubles = await send(staging.all, { isStopped: () => isStopped,
        progress: (done, all) => {
          progress.textContent = said.progress(done, all);
        } });
      problem.textContent = troubles.map(({ error }) => error).filter((text, place, all) => all.indexOf(text) === place)
        .join(" ");
    } catch (failure) {
      problem.textContent = failure.error ?? failure.message;
    }
    isSending = false;
    progress.textContent = "";
    [sendButton.disabled, discard.disabled, stop.hidden] = [false, false, true];
    draw();
  };
  let dialog = null;
  dialog = openDialog(view, { title: said.reviewTitle(staging.size), className: "review-dialog",
    closed: () => staging.removeEventListener("change", draw) },
  list, problem, progress,
  el("div", { class: "dialog-buttons" }, button(said.close, () => dialog.close()), stop, discard, sendButton));
  staging.addEventListener("change", draw);
  draw();
  sendButton.focus();
}

function item(view, staging, change) {
  const said = view.words.edit;
  const { kind, base, next, key } = change;
  const lines = [...valuesOf(change)].map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name),
    el("td", { class: "old" }, kind === "insert" ? "" : shown(said, base?.[name])),
    el("td", { class: "new" }, shown(said, value))));
  const name = change.id === null ? said.numbered : cellText(change.id);
  return el("li", { class: `diff-${kind}` },
    el("div", { class: "diff-head" },
      el("span", {}, el("strong", {}, said.kinds[kind]), next ? said.andThen(said.kinds[next.kind]) : "", " ",
        el("code", {}, name)),
      button(said.discardOne, () => staging.discard(key), { class: "small",
        "aria-label": said.discardRow(name) })),
    lines.length > 0 ? el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, said.column),
      el("th", { scope: "col" }, said.old), el("th", { scope: "col" }, said.new))), el("tbody", {}, lines)) : null);
}

// A value in a diff, null and the empty text told apart.
export function shown(said, value) {
  if (value === null || value === undefined) return el("em", { class: "quiet" }, said.null);
  if (value === "") return el("em", { class: "quiet" }, said.empty);
  const text = cellText(value);
  return text.length > 2000 ? text.slice(0, 2000) + "…" : text;
}
