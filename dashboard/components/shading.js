// The typed text once per row (capsule or layer). Text is inserted only as text nodes, never as markup.
// If words can be picked, a click or Enter picks one, and the arrow keys move from word to word.

const STEPS = 9; // between the colours of the ramp of shares
const INK_TURNS = 0.47; // as in theme.py

// A share of the ramp; or, for a row of signed numbers, of the way from the page to its arm of the diverging ramp.
function colour(share, arm) {
  if (arm) return `color-mix(in srgb, var(--rs-${arm}) ${(share * 100).toFixed(1)}%, var(--rs-page))`;
  const at = Math.min(1, Math.max(0, share)) * STEPS;
  const low = Math.min(Math.floor(at), STEPS - 1);
  return `color-mix(in srgb, var(--rs-share-${low + 1}) ${((at - low) * 100).toFixed(1)}%, var(--rs-share-${low}))`;
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

  build({ pickable, segments, shares, bars, unknown, framed }) {
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
    for (const { words } of this.rows) {
      const word = words[framed];
      word?.classList.add("rs-framed");
      const text = word?.parentElement;
      if (text?.scrollHeight > text?.clientHeight) text.scrollTop = word.offsetTop - text.offsetTop - text.clientHeight / 2;
    }
  }

  show(step) {
    const { shares, notes, bars, arms } = this.data;
    const t = Math.min(step, shares.length) - 1;
    this.rows.forEach(({ name, bar, words }, j) => {
      name.textContent = notes[t][j];
      if (bars) bar.style.width = `${100 * Math.min(1, bars[t][j])}%`;
      words.forEach((word, i) => {
        const share = shares[t][j][i];
        word.style.backgroundColor = colour(share, arms?.[j]);
        word.style.color = arms ? "var(--rs-ink)" : `var(--rs-on-${share > INK_TURNS ? "high" : "low"})`;
        word.title = share.toFixed(4);
      });
    });
  }
}

export default mount(Shading, ".rs-shading");
