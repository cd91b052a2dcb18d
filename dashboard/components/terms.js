// Words that open their explanation at the word. The browser's own popover closes at Escape and at a click elsewhere,
// and tells screen readers which explanation belongs to which word. Text is inserted only as text nodes.

const GAP = 6; // pixels between a word and its explanation, and to the edge of the window

function place(meaning, word) {
  const at = word.getBoundingClientRect();
  const { width, height } = meaning.getBoundingClientRect();
  const below = at.bottom + GAP;
  meaning.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - width - GAP))}px`;
  meaning.style.top = `${below + height > innerHeight ? Math.max(GAP, at.top - GAP - height) : below}px`;
}

function explain(word, meaning) {
  const close = ({ target }) => { if (!meaning.contains(target)) meaning.hidePopover(); };
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.stopImmediatePropagation(); // it closes the explanation, not the menu around it
    meaning.hidePopover();
  };
  meaning.addEventListener("beforetoggle", ({ newState }) => { // at once: "toggle" may come after the next key
    const listen = newState === "open" ? addEventListener : removeEventListener;
    listen("scroll", close, true); // it would not move with its word
    listen("keydown", escape, true);
  });
  meaning.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") place(meaning, word);
  });
}

function draw({ name, symbol, says }) {
  const word = document.createElement("button");
  const meaning = document.createElement("span");
  const [title, sign, text] = ["b", "i", "span"].map((tag) => document.createElement(tag));
  word.type = "button";
  word.className = "rs-term";
  word.textContent = title.textContent = name;
  meaning.className = "rs-meaning";
  meaning.popover = "auto";
  meaning.id = `rs-meaning-${(window.routescopeMeanings = (window.routescopeMeanings ?? 0) + 1)}`;
  word.setAttribute("popovertarget", meaning.id);
  sign.textContent = symbol;
  text.textContent = says;
  meaning.append(title, ...(symbol ? [sign] : []), document.createElement("br"), text);
  explain(word, meaning);
  return [word, meaning];
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".rs-terms");
  // In a menu of Streamlit's, which lies outside the app, the colours would be those of a light page.
  root.style.colorScheme = getComputedStyle(document.querySelector(".stApp")).colorScheme;
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return; // so that a rerun of the page closes nothing
  root.drawn = drawn;
  root.replaceChildren(...(data.lead ? [data.lead] : []), ...data.terms.flatMap(draw));
}
