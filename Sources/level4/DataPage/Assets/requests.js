// The last requests of this server, while it is told to record them, and the conflicts, which are always kept.
import { ChoiceList } from "./choices.js";
import { copyText } from "./clipboard.js";
import { conflictDetail } from "./conflicts.js";
import { curlCommand } from "./curl.js";
import { el } from "./dom.js";
import { drawable } from "./meter.js";
import { askAgain, pollWhileVisible } from "./poll.js";
import { prettyText } from "./pretty.js";
import { timeElement } from "./times.js";

const POLL_MILLISECONDS = 2000;
const KEPT = 500;
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"];
const CLASSES = ["2xx", "3xx", "4xx", "5xx"];

export async function show(root, context) {
  const view = new RequestsView(root, context);
  const stop = pollWhileVisible(POLL_MILLISECONDS, () => view.load());
  return { leave: stop };
}

class RequestsView {
  #requests = [];
  #last = "0";
  #conflicts = [];
  #conflictsText = "";
  #isRecording = null;
  #tab = "requests";
  #tables = "";

  constructor(root, { api, words, announce }) {
    this.api = api;
    this.words = words.requests;
    this.announce = announce;
    const { words: said } = this;
    this.switch = el("button", { type: "button", class: "switch", role: "switch", "aria-checked": "false" },
      el("span", { class: "switch-track" }), said.record);
    this.switch.addEventListener("click", () => this.turn(this.#isRecording !== true));
    this.clear = el("button", { type: "button" }, said.clear);
    this.clear.addEventListener("click", () => this.forget());
    this.about = el("p", { class: "view-about" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.filter = el("input", { type: "search", "aria-label": said.filter, placeholder: said.filterHint });
    this.method = this.select(said.method, said.everyMethod, METHODS.map((name) => [name, name]));
    this.status = this.select(said.status, said.everyStatus, CLASSES.map((name) => [name, said.classes[name]]));
    this.table = this.select(said.table, said.everyTable, []);
    for (const control of [this.filter, this.method, this.status, this.table]) {
      control.addEventListener("input", () => this.draw());
    }
    this.count = el("span", { class: "quiet", role: "status" });
    this.tabs = ["requests", "conflicts"].map((name) => this.tab(name));
    this.empty = el("p", { class: "empty" });
    this.requestList = new ChoiceList({
      label: said.requestList, key: ({ number }) => String(number),
      describe: (request) => this.requestLine(request), chose: (request) => this.showRequest(request),
    });
    this.conflictList = new ChoiceList({
      label: said.conflictList, key: ({ number }) => String(number),
      describe: (conflict) => this.conflictLine(conflict),
      chose: (conflict) => this.detail.replaceChildren(...conflictDetail(conflict, said)),
    });
    this.detail = el("section", { class: "detail", "aria-label": said.detail });
    this.requestTools = el("div", { class: "view-tools" }, this.filter, this.method, this.status, this.table);
    root.replaceChildren(
      el("header", { class: "view-head" }, el("h1", {}, said.title), this.about),
      el("div", { class: "view-tools" }, this.switch,
        el("a", { class: "button", href: "/_/api/requests.har", download: "requests.har" }, said.har), this.clear),
      this.problem,
      el("div", { class: "tabs", role: "tablist", "aria-label": said.tabs }, ...this.tabs),
      this.requestTools, this.count,
      el("div", { class: "split" },
        el("div", { class: "split-list" }, this.requestList.element, this.conflictList.element, this.empty),
        this.detail));
    this.draw();
  }

  select(label, every, values) {
    return el("select", { "aria-label": label }, el("option", { value: "" }, every),
      ...values.map(([value, text]) => el("option", { value }, text)));
  }

  tab(name) {
    const tab = el("button", { type: "button", role: "tab", class: "tab" });
    tab.addEventListener("click", () => this.open(name));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = name === "requests" ? "conflicts" : "requests";
      this.open(other);
      this.tabs[other === "requests" ? 0 : 1].focus();
    });
    return tab;
  }

  open(name) {
    this.#tab = name;
    this.detail.replaceChildren();
    this.draw();
  }

  async load() {
    try {
      const [{ body }, conflicts] = await Promise.all([
        askAgain(this.api, "requests?after=" + this.#last), askAgain(this.api, "conflicts")]);
      this.problem.textContent = "";
      const isFirst = this.#isRecording === null;
      this.take(body);
      const isNew = conflicts.text !== this.#conflictsText;
      this.#conflictsText = conflicts.text;
      this.#conflicts = [...conflicts.body.conflicts]
        .sort((one, other) => drawable(other.number) - drawable(one.number));
      if (isFirst || isNew || body.requests.length > 0) this.draw();
    } catch (failure) {
      this.problem.textContent = failure.error ?? failure.message;
    }
  }

  take({ isRecording, last, requests }) {
    // Numbers that go back are those of a server that began anew.
    if (drawable(last) < drawable(this.#last)) this.#requests = [];
    this.#last = String(last);
    this.#isRecording = isRecording;
    const known = new Set(this.#requests.map(({ number }) => String(number)));
    this.#requests = [...this.#requests, ...requests.filter(({ number }) => !known.has(String(number)))].slice(-KEPT);
    this.switch.setAttribute("aria-checked", String(isRecording));
    this.about.textContent = isRecording ? this.words.aboutOn : this.words.aboutOff;
  }

  async turn(isRecording) {
    try {
      const { body } = await this.api.send("PUT", "requests", { isRecording });
      this.take(body);
      this.draw();
      this.announce(isRecording ? this.words.turnedOn : this.words.turnedOff);
    } catch (failure) {
      this.problem.textContent = failure.error ?? failure.message;
    }
  }

  async forget() {
    try {
      await this.api.send("DELETE", "requests");
      this.#requests = [];
      this.detail.replaceChildren();
      this.draw();
      this.announce(this.words.cleared);
    } catch (failure) {
      this.problem.textContent = failure.error ?? failure.message;
    }
  }

  isWanted(request) {
    if (this.method.value !== "" && request.method !== this.method.value) return false;
    if (this.status.value !== "" && statusClass(request.status) !== this.status.value) return false;
    if (this.table.value !== "" && request.table !== this.table.value) return false;
    const wanted = this.filter.value.trim().toLowerCase();
    if (wanted === "") return true;
    const side = ({ fields, body }) => [body, ...fields.flat()];
    return [request.method + " " + request.target, String(request.status), request.operation, request.address,
      ...side(request.request), ...side(request.response)].some((text) => (text ?? "").toLowerCase().includes(wanted));
  }

  draw() {
    const isRequests = this.#tab === "requests";
    const { words } = this;
    const texts = [words.requestsTab(this.#requests.length), words.conflictsTab(this.#conflicts.length)];
    this.tabs.forEach((tab, index) => {
      const isOpen = isRequests === (index === 0);
      tab.textContent = texts[index];
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
    });
    this.drawTables();
    const wanted = this.#requests.filter((request) => this.isWanted(request)).reverse();
    this.requestTools.hidden = !isRequests;
    this.requestList.element.hidden = !isRequests || wanted.length === 0;
    this.conflictList.element.hidden = isRequests || this.#conflicts.length === 0;
    this.requestList.show(isRequests ? wanted : []);
    this.conflictList.show(isRequests ? [] : this.#conflicts);
    this.empty.textContent = isRequests
      ? (this.#requests.length ? words.noneFits : this.#isRecording ? words.noneYet : words.notRecording)
      : words.noConflicts;
    this.empty.hidden = (isRequests ? wanted : this.#conflicts).length > 0;
    this.count.textContent = isRequests && this.#requests.length > 0
      ? words.count(wanted.length, this.#requests.length) : "";
    if (this.detail.childElementCount === 0) {
      const hasSome = (isRequests ? wanted : this.#conflicts).length > 0;
      this.detail.replaceChildren(...hasSome ? [el("p", { class: "empty" }, words.chooseOne)] : []);
    }
  }

  drawTables() {
    const names = [...new Set(this.#requests.map(({ table }) => table).filter((name) => name !== null))].sort();
    const text = names.join("\n");
    if (text === this.#tables) return;
    this.#tables = text;
    const chosen = this.table.value;
    this.table.replaceChildren(el("option", { value: "" }, this.words.everyTable),
      ...names.map((name) => el("option", { value: name }, name)));
    this.table.value = names.includes(chosen) ? chosen : "";
  }

  requestLine(request) {
    return [
      el("span", { class: "choice-status " + statusLook(request.status) }, String(request.status)),
      el("span", { class: "choice-method" }, request.method),
      el("span", { class: "choice-target" }, readable(request.target)),
      el("span", { class: "choice-aside" }, this.words.milliseconds(drawable(request.micros) / 1000)),
    ];
  }

  conflictLine(conflict) {
    return [
      el("span", { class: "choice-status bad" }, String(conflict.status)),
      el("span", { class: "choice-method" }, conflict.table),
      el("span", { class: "choice-target" }, String(conflict.id)),
      el("span", { class: "choice-aside" }, timeElement(conflict.at)),
    ];
  }

  showRequest(request) {
    const { words } = this;
    if (request === null) return;
    const copy = el("button", { type: "button" }, words.copy);
    copy.addEventListener("click", async () => {
      const isDone = await copyText(curlCommand(request, location.origin));
      this.announce(isDone ? words.copied : words.notCopied);
    });
    const facts = [
      [words.status, el("span", { class: statusLook(request.status) }, String(request.status))],
      [words.took, words.milliseconds(drawable(request.micros) / 1000)],
      [words.when, timeElement(request.at)],
      [words.table, request.table ?? words.none],
      [words.operation, request.operation ?? words.none],
      [words.generation, request.generation ?? words.none],
      [words.address, request.address ?? words.none],
    ];
    this.detail.replaceChildren(
      el("div", { class: "panel-head" },
        el("h2", { class: "code" }, `${request.method} ${request.target}`), copy),
      el("dl", { class: "facts" }, ...facts.map(([name, value]) =>
        el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      ...this.query(request.target),
      ...this.side(words.request, request.request), ...this.side(words.response, request.response));
  }

  // The options of the query, decoded.
  query(target) {
    const options = [...new URLSearchParams(target.split("?").slice(1).join("?"))];
    if (options.length === 0) return [];
    return [el("h3", {}, this.words.query), el("table", { class: "plain-table headers" },
      el("caption", { class: "only-heard" }, this.words.query),
      el("tbody", {}, ...options.map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "code" }, value)))))];
  }

  side(title, { fields, body, bodyBase64, bodyLength, isCut }) {
    const { words } = this;
    const headers = el("table", { class: "plain-table headers" },
      el("caption", { class: "only-heard" }, words.headersOf(title)),
      el("tbody", {}, ...fields.map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "code" }, value)))));
    const isBinary = typeof bodyBase64 === "string" && bodyBase64 !== "";
    const text = isBinary ? bodyBase64 : prettyText(body ?? "");
    const length = String(bodyLength);
    return [
      el("h3", {}, title),
      fields.length ? el("div", { class: "table-frame", tabindex: "0", role: "region",
        "aria-label": words.headersOf(title) }, headers) : "",
      text === "" ? el("p", { class: "quiet" }, words.noBody)
        : el("pre", { class: "code-block", tabindex: "0", role: "region", "aria-label": words.bodyOf(title) }, text),
      isBinary ? el("p", { class: "quiet" }, words.binary(length)) : "",
      isCut ? el("p", { class: "quiet" }, words.cut(length)) : "",
    ];
  }
}

// The target without its escapes, where they are of text.
function readable(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function statusClass(status) {
  return String(status).slice(0, 1) + "xx";
}

function statusLook(status) {
  return { "2xx": "good", "3xx": "plain", "4xx": "late", "5xx": "bad" }[statusClass(status)] ?? "plain";
}
