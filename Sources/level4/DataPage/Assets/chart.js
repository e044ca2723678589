// A small chart of lines over the last minutes, drawn as SVG.
import { el, svg } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 84;
// Points further apart than this have a gap between them: nobody looked meanwhile.
const GAP_MILLISECONDS = 10_000;
export const WINDOW_MILLISECONDS = 5 * 60_000;
// At first the chart is as wide as a minute, or one would see nothing for long.
const SHORTEST_MILLISECONDS = 60_000;

// 1, 2 or 5 times a power of ten, so that the line at the top has a number one can read.
export function niceCeiling(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5, 10]) if (value <= step * power * (1 + 1e-9)) return step * power;
  return 10 * power;
}

export class LineChart {
  #title;
  #series;
  #format;
  #describe;
  #points = [];
  #shown = null;

  // `series` are {name, value(point), className}; `format` makes a text of a number or null; `describe` makes the
  // label for those who don't see the chart, of title and the newest values.
  constructor({ title, series, format, describe }) {
    this.#title = title;
    this.#series = series;
    this.#format = format;
    this.#describe = describe;
    this.top = el("span", { class: "chart-top" });
    this.bottom = el("span", { class: "chart-bottom" });
    this.when = el("span", { class: "chart-when" });
    this.plot = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.values = series.map(() => el("span", { class: "chart-value" }));
    const legend = el("div", { class: "chart-legend" }, ...series.map(({ name, className }, index) =>
      el("span", { class: `chart-series ${className}` }, el("span", { class: "chart-mark" }),
        series.length > 1 ? el("span", { class: "chart-name" }, name) : "", this.values[index])));
    this.element = el("figure", { class: "chart", role: "img" },
      el("div", { class: "chart-head" }, el("span", { class: "chart-title" }, title), this.when),
      legend,
      el("div", { class: "chart-plot" }, this.plot, this.top, this.bottom));
    this.element.addEventListener("pointermove", (event) => this.#point(event));
    this.element.addEventListener("pointerleave", () => {
      this.#shown = null;
      this.#tell();
      this.#draw();
    });
    this.draw([]);
  }

  draw(points) {
    this.#points = points;
    this.#draw();
    this.#tell();
  }

  get #range() {
    const end = this.#points.at(-1)?.at ?? 0;
    const length = Math.max(SHORTEST_MILLISECONDS, Math.min(WINDOW_MILLISECONDS, end - (this.#points[0]?.at ?? end)));
    return { start: end - length, length };
  }

  #draw() {
    const { start, length } = this.#range;
    const values = this.#points.flatMap((point) => this.#series.map(({ value }) => value(point)))
      .filter((value) => value !== null);
    const top = niceCeiling(Math.max(0, ...values));
    const low = Math.min(0, ...values);
    const bottom = low < 0 ? -niceCeiling(-low) : 0;
    const x = (at) => ((at - start) / length) * WIDTH;
    const y = (value) => HEIGHT - 2 - ((value - bottom) / (top - bottom)) * (HEIGHT - 4);
    const parts = [0, 0.5, 1].map((share) => {
      const height = 2 + share * (HEIGHT - 4);
      return svg("line", { class: "chart-rule", x1: 0, x2: WIDTH, y1: height, y2: height });
    });
    for (const { value, className } of this.#series) {
      for (const run of this.#runs(value)) {
        const line = run.map((point) => `${x(point.at).toFixed(2)},${y(value(point)).toFixed(2)}`);
        // A single point would be a line of no length, which is not drawn.
        if (line.length === 1) line.push(`${(x(run[0].at) + 1).toFixed(2)},${line[0].split(",")[1]}`);
        if (this.#series.length === 1) {
          const first = line[0].split(",")[0];
          const last = line.at(-1).split(",")[0];
          parts.push(svg("polygon", {
            class: `chart-area ${className}`,
            points: `${first},${y(0)} ${line.join(" ")} ${last},${y(0)}`,
          }));
        }
        parts.push(svg("polyline", { class: `chart-line ${className}`, points: line.join(" ") }));
      }
    }
    if (this.#shown) {
      const place = x(this.#shown.at);
      parts.push(svg("line", { class: "chart-pointer", x1: place, x2: place, y1: 0, y2: HEIGHT }));
    }
    this.plot.replaceChildren(...parts);
    this.top.textContent = values.length ? this.#format(top) : "";
    this.bottom.textContent = values.length && bottom < 0 ? this.#format(bottom) : "";
  }

  // Stretches without a gap.
  #runs(value) {
    const runs = [];
    let before = null;
    for (const point of this.#points) {
      if (value(point) === null) {
        before = null;
        continue;
      }
      if (before === null || point.at - before.at > GAP_MILLISECONDS) runs.push([]);
      runs.at(-1).push(point);
      before = point;
    }
    return runs;
  }

  #point(event) {
    const box = this.plot.getBoundingClientRect();
    const { start, length } = this.#range;
    const at = start + ((event.clientX - box.left) / box.width) * length;
    let nearest = null;
    for (const point of this.#points) {
      if (nearest === null || Math.abs(point.at - at) < Math.abs(nearest.at - at)) nearest = point;
    }
    if (nearest === this.#shown) return;
    this.#shown = nearest;
    this.#tell();
    this.#draw();
  }

  // The values beside the names: the newest, or those under the pointer.
  #tell() {
    const newest = this.#points.at(-1) ?? null;
    const told = this.#shown ?? newest;
    const text = ({ value }, point) => this.#format(point === null ? null : value(point));
    this.#series.forEach((series, index) => { this.values[index].textContent = text(series, told); });
    this.when.textContent = this.#shown ? new Date(this.#shown.at).toLocaleTimeString() : "";
    this.element.setAttribute("aria-label", this.#describe(this.#title,
      this.#series.map((series) => ({ name: series.name, text: text(series, newest) }))));
  }
}
