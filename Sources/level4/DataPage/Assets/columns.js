// A table's columns as a grid shows them: in which order, how wide, and which are hidden.
export const NARROWEST = 48, WIDEST = 1200, STEP = 16;
// What a column gets by itself at most.
const WIDEST_TEXT = 460;
const SYSTEM_ORDER = ["createdAt", "updatedAt", "version", "deleted"];
const WIDTHS = { boolean: 90, integer: 110, number: 110, decimal: 110, date: 212, dateOnly: 104, timeOnly: 124 };
const SYSTEM_WIDTHS = { createdAt: 112, updatedAt: 112, version: 96, deleted: 90 };
const CHARACTER = 7.4, MONOSPACED = 7.9, PADDING = 20;

export class Columns {
  #widths = new Map();
  #given = new Map();

  // `columns` as the schema tells them; widths that somebody chose are kept on this device by the table's name.
  constructor(table, columns) {
    this.key = "zumod-widths:" + table;
    const system = (name) => columns.filter((column) => column.name === name && column.isSystem);
    this.all = [...system("id"), ...columns.filter(({ isSystem }) => !isSystem),
      ...SYSTEM_ORDER.flatMap(system)];
    this.hidden = new Set();
    this.showsDeleted = false;
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "{}");
      for (const [name, width] of Object.entries(kept)) if (Number.isFinite(width)) this.#given.set(name, width);
    } catch {
      // What can't be read is as if nobody had chosen.
    }
  }

  get visible() {
    return this.all.filter((column) => !this.hidden.has(column.name)
      && (this.showsDeleted || column.name !== "deleted" || !column.isSystem));
  }

  named(name) {
    return this.all.find((column) => column.name === name);
  }

  // Columns that came by a dynamic schema since.
  learn(names) {
    const fresh = names.filter((name) => !this.named(name));
    if (fresh.length === 0) return false;
    const at = this.all.findIndex(({ isSystem, name }) => isSystem && name !== "id");
    this.all.splice(at < 0 ? this.all.length : at, 0,
      ...fresh.map((name) => ({ name, kind: "string", isSystem: false })));
    return true;
  }

  // First widths by what the first rows have; `text(column, row)` is what a cell would show.
  fit(rows, text, only = null) {
    for (const column of only ? [only] : this.all) {
      if (column.isSystem && column.name !== "id" && !only) continue;
      const longest = rows.slice(0, 100).reduce((most, row) => Math.max(most, text(column, row).length), 0);
      const isMonospaced = column.name === "id" || column.kind !== "string";
      const width = Math.max(column.name.length * 8 + PADDING + 24,
        longest * (isMonospaced ? MONOSPACED : CHARACTER) + PADDING);
      if (only) this.setWidth(column.name, width);
      else this.#widths.set(column.name, Math.round(Math.min(360, Math.max(WIDTHS[column.kind] ?? 120, width))));
    }
  }

  width(column) {
    return this.#given.get(column.name) ?? this.#widths.get(column.name)
      ?? (column.isSystem ? SYSTEM_WIDTHS[column.name] : WIDTHS[column.kind]) ?? 200;
  }

  setWidth(name, width) {
    this.#given.set(name, Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))));
    try {
      localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(this.#given)));
    } catch {
      // A browser that keeps nothing has them until the page is left.
    }
  }

  // What is left of the window goes to the columns with texts, as far as that helps.
  spread(space) {
    const wide = this.visible.filter(({ name, kind, isSystem }) =>
      kind === "string" && !isSystem && !this.#given.has(name));
    const share = Math.floor((space - this.totalWidth) / wide.length);
    if (wide.length === 0 || share < 8) return;
    for (const column of wide) this.#widths.set(column.name, Math.min(WIDEST_TEXT, this.width(column) + share));
  }

  // For the style of the grid: the mark at the front, the columns, and what is left.
  get template() {
    return `34px ${this.visible.map((column) => `${this.width(column)}px`).join(" ")} minmax(0, 1fr)`;
  }

  get totalWidth() {
    return 34 + this.visible.reduce((sum, column) => sum + this.width(column), 0);
  }
}
