// In a narrow window the sidebar lies over the page, so it closes when a page is chosen.

const NARROW = "(max-width: 768px)";

function closeWhenChosen({ target }) {
  if (!matchMedia(NARROW).matches || !target.closest("[data-testid='stSidebarNavLink']")) return;
  document.querySelector("[data-testid='stSidebarCollapseButton'] button")?.click();
}

export default function () {
  document.addEventListener("click", closeWhenChosen); // the same function is added only once
}
