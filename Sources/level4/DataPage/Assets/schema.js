// One table's schema: columns, indexes, rules, warnings, and the table as a file of the configuration.
import { encode } from "./api.js";
import { copyText } from "./clipboard.js";
import { el } from "./dom.js";
import { write } from "./json.js";

const KINDS = ["string", "integer", "number", "boolean", "date", "decimal"];
const MOST_INDEX_COLUMNS = 8;

export async function show(root, context) {
  const view = new SchemaView(root, context);
  await view.load();
  return {};
}

class SchemaView {
  constructor(root, { api, words, route, announce }) {
    this.root = root;
    this.api = api;
    this.common = words;
    this.words = words.schema;
    this.name = route.name;
    this.announce = announce;
  }

  get path() {
    return "tables/" + encode(this.name);
  }

  async load() {
    const { body } = await this.api.get(this.path);
    this.draw(body);
  }

  draw(table) {
    const { words } = this;
    const rows = "/_/tables/" + encode(this.name);
    this.root.replaceChildren(
      el("header", { class: "view-head" },
        el("h1", {}, this.name),
        el("p", { class: "view-about" }, words.about(table.softDelete, table.idKind)),
        el("a", { class: "view-link", href: rows }, words.rows)),
      this.warnings(table.warnings ?? []),
      el("div", { class: "panels" },
        this.columns(table), this.indexes(table), this.rules(table.rules), this.definition(table.definition ?? "")));
  }

  warnings(texts) {
    if (texts.length === 0) return el("p", { class: "calm" }, this.words.noWarnings);
    return el("section", { class: "panel warned" },
      el("h2", {}, this.words.warnings(texts.length)),
      el("ul", { class: "warnings" }, ...texts.map((text) => el("li", {}, text))));
  }

  columns(table) {
    const { words } = this;
    const line = ({ name, kind, isSystem }) => el("tr", { class: isSystem ? "is-system" : "" },
      el("th", { scope: "row", class: "code" }, name),
      el("td", {}, words.kinds[kind] ?? kind),
      el("td", { class: "quiet" }, isSystem ? words.system : ""));
    const own = table.columns.filter(({ isSystem }) => !isSystem);
    const system = table.columns.filter(({ isSystem }) => isSystem);
    return el("section", { class: "panel" },
      el("h2", {}, words.columns),
      el("div", { class: "table-frame" },
        el("table", { class: "plain-table" },
          el("caption", { class: "only-heard" }, words.columns),
          el("thead", {}, el("tr", {}, ...[words.name, words.kind, words.note].map((text) =>
            el("th", { scope: "col" }, text)))),
          el("tbody", {}, ...own.map(line), ...system.map(line)))),
      this.columnForm());
  }

  columnForm() {
    const { words } = this;
    const name = el("input", { type: "text", id: "column-name", autocomplete: "off", spellcheck: "false" });
    const kind = el("select", { id: "column-kind" },
      ...KINDS.map((value) => el("option", { value }, words.kinds[value])));
    return this.form(words.addColumn, [
      [el("label", { for: "column-name" }, words.newColumn), name],
      [el("label", { for: "column-kind" }, words.kind), kind],
    ], () => {
      if (name.value.trim() === "") return { complaint: words.nameMissing, at: name };
      return { path: this.path + "/columns", body: { name: name.value.trim(), kind: kind.value },
        done: words.columnAdded(name.value.trim()), back: "column-name" };
    });
  }

  indexes(table) {
    const { words } = this;
    const list = table.indexes.length === 0
      ? el("p", { class: "quiet" }, words.noIndexes)
      : el("ul", { class: "indexes" }, ...table.indexes.map((columns) =>
        el("li", {}, ...columns.flatMap((column, index) => [
          index ? el("span", { class: "quiet" }, words.then) : "", el("code", {}, column)]))));
    return el("section", { class: "panel" }, el("h2", {}, words.indexes), list, this.indexForm(table));
  }

