// Elements are made here and nowhere else: text is always text, since nothing is ever read as HTML.

// Props are attributes; functions are listeners, `true` an attribute without a value, and null, undefined and false
// none. Children are elements, texts, or lists of them; null, undefined and false are none.
export function el(tag, props = {}, ...children) {
  return dressed(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function dressed(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === "") continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

let ids = 0;

// An id that no other element of the page has, for labels and descriptions.
export function freshId(prefix = "e") {
  ids += 1;
  return `${prefix}-${ids}`;
}

// A small menu or panel that hangs on an element, ends with Esc or a click elsewhere, and gives the focus back.
export function popover(anchor, content, { className = "", label, onclose } = {}) {
  const before = document.activeElement;
  const box = el("div", { class: `popover ${className}`, popover: "manual", role: "dialog", "aria-label": label },
    content);
  let isOpen = true;
  const close = (givesBack = true) => {
    if (!isOpen) return;
    isOpen = false;
    document.removeEventListener("pointerdown", outside, true);
    removeEventListener("resize", place);
    box.remove();
    onclose?.();
    if (givesBack && before?.isConnected) before.focus({ preventScroll: true });
  };
  const outside = (event) => {
    if (!box.contains(event.target) && !anchor.contains(event.target)) close(false);
  };
  const place = () => {
    const { left, bottom, top } = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = box;
    const below = innerHeight - bottom;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${height + 8 <= below || below >= top ? bottom + 4 : Math.max(8, top - height - 4)}px`;
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const items = [...box.querySelectorAll("button, input, a[href]")].filter((item) => !item.disabled);
      if (!items.length || event.target.matches("input[type=text], input[type=search], textarea")) return;
      event.preventDefault();
      const next = items.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      items.at(next % items.length).focus();
    }
  });
  box.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !box.contains(event.relatedTarget)) close(false);
  });
  (anchor.closest("dialog") ?? document.body).append(box);
  box.showPopover();
  place();
  document.addEventListener("pointerdown", outside, true);
  addEventListener("resize", place);
  (box.querySelector("[autofocus], button, input, a[href]") ?? box).focus();
  return { box, close, place };
}
