// A labelled field for a value of a column, with a switch for null.
import { cellText, parseCell } from "./cells.js";
import { el, freshId } from "./dom.js";

export class ValueField {
  // `isUntouched` where the field is to be left out unless somebody writes in it.
  constructor(words, column, value, { isUntouched = false } = {}) {
    const said = words.edit;
    this.column = column;
    this.isTouched = !isUntouched;
    const id = freshId("field");
    const hint = freshId("hint");
    const isLong = column.kind === "string";
    this.input = el(isLong ? "textarea" : "input", { id, autocomplete: "off", spellcheck: "false",
      "aria-describedby": hint, "aria-label": column.name, rows: isLong ? "2" : null });
    this.input.value = cellText(value);
    this.null = el("input", { type: "checkbox", "aria-label": said.nullOf(column.name) });
    this.null.checked = value === null || value === undefined;
    this.problem = el("p", { class: "problem", role: "alert", id: hint });
    this.element = el("div", { class: "value-field" },
      el("label", { for: id }, column.name, " ", el("span", { class: "quiet" }, words.schema.kinds[column.kind] ?? "")),
      el("div", { class: "value-inputs" }, this.input, el("label", { class: "tick" }, this.null, said.null)),
      this.problem);
    this.input.addEventListener("input", () => {
      this.isTouched = true;
      this.null.checked = false;
      this.#say("");
    });
    this.null.addEventListener("change", () => {
      this.isTouched = true;
      if (this.null.checked) this.input.value = "";
      this.#say("");
    });
  }

  // {value}, or nothing where what is written is no value of the column, which is said then.
  read() {
    if (this.null.checked) return { value: null };
    if (this.input.value === "" && this.column.kind !== "string") return { value: null };
    const parsed = parseCell(this.column.kind, this.input.value);
    this.#say(parsed.problem ?? "");
    return parsed.problem ? null : parsed;
  }

  #say(problem) {
    this.problem.textContent = problem;
    if (problem) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}
