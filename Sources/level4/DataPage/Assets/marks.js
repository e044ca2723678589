// Which rows arrived or changed while the view was open. They keep their place, so that nothing jumps under a reader.
import { identity } from "./pages.js";
import { comes } from "./rowstate.js";

export class Marks {
  #arrived = [];
  #elsewhere = 0;

  // `state()` is the view's {filter, order, deleted}.
  constructor(grid, words, state) {
    this.grid = grid;
    this.said = words.live;
    this.state = state;
    this.isFlooded = false;
  }

  clear() {
    this.grid.marks.clear();
    this.#arrived = [];
    this.#elsewhere = 0;
    this.isFlooded = false;
    this.grid.redraw();
  }

  flood() {
    this.isFlooded = true;
    this.grid.pages.invalidate();
    this.grid.redraw();
  }

  // Changed rows, oldest first, and the ids of those that fit the view's filter.
  take({ rows, fits }) {
    let arrived = 0;
    for (const row of rows) {
      const id = identity(row);
      const there = this.grid.pages.get(id);
      if (there?.version === row.version) continue;
      if (there) this.#change(row, id, there, fits);
      else if (fits.has(id) && (row.deleted !== true || this.state().deleted)) arrived += this.#arrive(row, id);
    }
    this.grid.redraw();
    if (arrived > 0) this.grid.announce(this.said.arrived(arrived));
  }

  #change(row, id, there, fits) {
    const isGone = row.deleted === true && there.deleted !== true;
    const wasNew = this.grid.marks.get(id) === "arrived" && !isGone && fits.has(id);
    if (!wasNew) this.grid.marks.set(id, isGone ? "gone" : fits.has(id) ? "changed" : "unfit");
    this.grid.replaceRow(row);
  }

  // A row that isn't in memory is new, or was changed far from what is seen; it is shown where it belongs.
  #arrive(row, id) {
    const { grid } = this;
    const place = this.#placeOf(row);
    if (place === null || !grid.insertRow(row, place)) {
      this.#elsewhere += 1;
      if (isNew(row) && grid.total !== null) grid.total += 1;
      return 1;
    }
    // An older row that was only changed was counted already.
    if (!isNew(row) && grid.total !== null && !grid.pages.isWhole) grid.total -= 1;
    grid.marks.set(id, isNew(row) ? "arrived" : "changed");
    this.#arrived.push(id);
    return 1;
  }

  // The index where a row belongs among those in memory, or null where that is beyond them.
  #placeOf(row) {
    const { pages } = this.grid;
    const { order } = this.state();
    let low = 0, high = pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = pages.row(middle);
      if (other === undefined) return this.#besideGap(row, order);
      if (comes(row, other, order) < 0) high = middle;
      else low = middle + 1;
    }
    return low === pages.length && !pages.isWhole ? null : low;
  }

  // Where pages are forgotten, only the very top can be told.
  #besideGap(row, order) {
    const first = this.grid.pages.row(0);
    return first !== undefined && comes(row, first, order) < 0 ? 0 : null;
  }

  // What the button says, or nothing: how many rows arrived that are not in sight.
  get words() {
    if (this.isFlooded) return this.said.many;
    const [first, last] = this.grid.window;
    // What was in sight once needs no button any more.
    this.#arrived = this.#arrived.filter((id) => {
      const index = this.grid.pages.indexOf(id);
      return index >= 0 && (index < first || index > last);
    });
    const hidden = this.#arrived.length + this.#elsewhere;
    return hidden > 0 ? this.said.arrived(hidden) : "";
  }

  // The next row to look at, each once.
  next() {
    return this.#arrived.pop() ?? null;
  }
}

// Made and never changed since: the server stamps both at an insert.
function isNew({ createdAt, updatedAt }) {
  return createdAt === updatedAt;
}
