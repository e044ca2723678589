// The page's own API: sessions, errors in words, and bodies whose numbers keep their text.
import { parse, write } from "./json.js";
import { setServerClock } from "./times.js";

const BASE = "/_/api/";
const LONGEST_WAIT_SECONDS = 10;
const TRIES = 3;

export class ApiFailure extends Error {
  constructor(status, error, body, retryAfter = null) {
    super(error);
    this.status = status;
    this.error = error;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export class Api {
  // `signIn()` is called where the session has ended, and resolves when somebody has signed in again.
  constructor(words, signIn) {
    this.words = words;
    this.signIn = signIn;
    this.session = null;
  }

  get(path, options = {}) {
    // What the page asks by itself keeps no session alive.
    return this.#ask("GET", path, undefined, options.isPoll ? { "X-Zumod-Poll": "1" } : {}, options);
  }

  // A body that is a text is sent as it is: JSON written already.
  send(method, path, body, headers = {}, options = {}) {
    return this.#ask(method, path, body, headers, options);
  }

  async readSession() {
    const { body } = await this.#once("GET", "session", undefined, {}, {});
    this.session = body;
    return body;
  }

  async #ask(method, path, body, headers, options) {
    let tries = 0;
    for (;;) {
      const token = this.session?.csrf;
      try {
        return await this.#once(method, path, body, headers, options);
      } catch (failure) {
        tries += 1;
        if (!(failure instanceof ApiFailure) || tries >= TRIES || options.isSignIn) throw failure;
        if (failure.status === 401 && (this.session?.signedIn || this.signingIn)) await this.#again();
        else if (failure.status === 429 && failure.retryAfter <= LONGEST_WAIT_SECONDS) {
          await pause(failure.retryAfter * 1000, options.signal);
        } else if (failure.status === 403 && method !== "GET" && await this.#hasNewToken(token)) continue;
        else throw failure;
      }
    }
  }

  // One sign-in for all requests that were refused at the same time.
  #again() {
    this.signingIn ??= this.signIn().finally(() => {
      this.signingIn = null;
    });
    return this.signingIn;
  }

  // Somebody who signed in again in another window has a new token.
  async #hasNewToken(token) {
    if (this.signingIn) return false;
    const session = await this.readSession();
    if (!session.signedIn) await this.#again();
    return this.session?.csrf !== token;
  }

  async #once(method, path, body, headers, { signal }) {
    const fields = { Accept: "application/json", ...headers };
    if (body !== undefined) fields["Content-Type"] ??= "application/json";
    if (method !== "GET" && this.session?.csrf) fields["X-CSRF-Token"] = this.session.csrf;
    let response, text;
    try {
      response = await fetch(BASE + path, {
        method, headers: fields, body: body === undefined ? undefined : typeof body === "string" ? body : write(body),
        credentials: "same-origin", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer", signal,
      });
      text = await response.text();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ApiFailure(0, this.words.unreachable, null);
    }
    setServerClock(response.headers.get("Date"));
    const value = this.#read(response, text);
    if (response.ok) return { status: response.status, headers: response.headers, body: value, text };
    const seconds = Number(response.headers.get("Retry-After"));
    throw new ApiFailure(response.status, this.#sentence(response.status, value, seconds), value,
      response.headers.has("Retry-After") && seconds >= 0 ? seconds : 1);
  }

  #read(response, text) {
    if (text === "" || !(response.headers.get("Content-Type") ?? "").includes("json")) return null;
    try {
      return parse(text);
    } catch {
      throw new ApiFailure(response.status, this.words.unreadable, null);
    }
  }

  #sentence(status, value, seconds) {
    const said = value?.error ?? value?.message;
    if (typeof said === "string" && said !== "") return said;
    if (status === 429) return this.words.tooMany(seconds || 1);
    return this.words.statuses[status] ?? this.words.status(status);
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

// Texts as part of an address: a half of a surrogate pair has no bytes, so the replacement character stands for it.
export function encode(text) {
  return encodeURIComponent(String(text).toWellFormed());
}
