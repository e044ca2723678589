// Instants in a person's words, told anew while they are seen; the exact text stays in the title.
import { el } from "./dom.js";
import { words } from "./words.js";

// How far the server's clock is ahead of this one's, in milliseconds.
let ahead = 0;

// The field Date of an answer; it has whole seconds, so small differences are none.
export function setServerClock(text, now = Date.now()) {
  const server = Date.parse(text ?? "");
  if (Number.isNaN(server)) return;
  const difference = server + 500 - now;
  ahead = Math.abs(difference) < 2000 ? 0 : difference;
}

export function serverNow() {
  return Date.now() + ahead;
}

const MINUTE = 60, HOUR = 3600, DAY = 86_400;

// "12 s ago", of an ISO text; the text itself where it is no instant.
export function ago(text, now = serverNow()) {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return String(text);
  const seconds = Math.floor((now - instant) / 1000);
  const said = words.times;
  if (seconds < -2) return said.ahead(amount(-seconds));
  if (seconds < 2) return said.now;
  if (seconds < 30 * DAY) return said.ago(amount(seconds));
  return String(text).slice(0, 10);
}

function amount(seconds) {
  const said = words.times;
  if (seconds < 100) return said.seconds(seconds);
  if (seconds < 100 * MINUTE) return said.minutes(Math.floor(seconds / MINUTE));
  if (seconds < 48 * HOUR) return said.hours(Math.floor(seconds / HOUR));
  return said.days(Math.floor(seconds / DAY));
}

let ticker = null;

// An element that goes on telling how long ago it is.
export function timeElement(text, className = "") {
  ticker ??= setInterval(tick, 1000);
  return el("time", { class: className, datetime: text, title: text, "data-ago": "" }, ago(text));
}

function tick() {
  if (document.visibilityState !== "visible") return;
  for (const element of document.querySelectorAll("time[data-ago]")) {
    const said = ago(element.dateTime);
    if (element.textContent !== said) element.textContent = said;
  }
}

// What a version says to a person: those of this server are numbers in Base64; others stay as they are.
export function versionWords(text) {
  if (!/^[A-Za-z0-9+/]{11}=$/.test(text)) return text;
  let number = 0n;
  for (const character of atob(text)) number = number * 256n + BigInt(character.charCodeAt(0));
  return "#" + number;
}
