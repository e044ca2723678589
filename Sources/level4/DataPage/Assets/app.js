// The frame of the page: who is signed in, which view an address means, and the ways between them.
import { Api } from "./api.js";
import { el } from "./dom.js";
import { signIn } from "./signin.js";
import { chosenTheme, nextTheme } from "./theme.js";
import { words } from "./words.js";

// Each view is loaded when it is first asked for.
const VIEWS = {
  tables: () => import("./tables.js"),
  rows: () => import("./rows.js"),
  schema: () => import("./schema.js"),
  devices: () => import("./devices.js"),
  requests: () => import("./requests.js"),
  health: () => import("./health.js"),
};
const LINKS = { tables: "/_/", devices: "/_/devices", requests: "/_/requests", health: "/_/health" };

// What an address means: the view, and the table's name where it is one of a table; null for no view.
export function routeOf(address) {
  const { pathname, searchParams } = new URL(address, location.origin);
  const route = (view, name = null) => ({ view, name, path: pathname, query: searchParams });
  if (pathname === "/_" || pathname === "/_/" || pathname === "/_/tables") return route("tables");
  const table = /^\/_\/tables\/([^/]+)(\/schema)?\/?$/.exec(pathname);
  if (table) {
    try {
      return route(table[2] ? "schema" : "rows", decodeURIComponent(table[1]));
    } catch {
      return null;
    }
  }
  const other = /^\/_\/(devices|requests|health)\/?$/.exec(pathname);
  return other ? route(other[1]) : null;
}

class App {
  #view = null;
  #route = null;
  #address = location.href;
  #turn = 0;

