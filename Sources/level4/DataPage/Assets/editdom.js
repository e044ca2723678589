// Dialogs and buttons of editing.
import { el } from "./dom.js";

export { el };

export function button(label, action, props = {}) {
  return el("button", { type: "button", click: action, ...props }, label);
}

// A dialog with a title that its content and its buttons go into; it ends with Esc, and the focus goes back to where it
// was, or to the grid where that is seen no more.
export function openDialog(view, { title, className = "", closed = () => {} }, ...content) {
  const dialog = el("dialog", { class: `edit-dialog ${className}`, "aria-label": title }, el("h2", {}, title), content);
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed(dialog.returnValue);
    if (before?.isConnected && before.checkVisibility()) before.focus({ preventScroll: true });
    else view.grid.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
