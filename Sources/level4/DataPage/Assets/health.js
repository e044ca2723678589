// How the server is: charts of what its counters did in the last minutes, and the end of its log.
import { LineChart, WINDOW_MILLISECONDS } from "./chart.js";
import { el } from "./dom.js";
import { drawable, Meter } from "./meter.js";
import { askAgain, pollWhileVisible } from "./poll.js";

const POLL_MILLISECONDS = 2000;
const KEPT_LINES = 200;

// Kept while one is at another view: the lines go on from there.
const meter = new Meter();
let points = [];

export async function show(root, context) {
  const view = new HealthView(root, context);
  const stop = pollWhileVisible(POLL_MILLISECONDS, () => view.load());
  return { leave: stop };
}

class HealthView {
  #last = "0";
  #follows = true;

  constructor(root, { api, words }) {
    this.api = api;
    this.words = words.health;
    this.about = el("p", { class: "view-about", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.charts = this.makeCharts();
    this.lines = el("ol", { class: "log-lines", role: "log", "aria-live": "off", tabindex: "0",
      "aria-label": this.words.log });
    this.lines.addEventListener("scroll", () => {
      this.#follows = this.lines.scrollTop + this.lines.clientHeight >= this.lines.scrollHeight - 8;
      this.newest.hidden = this.#follows;
    });
    this.newest = el("button", { type: "button", class: "log-newest" }, this.words.newest);
    this.newest.hidden = true;
    this.newest.addEventListener("click", () => {
      this.lines.scrollTop = this.lines.scrollHeight;
      this.lines.focus();
    });
    root.replaceChildren(
      el("header", { class: "view-head" }, el("h1", {}, this.words.title), this.about),
      this.problem,
      el("div", { class: "charts" }, ...this.charts.map(({ element }) => element)),
      el("section", { class: "log-panel" },
        el("div", { class: "panel-head" }, el("h2", {}, this.words.log), this.newest), this.lines));
    for (const chart of this.charts) chart.draw(points);
  }

  makeCharts() {
    const { words } = this;
    const chart = (title, format, ...series) => new LineChart({
      title, format, describe: words.describe,
      series: series.map(([name, value, className]) => ({ name, value, className })),
    });
    const ofClass = (name) => (point) => point.classes[name] ?? null;
    this.pool = chart(words.pool, words.whole, [words.busy, (point) => point.poolBusy, "line-1"],
      [words.waiting, (point) => point.poolWaiting, "line-4"], [words.size, (point) => point.poolSize, "line-2"]);
    return [
      chart(words.requests, words.rate, ["2xx", ofClass("2xx"), "line-1"], ["3xx", ofClass("3xx"), "line-2"],
        ["4xx", ofClass("4xx"), "line-3"], ["5xx", ofClass("5xx"), "line-4"]),
      chart(words.errors, words.rate, [words.errors, (point) => point.errors, "line-4"]),
      chart(words.latency, words.milliseconds, ["p50", (point) => point.p50, "line-1"],
        ["p95", (point) => point.p95, "line-3"], ["p99", (point) => point.p99, "line-4"]),
      chart(words.commits, words.rate, [words.commits, (point) => point.commits, "line-1"]),
      chart(words.connections, words.whole, [words.connections, (point) => point.connections, "line-2"]),
      this.pool,
      chart(words.drift, words.seconds, [words.drift, (point) => point.drift, "line-3"]),
      chart(words.memory, words.bytes, [words.memory, (point) => point.memory, "line-2"]),
    ];
  }

  async load() {
    try {
      const [health, log] = await Promise.all([
        askAgain(this.api, "health"), askAgain(this.api, "log?after=" + this.#last)]);
      this.problem.textContent = "";
      this.takeHealth(health.body);
      this.takeLog(log.body);
    } catch (failure) {
      this.problem.textContent = failure.error ?? failure.message;
    }
  }

  takeHealth(snapshot) {
    const point = meter.take(snapshot);
    if (point !== null) {
      points = [...points, point].filter(({ at }) => at > point.at - WINDOW_MILLISECONDS);
      for (const chart of this.charts) chart.draw(points);
    }
    // A database in a file has no connections.
    this.pool.element.hidden = snapshot.pool === null;
    const isReady = snapshot.store === "ready";
    const text = this.words.about(isReady, String(snapshot.store), drawable(snapshot.uptimeSeconds) ?? 0);
    // A status is read out when it changes, so it isn't written where it's the same.
    if (this.about.textContent !== text) this.about.textContent = text;
    this.about.classList.toggle("bad", !isReady);
  }

  takeLog({ last, lines }) {
    if (drawable(last) < drawable(this.#last)) this.lines.replaceChildren();
    this.#last = String(last);
    if (lines.length === 0) return;
    const height = this.lines.scrollHeight;
    this.lines.append(...lines.slice(-KEPT_LINES).map((line) => this.line(line)));
    const top = this.lines.scrollTop;
    const before = this.lines.scrollHeight;
    while (this.lines.childElementCount > KEPT_LINES) this.lines.firstElementChild.remove();
    if (this.#follows || height === 0) this.lines.scrollTop = this.lines.scrollHeight;
    // What one reads stays where it is, though lines above it went away.
    else this.lines.scrollTop = top - (before - this.lines.scrollHeight);
  }

  line({ at, level, text }) {
    const time = new Date(at);
    // A line that begins with its time and level says so once.
    const said = text.startsWith(`${at} ${level} `) ? text.slice(at.length + level.length + 2) : text;
    const shown = Number.isNaN(time.getTime()) ? at : time.toLocaleTimeString(undefined, { hour12: false });
    return el("li", { class: "log-line level-" + level.replace(/[^a-z]/g, "") },
      el("time", { datetime: at, title: at }, shown), el("span", { class: "log-level" }, level),
      el("span", { class: "log-text" }, said));
  }
}
