// Text to the clipboard, also where the page came over plain http from another machine.
import { el } from "./dom.js";

export async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The browser may refuse, and allow what follows.
    }
  }
  const focused = document.activeElement;
  const box = el("textarea", { class: "copied-text", readOnly: true, "aria-hidden": "true", tabIndex: -1 });
  box.value = text;
  // Within an open dialog, since everything outside of it is inert.
  (focused?.closest?.("dialog") ?? document.body).append(box);
  box.select();
  const isDone = document.execCommand("copy");
  box.remove();
  focused?.focus?.();
  return isDone;
}
