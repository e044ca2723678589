// The sign-in: by the master key, an administrator's token, or a local user's name and password.
import { el } from "./dom.js";

// Resolves when somebody has signed in; what stood in the root before is replaced.
export function signIn(root, { api, words, session, isAgain }) {
  return new Promise((resolve) => new SignIn(root, api, words.signin, session, isAgain, resolve));
}

class SignIn {
  constructor(root, api, words, session, isAgain, done) {
    this.api = api;
    this.words = words;
    this.done = done;
    const ways = session.ways?.length ? session.ways : ["key"];
    this.way = ways[0];
    const choice = (way) => el("label", { class: "way" },
      el("input", { type: "radio", name: "way", value: way, checked: way === this.way, change: () => this.show(way) }),
      words.names[way] ?? way);
    this.fields = el("div", { class: "fields" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.button = el("button", { type: "submit", class: "main" }, words.submit);
    root.replaceChildren(el(isAgain ? "div" : "main", { class: "signin" },
      el("form", { novalidate: true, submit: (event) => this.send(event) },
        el("h1", {}, words.title),
        isAgain ? el("p", { class: "quiet" }, words.again) : "",
        session.hint ? el("p", { class: "hint" }, session.hint) : "",
        ways.length < 2 ? "" : el("fieldset", { class: "ways" },
          el("legend", { class: "only-heard" }, words.ways), ways.map(choice)),
        this.fields, this.problem, this.button)));
    this.show(this.way);
  }

  show(way) {
    this.way = way;
    this.problem.textContent = "";
    const { words } = this;
    const box = (name, label, type, autocomplete) => el("label", { class: "box" }, el("span", {}, label),
      el("input", { type, name, autocomplete, spellcheck: "false", autocapitalize: "none", required: true }));
    // Keys and tokens are hidden like passwords; those who keep passwords for people ask by which name.
    const kept = (name) => el("input", { type: "text", autocomplete: "username", value: name, hidden: true });
    this.fields.replaceChildren(...{
      key: () => [kept(words.key), box("key", words.key, "password", "current-password")],
      token: () => [kept(words.token), box("token", words.token, "password", "off")],
      password: () => [box("name", words.user, "text", "username"),
        box("password", words.password, "password", "current-password")],
    }[way]());
    this.inputs[0].focus();
  }

  get inputs() {
    return [...this.fields.querySelectorAll("input:not([hidden])")];
  }

  async send(event) {
    event.preventDefault();
    const { inputs } = this;
    const empty = inputs.find(({ value }) => value === "");
    this.problem.textContent = "";
    if (empty) {
      this.problem.textContent = this.words.empty;
      empty.focus();
      return;
    }
    this.button.disabled = true;
    try {
      const body = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
      const answer = await this.api.send("POST", "session", body, {}, { isSignIn: true });
      this.api.session = answer.body;
      for (const input of inputs) input.value = "";
      this.done(answer.body);
    } catch (failure) {
      if (failure.status === 429) this.hold(failure);
      else this.button.disabled = false;
      this.problem.textContent = failure.status === 429
        ? this.words.wait(failure.retryAfter) : failure.error ?? failure.message;
      const last = inputs.at(-1);
      last.focus();
      last.select();
    }
  }

  // The button comes back when the server takes attempts again.
  hold({ retryAfter }) {
    let left = Math.ceil(retryAfter);
    const timer = setInterval(() => {
      left -= 1;
      if (!this.button.isConnected) return clearInterval(timer);
      if (left > 0) {
        this.problem.textContent = this.words.wait(left);
        return;
      }
      clearInterval(timer);
      this.button.disabled = false;
      this.problem.textContent = this.words.waited;
    }, 1000);
  }
}
