// A text's routing as an animation. Text is inserted only as text nodes, never as markup.
// The picture is drawn at a place between two iterations (at) and between the two runs (mix: 0 whole, 1 without a word).

const SVG = "http://www.w3.org/2000/svg";
const HOLD_MS = 1700, MOVE_MS = 1500, SCRUB_MS = 450; // an iteration in view, on the way to the next, and by hand
const NAMED = 0.2; // share from which a word is named below a capsule
const LONG = 30; // words from which on they are smaller
const COLOURS = 5; // of capsules, in the table
const LONGEST = 18; // characters of a word below a capsule

const between = (a, b, x) => a + (b - a) * x;
const ease = (x) => x * x * (3 - 2 * x);
const shorten = (word) => (word.length > LONGEST ? `${word.slice(0, LONGEST - 1)}…` : word);
const percent = (v) => `${(100 * v).toFixed(0)}%`;

// Screen readers hear a text again whenever it is written, so write it only if it changes.
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function make(tag, name, parent) {
  const node = document.createElement(tag);
  node.className = name;
  parent.append(node);
  return node;
}

class Story {
  constructor(root) {
    const find = (name) => root.querySelector(`.rs-story-${name}`);
    Object.assign(this, { root, stage: find("stage"), threads: find("threads"), range: find("range"), play: find("play") });
    Object.assign(this, { answer: find("answer"), caption: find("caption"), step: find("step"), legend: find("legend") });
    Object.assign(this, { cutButton: find("cut"), result: find("result") });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.still.onchange = () => { this.play.hidden = this.still.matches; };
    this.resized = new ResizeObserver(() => this.place());
    this.range.oninput = () => this.go(this.range.value - 1, SCRUB_MS);
    this.play.onclick = () => (this.isPlaying ? this.stop() : this.replay());
    this.cutButton.onclick = () => this.switchCut();
  }

  update(data) {
    const told = JSON.stringify(data);
    if (told === this.told) return; // a rerun of the page does not start the story again
    Object.assign(this, { told, data, last: data.run.captions.length - 1, isCut: false });
    this.build(data);
    Object.assign(this, { at: this.last, mix: 0 });
    this.place();
    this.resized.observe(this.stage);
    document.fonts.ready.then(() => this.place());
    this.stop();
    if (!this.still.matches) this.replay();
  }

  build({ pieces, capsules, classes, note, run }) {
    const words = this.root.querySelector(".rs-story-words");
    words.replaceChildren();
    this.words = [];
    for (const [piece, i] of pieces) {
      if (i === null) { words.append(piece); continue; }
      const word = make("span", "rs-story-word", words);
      word.textContent = piece;
      this.words[i] = word;
    }
    words.classList.toggle("rs-long", this.words.length > LONG);
    const list = this.root.querySelector(".rs-story-capsules");
    list.replaceChildren();
    list.style.setProperty("--n", run.shares[0].length);
    this.capsules = run.shares[0].map((_, j) => {
      const item = make("li", "", list);
      const colour = `var(--rs-capsule-${j % COLOURS})`;
      item.style.setProperty("--capsule", colour);
      const link = this.link(item, capsules[j], j);
      const circle = make("i", "", link);
      circle.textContent = j + 1;
      circle.ariaHidden = "true";
      make("small", "", link).textContent = capsules[j].label;
      return { circle, colour, label: make("span", "", item) };
    });
    this.threads.replaceChildren();
    this.paths = this.capsules.map(({ colour }) => this.words.map(() => {
      const path = document.createElementNS(SVG, "path");
      path.style.stroke = colour;
      this.threads.append(path);
      return path;
    }));
    const rows = this.root.querySelector(".rs-story-classes ul");
    rows.replaceChildren();
    this.classes = classes.map((name) => {
      const row = make("li", "", rows);
      make("span", "", row).textContent = name;
      const track = make("div", "rs-story-track", row);
      return { row, bar: make("div", "rs-story-bar", track), before: make("div", "rs-story-before", track), number: make("span", "", row) };
    });
    this.root.querySelector(".rs-story-note").textContent = note;
    this.range.max = this.last + 1;
    this.play.hidden = this.still.matches;
  }

