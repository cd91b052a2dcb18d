// The typed text once per row (capsule or layer). Text is inserted only as text nodes, never as markup.
// If words can be picked, a click or Enter picks one, and the arrow keys move from word to word.

const toRgb = (hex) => [1, 3, 5].map((k) => Number.parseInt(hex.slice(k, k + 2), 16));

function colour(share, stops) {
  const x = share * (stops.length - 1);
  const k = Math.min(Math.floor(x), stops.length - 2);
  return stops[k].map((low, c) => Math.round(low + (stops[k + 1][c] - low) * (x - k)));
}

// Relative luminance (WCAG): above 0.18, black text has more contrast than white text.
function ink(rgb) {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
}

const REVEAL_MS = 2000;

// Scroll until the tabs begin in the middle of the window, so that the opened tab is visible below the picture.
function reveal(tabs) {
  const main = tabs?.closest(".stMain");
  if (!main) return;
  const grown = new ResizeObserver(() => {
    const below = tabs.getBoundingClientRect().top - innerHeight / 2;
    if (below > 0) main.scrollBy(0, below);
  });
  grown.observe(tabs);
  setTimeout(() => grown.disconnect(), REVEAL_MS);
}

class Shading extends Follower {
  constructor(root) {
    super(root);
    root.addEventListener("click", ({ target }) => { if (target.dataset.word) this.pick(target); });
    root.addEventListener("keydown", (event) => this.answerKey(event));
  }

  pick(word) {
    const row = this.rows.findIndex(({ words }) => words.includes(word));
    this.send("picked", [+word.dataset.word, row]);
    if (this.data.reveals) reveal(document.querySelector(".st-key-tabs"));
  }

  answerKey(event) {
    const { key, target } = event;
    if (!target.dataset.word) return;
    const words = [...target.parentElement.querySelectorAll("[data-word]")];
    const next = words[words.indexOf(target) + { ArrowLeft: -1, ArrowRight: 1 }[key]];
    if (key === "Enter" || key === " ") this.pick(target);
    else if (!next) return;
    event.preventDefault();
    if (!next) return;
    target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  build({ pickable, palette, segments, shares, bars, unknown }) {
    this.palette = palette.map(toRgb);
    const isUnknown = new Set(unknown);
    this.rows = shares[0].map(() => {
      const row = document.createElement("div");
      const head = document.createElement("h2");
      const name = document.createElement("span");
      const bar = document.createElement("i");
      const text = document.createElement("p");
      const words = [];
      for (const [piece, i] of segments) {
        if (i === null) { text.append(piece); continue; }
        const word = document.createElement("span");
        word.textContent = piece;
        word.classList.toggle("rs-unknown", isUnknown.has(i));
        if (pickable) {
          word.dataset.word = i;
          word.setAttribute("role", "button");
          word.tabIndex = words.length ? -1 : 0;
        }
        words[i] = word;
        text.append(word);
      }
      head.append(name, ...(bars ? [bar] : []));
      row.append(head, text);
      return { row, name, bar, words };
    });
    this.root.replaceChildren(...this.rows.map(({ row }) => row));
  }

  show(step) {
    const { shares, notes, bars } = this.data;
    const t = Math.min(step, shares.length) - 1;
    this.rows.forEach(({ name, bar, words }, j) => {
      name.textContent = notes[t][j];
      if (bars) bar.style.width = `${100 * Math.min(1, bars[t][j])}%`;
      words.forEach((word, i) => {
        const share = shares[t][j][i];
        const rgb = colour(share, this.palette);
        word.style.backgroundColor = `rgb(${rgb})`;
        word.style.color = ink(rgb);
        word.title = share.toFixed(4);
      });
    });
  }
}

export default mount(Shading, ".rs-shading");
