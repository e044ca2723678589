// Light or dark: the system's, or what somebody chose on this device.
const KEY = "zumod-theme";
const THEMES = ["system", "light", "dark"];

// The chosen theme, put into force.
export function chosenTheme() {
  const stored = read();
  return apply(THEMES.includes(stored) ? stored : "system");
}

// From the system's to the other one first, so that each press is seen.
export function nextTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const order = isDark ? ["system", "light", "dark"] : ["system", "dark", "light"];
  const next = order[(order.indexOf(chosenTheme()) + 1) % order.length];
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
  return apply(next);
}

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  return theme;
}