  // A capsule leads to its unit. A plain click keeps the session, which a new load of the page would end.
  link(item, { says, address }, j) {
    if (!address) return make("div", "rs-story-capsule", item);
    const link = make("a", "rs-story-capsule", item);
    link.href = address;
    link.title = says;
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab or window
      event.preventDefault();
      this.send("capsule", j);
    };
    return link;
  }

  // Draw each thread from the middle below its word to the top of its capsule.
  place() {
    if (!this.words || !this.stage.offsetWidth) return; // out of sight
    const { left, top } = this.stage.getBoundingClientRect();
    const ends = this.capsules.map(({ circle }) => {
      const box = circle.getBoundingClientRect();
      return [box.left + box.width / 2 - left, box.top - top];
    });
    this.words.forEach((word, i) => {
      const boxes = word.getClientRects(); // of a word that is broken over two lines, the last
      const box = boxes[boxes.length - 1];
      const [x, y] = [box.left + box.width / 2 - left, box.bottom - top];
      ends.forEach(([u, v], j) => {
        const bend = (v - y) / 2;
        this.paths[j][i].setAttribute("d", `M${x},${y}C${x},${y + bend} ${u},${v - bend} ${u},${v}`);
      });
    });
    this.draw();
  }

  // A number at the shown place, read from a run by a function of the run and the iteration.
  shown(read) {
    const { run, cut } = this.data;
    const t = Math.floor(this.at), next = Math.min(t + 1, this.last);
    const of = (one) => between(read(one, t), read(one, next), this.at - t);
    if (this.mix === 0) return of(run);
    return this.mix === 1 ? of(cut.telling) : between(of(run), of(cut.telling), this.mix);
  }

  // What is drawn moves; what is written waits until it rests, so that caption and numbers are of one moment.
  draw() {
    const { run, cut, classes } = this.data, t = Math.round(this.at);
    const shares = this.capsules.map((_, j) => this.words.map((_, i) => this.shown((one, t) => one.shares[t][j][i])));
    shares.forEach((row, j) => row.forEach((share, i) => {
      const style = this.paths[j][i].style;
      style.strokeWidth = 0.6 + 9 * share;
      style.opacity = Math.min(0.9, 0.05 + 0.85 * Math.sqrt(share)) * (share < 0.0005 ? 0.5 : 1);
    }));
    this.words.forEach((word, i) => this.paint(word, shares.map((row) => row[i])));
    const values = classes.map((_, k) => this.shown((one, t) => one.probabilities[t][k]));
    this.classes.forEach(({ bar, before }, k) => {
      bar.style.width = percentWidth(values[k]);
      before.style.width = percentWidth(run.probabilities[t][k]);
      before.hidden = this.mix === 0;
    });
    this.words[cut.word]?.classList.toggle("rs-cut", this.isCut);
    write(this.cutButton, this.isCut ? cut.back : cut.button);
    if (Number.isInteger(this.at) && Number.isInteger(this.mix)) this.write(shares, values);
  }

  write(shares, values) {
    const t = this.at, { run, cut, classes } = this.data;
    const told = this.mix ? cut.telling : run;
    const first = values.indexOf(Math.max(...values));
    this.capsules.forEach(({ label }, j) => write(label, this.named(shares[j])));
    this.classes.forEach(({ row, number }, k) => {
      write(number, percent(values[k]));
      row.toggleAttribute("data-first", k === first);
    });
    const when = t < this.last ? `After iteration ${t + 1}` : "Prediction";
    write(this.answer, `${when}: ${classes[first]} (${percent(values[first])})`);
    write(this.caption, told.captions[t]);
    write(this.step, `Iteration ${t + 1} of ${this.last + 1}`);
    this.range.ariaValueText = `${t + 1} of ${this.last + 1}`;
    this.range.value = t + 1;
    write(this.result, this.mix ? cut.result : "");
    write(this.legend, this.mix ? cut.legend : "");
  }

  // A word is striped in the colours of the capsules that take it, each as wide as its part, and as strong as the largest.
  paint(word, taken) {
    const sum = taken.reduce((a, b) => a + b, 0) || 1;
    let from = 0;
    const stripes = taken.map((share, j) => {
      const to = from + (100 * share) / sum, stripe = `${this.capsules[j].colour} ${from}% ${to}%`;
      from = to;
      return stripe;
    });
    word.style.setProperty("--mix", `linear-gradient(to right, ${stripes.join(", ")})`);
    word.style.setProperty("--taken", Math.max(...taken).toFixed(3));
  }

  // The words that a capsule takes most from.
  named(shares) {
    const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a]);
    const name = (i) => `${shorten(this.words[i].textContent)} ${percent(shares[i])}`;
    if (shares[order[0]] < NAMED) return "";
    return order.slice(0, 2).filter((i) => shares[i] >= NAMED).map(name).join("\n");
  }

  // Move to another iteration of the chosen run; at once if motion is not wanted.
  go(at, ms) {
    this.halt();
    return this.move(at, ms);
  }

  move(at, ms) {
    const from = { at: this.at, mix: this.mix }, to = { at, mix: +this.isCut };
    if (this.still.matches) ms = 0;
    return new Promise((resolve) => {
      const began = performance.now();
      const frame = (now) => {
        const x = ms ? Math.min(1, Math.max(0, (now - began) / ms)) : 1;
        this.at = x === 1 ? to.at : between(from.at, to.at, ease(x));
        this.mix = x === 1 ? to.mix : between(from.mix, to.mix, ease(x));
        this.draw();
        if (x < 1) this.frame = requestAnimationFrame(frame);
        else resolve();
      };
      if (ms) this.frame = requestAnimationFrame(frame);
      else frame(began);
    });
  }

  async replay() {
    this.halt();
    this.setPlaying(true);
    Object.assign(this, { at: 0, mix: +this.isCut });
    this.draw();
    for (let t = 1; t <= this.last; t++) {
      await new Promise((resolve) => { this.timer = setTimeout(resolve, HOLD_MS); });
      await this.move(t, MOVE_MS);
    }
    this.setPlaying(false);
  }

  stop() {
    this.go(Math.round(this.at), 0);
  }

  halt() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer); // what waits for it ends here
    this.setPlaying(false);
  }

  setPlaying(is) {
    this.isPlaying = is;
    this.play.textContent = is ? "Stop" : "Replay";
  }

  switchCut() {
    this.isCut = !this.isCut;
    this.at = Math.round(this.at);
    this.go(this.last, MOVE_MS);
  }

  close() {
    this.halt();
    this.resized.disconnect();
  }
}

const percentWidth = (v) => `${100 * Math.min(1, v)}%`;

// Streamlit calls this again with new data on the same elements, and may clean up an earlier call after a later one.
export default function ({ parentElement, data: { runs: [run, cut], ...data }, setTriggerValue }) {
  const root = parentElement.querySelector(".rs-story");
  root.component ??= new Story(root);
  root.component.send = setTriggerValue;
  root.component.update({ ...data, run, cut });
  return () => setTimeout(() => { if (!root.isConnected) { root.component?.close(); delete root.component; } });
}
