// The typed text once per row, of a capsule or a layer. Text goes in as text nodes only, never as markup.

const toRgb = (hex) => [1, 3, 5].map((k) => Number.parseInt(hex.slice(k, k + 2), 16));

function colour(share, stops) {
  const x = share * (stops.length - 1);
  const k = Math.min(Math.floor(x), stops.length - 2);
  return stops[k].map((low, c) => Math.round(low + (stops[k + 1][c] - low) * (x - k)));
}

// Relative luminance (WCAG): black ink above 0.18, where it contrasts more than white does.
function ink(rgb) {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
}

class Shading {
  constructor(root) {
    this.root = root;
    this.follow = (event) => this.show(event.detail);
  }

  update(data) {
    this.close();
    this.event = `routescope:${data.param}`;
    document.addEventListener(this.event, this.follow);
    this.data = { ...data, palette: data.palette.map(toRgb) };
    this.rows = data.shares[0].map(() => {
      const name = document.createElement("h3");
      const text = document.createElement("p");
      const words = [];
      for (const [piece, i] of data.segments) {
        if (i === null) { text.append(piece); continue; }
        const word = document.createElement("span");
        word.textContent = piece;
        words[i] = word;
        text.append(word);
      }
      return { name, text, words };
    });
    this.root.replaceChildren(...this.rows.flatMap(({ name, text }) => [name, text]));
    const scrubber = document.querySelector(`.rs-scrubber[data-param="${data.param}"] .rs-range`);
    this.show(scrubber ? +scrubber.value : data.shares.length);
  }

  show(step) {
    const t = Math.min(step, this.data.shares.length) - 1;
    this.rows.forEach(({ name, words }, j) => {
      name.textContent = this.data.notes[t][j];
      words.forEach((word, i) => {
        const share = this.data.shares[t][j][i];
        const rgb = colour(share, this.data.palette);
        word.style.backgroundColor = `rgb(${rgb})`;
        word.style.color = ink(rgb);
        word.title = share.toFixed(4);
      });
    });
  }

  close() {
    document.removeEventListener(this.event, this.follow);
  }
}

// As the scrubber does: the shading lives on its element and closes when that has left the page.
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".rs-shading");
  root.shading ??= new Shading(root);
  root.shading.update(data);
  return () => setTimeout(() => { if (!root.isConnected) { root.shading?.close(); delete root.shading; } });
}
