// In a narrow window the sidebar lies over the page, so it closes when a page is chosen.

const NARROW = "(max-width: 768px)";

function closeWhenChosen({ target }) {
  if (!matchMedia(NARROW).matches || !target.closest("[data-testid='stSidebarNavLink']")) return;
  document.querySelector("[data-testid='stSidebarCollapseButton'] button")?.click();
}

// Streamlit makes a step in the history of every entry that a page adds to its address, so that "back" would stay on
// the page. The entries of the next page arrive shortly before its name does: then the page gets its own address back.

const SOON_MS = 1000;
let changed = { at: -SOON_MS, from: "" };

function isSoon() {
  return performance.now() - changed.at < SOON_MS;
}

function makeOneStepPerPage() {
  if (history.pushState.name === "pushPage") return;
  const push = history.pushState.bind(history);
  history.pushState = function pushPage(state, title, url) {
    const isSamePage = new URL(url ?? location.href, location.href).pathname === location.pathname;
    if (isSamePage) {
      if (!isSoon()) changed = { at: performance.now(), from: location.href };
      history.replaceState(state, title, url);
    } else {
      if (isSoon()) history.replaceState(history.state, "", changed.from);
      changed.at = -SOON_MS;
      push(state, title, url);
    }
  };
}

export default function () {
  document.addEventListener("click", closeWhenChosen); // the same function is added only once
  makeOneStepPerPage();
}