  // A select for the first column; each that is chosen brings one for the next.
  indexForm(table) {
    const { words } = this;
    const names = table.columns.map(({ name }) => name);
    const place = el("span", { class: "index-columns" });
    const selects = () => [...place.children];
    const chosen = () => selects().map(({ value }) => value).filter((value) => value !== "");
    const add = () => {
      const taken = chosen();
      const number = selects().length + 1;
      const select = el("select", { "aria-label": words.indexColumn(number) },
        el("option", { value: "" }, number === 1 ? words.chooseColumn : words.noMoreColumns),
        ...names.filter((name) => !taken.includes(name)).map((name) => el("option", { value: name }, name)));
      select.addEventListener("change", () => {
        while (select.nextSibling) select.nextSibling.remove();
        if (select.value !== "" && number < Math.min(MOST_INDEX_COLUMNS, names.length)) add();
      });
      place.append(select);
    };
    add();
    return this.form(words.addIndex, [[el("span", { class: "label" }, words.newIndex), place]], () => {
      const columns = chosen();
      if (columns.length === 0) return { complaint: words.columnMissing, at: selects()[0] };
      return { path: this.path + "/indexes", body: { columns }, done: words.indexAdded(columns.join(", ")),
        back: null };
    });
  }

  // A line of fields and a button. `gather` answers what to send, or a complaint and the field it is about.
  form(label, fields, gather) {
    const problem = el("p", { class: "problem", role: "alert" });
    const button = el("button", { type: "submit" }, label);
    const form = el("form", { class: "line-form", novalidate: "" },
      ...fields.map((parts) => el("div", { class: "field" }, ...parts)), button, problem);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      problem.textContent = "";
      const { path, body, done, back, complaint, at } = gather();
      if (complaint) {
        problem.textContent = complaint;
        at.focus();
        return;
      }
      button.disabled = true;
      try {
        const answer = await this.api.send("POST", path, body);
        this.draw(answer.body);
        this.announce(done);
        const next = back ? this.root.querySelector("#" + back) : this.root.querySelector(".index-columns select");
        next?.focus();
      } catch (failure) {
        problem.textContent = failure.error ?? failure.message;
        button.disabled = false;
      }
    });
    return form;
  }

  rules(rules) {
    const { words } = this;
    const isSaid = (value) => value !== null && !(Array.isArray(value) && value.length === 0);
    const lines = Object.entries(rules ?? {}).filter(([, value]) => isSaid(value));
    return el("section", { class: "panel" },
      el("h2", {}, words.rules),
      lines.length === 0 ? el("p", { class: "quiet" }, words.noRules)
        : el("dl", { class: "rules" }, ...lines.flatMap(([name, value]) => [
          el("dt", {}, words.ruleNames[name] ?? name), el("dd", {}, this.rule(value))])));
  }

  rule(value) {
    if (typeof value === "string") return el("code", {}, value);
    if (value === true) return this.words.yes;
    if (value === false) return this.words.no;
    if (value === null) return this.words.none;
    if (Array.isArray(value)) {
      return el("ul", { class: "inner" }, ...value.map((item) => el("li", {}, this.rule(item))));
    }
    if (Object.getPrototypeOf(value) !== null) return el("code", {}, write(value));
    // The same for all is said once.
    const values = Object.values(value);
    if (values.length > 1 && values.every((one) => typeof one === "string" && one === values[0])) {
      return this.rule(values[0]);
    }
    return el("ul", { class: "inner" }, ...Object.entries(value).map(([name, inner]) =>
      el("li", {}, el("span", { class: "quiet" }, (this.words.ruleNames[name] ?? name) + ": "), this.rule(inner))));
  }

  definition(text) {
    const { words } = this;
    const copy = el("button", { type: "button" }, words.copy);
    copy.addEventListener("click", async () => this.announce(await copyText(text) ? words.copied : words.notCopied));
    return el("section", { class: "panel wide" },
      el("div", { class: "panel-head" }, el("h2", {}, words.definition), copy),
      el("p", { class: "quiet" }, words.definitionAbout(`tables/${this.name}.yaml`)),
      el("pre", { class: "code-block", tabindex: "0", role: "region", "aria-label": words.definition }, text));
  }
}
