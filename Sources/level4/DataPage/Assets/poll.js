// Does something again and again, and only while somebody sees the page.

// What a page asks by itself keeps no session alive: that ends though somebody left the window open.
export function askAgain(api, path) {
  return api.send("GET", path, undefined, { "X-Zumod-Poll": "1" });
}

// The function that is returned ends it.
export function pollWhileVisible(milliseconds, action) {
  let timer = 0;
  let isEnded = false;
  let isAtWork = false;
  const turn = async () => {
    clearTimeout(timer);
    if (isEnded || isAtWork || document.visibilityState !== "visible") return;
    isAtWork = true;
    try {
      await action();
    } finally {
      isAtWork = false;
      if (!isEnded) timer = setTimeout(turn, milliseconds);
    }
  };
  document.addEventListener("visibilitychange", turn);
  turn();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", turn);
  };
}