  constructor() {
    this.api = new Api(words.api, () => this.signInAgain());
    this.heard = el("div", { class: "only-heard", role: "status", "aria-live": "polite" });
    this.frame = el("div", { class: "frame" });
    document.body.append(this.heard, this.frame);
    chosenTheme();
    addEventListener("popstate", () => this.#wentBack());
    document.addEventListener("click", (event) => this.#followLink(event));
    document.addEventListener("keydown", (event) => this.#focusFilter(event));
  }

  async start() {
    try {
      const session = await this.api.readSession();
      if (!session.signedIn) await signIn(this.frame, { api: this.api, words, session, isAgain: false });
      this.#draw();
      await this.#open(routeOf(location.href));
    } catch (failure) {
      const again = el("button", { type: "button", click: () => location.reload() }, words.page.again);
      this.frame.replaceChildren(el("main", { class: "failure" },
        el("h1", {}, words.page.failed), el("p", { role: "alert" }, failure.message), again));
    }
  }

  // The view stays as it is behind the sign-in, with all that was typed into it; above other dialogs too.
  async signInAgain() {
    const session = await this.api.readSession();
    // In another window somebody has signed in already.
    if (session.signedIn) return;
    const cover = el("dialog", { class: "cover", "aria-label": words.signin.title });
    cover.addEventListener("cancel", (event) => event.preventDefault());
    document.body.append(cover);
    cover.showModal();
    try {
      await signIn(cover, { api: this.api, words, session, isAgain: true });
    } finally {
      cover.close();
      cover.remove();
    }
  }

  announce(text) {
    this.heard.textContent = "";
    // A text that is said twice is heard twice only where it is gone in between.
    setTimeout(() => {
      this.heard.textContent = text;
    }, 30);
  }

  async navigate(path, { replaces = false } = {}) {
    const address = new URL(path, location.href).href;
    if (!await this.#mayLeave(routeOf(address))) return;
    if (address !== location.href) history[replaces ? "replaceState" : "pushState"](null, "", address);
    this.#address = location.href;
    await this.#open(routeOf(address));
  }

  async #wentBack() {
    const route = routeOf(location.href);
    if (!await this.#mayLeave(route)) {
      history.pushState(null, "", this.#address);
      return;
    }
    this.#address = location.href;
    await this.#open(route);
  }

  async #mayLeave(route) {
    if (this.#isSame(route) && this.#view?.update) return true;
    return this.#view?.mayLeave ? this.#view.mayLeave() : true;
  }

  #isSame(route) {
    return route !== null && this.#route !== null && route.view === this.#route.view && route.name === this.#route.name;
  }

  async #open(route) {
    const isSame = this.#isSame(route);
    this.#route = route;
    this.#markLinks();
    // A view that knows how to show another state of itself keeps what is in it.
    if (isSame && this.#view?.update) return this.#view.update(route);
    const turn = this.#turn += 1;
    this.#view?.leave?.();
    this.#view = null;
    const root = el("main", { id: "content", tabindex: "-1", class: `view-${route?.view ?? "none"}` });
    this.content.replaceWith(root);
    this.content = root;
    if (!route) return this.#notFound(root);
    document.title = `${route.name ?? words.page.links[route.view]} · ${words.page.title}`;
    root.append(el("p", { class: "quiet loading" }, words.page.loading));
    try {
      const { show } = await VIEWS[route.view]();
      if (turn !== this.#turn) return;
      root.replaceChildren();
      const view = await show(root, {
        api: this.api, session: this.api.session, words, route,
        navigate: (path, options) => this.navigate(path, options), announce: (text) => this.announce(text),
      });
      if (turn === this.#turn) this.#view = view ?? {};
      else view?.leave?.();
    } catch (failure) {
      if (turn === this.#turn) this.#failed(root, route, failure);
    }
  }

  #failed(root, route, failure) {
    if (!failure.status && failure.error === undefined) console.error(failure);
    const again = el("button", { type: "button", click: () => this.#open(route) }, words.page.again);
    root.replaceChildren(el("div", { class: "failure" }, el("h1", {}, words.page.failed),
      el("p", { role: "alert" }, failure.error ?? failure.message), again,
      el("a", { href: "/_/" }, words.page.toTables)));
  }

  #notFound(root) {
    document.title = words.page.title;
    root.replaceChildren(el("div", { class: "failure" }, el("h1", {}, words.page.notFound),
      el("a", { href: "/_/" }, words.page.toTables)));
  }

  #draw() {
    const { session } = this.api;
    this.content = el("main", { id: "content" });
    this.links = Object.entries(LINKS).map(([name, href]) =>
      el("a", { href, "data-view": name }, words.page.links[name]));
    const theme = el("button", { type: "button", class: "plain", "aria-label": words.page.theme }, "◐");
    const say = (name) => {
      theme.title = words.page.themes[name];
      return name;
    };
    say(chosenTheme());
    theme.addEventListener("click", () => this.announce(words.page.themes[say(nextTheme())]));
    this.frame.replaceChildren(
      el("a", { class: "skip", href: "#content", click: (event) => {
        event.preventDefault();
        this.content.focus();
      } }, words.page.skip),
      el("header", { class: "bar" },
        el("a", { class: "brand", href: "/_/", "aria-hidden": "true", tabindex: "-1" }, words.page.title),
        el("nav", { "aria-label": words.page.nav }, ...this.links),
        el("span", { class: "who" }, session.test ? el("span", { class: "badge" }, words.page.test) : "",
          el("span", { class: "server", title: session.server }, `${session.name} · ${session.store}`)),
        theme,
        el("button", { type: "button", class: "plain", click: () => this.signOut() }, words.page.signOut)),
      this.content);
  }

  #markLinks() {
    const view = this.#route?.view === "rows" || this.#route?.view === "schema" ? "tables" : this.#route?.view;
    for (const link of this.links) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  async signOut() {
    if (this.#view?.mayLeave && !await this.#view.mayLeave()) return;
    try {
      await this.api.send("DELETE", "session");
    } catch (failure) {
      if (failure.status !== 401) return this.announce(failure.message);
    }
    // Nothing of what was seen is left in the window.
    this.#view?.leave?.();
    this.#view = null;
    this.#route = null;
    this.frame.replaceChildren();
    await this.start();
  }

  #followLink(event) {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.hasAttribute("download")
      || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const address = new URL(link.href);
    if (address.origin !== location.origin || routeOf(address.href) === null) return;
    event.preventDefault();
    this.navigate(address.href);
  }

  // `/` goes to the view's filter, as in many a program, unless somebody types.
  #focusFilter(event) {
    if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    const filter = this.content?.querySelector("[data-filter], input[type=search]");
    if (!filter) return;
    event.preventDefault();
    filter.focus();
    filter.select?.();
  }
}

new App().start();
