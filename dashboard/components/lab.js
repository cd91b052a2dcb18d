// Parts in the plane that a user moves, and several routings of their votes next to it. The server routes them:
// the browser sends the positions of the parts, one message at a time, and shows each answer.

const NS = "http://www.w3.org/2000/svg";
const STEP = 0.05; // grid of positions and sizes, in units of the plane
const TURN = 5; // degrees per key
const SIZES = [0.3, 2.5];
const HANDLE = 1.35; // distance from a part of size 1
const PATIENCE_MS = 2000; // wait for an answer
const REST_MS = 400; // from the last key to the end of the move
const WIDEST = 9; // pixels, width of an edge with the whole share
const KEYS = {
  ArrowLeft: (p, far) => { p.x -= far; },
  ArrowRight: (p, far) => { p.x += far; },
  ArrowDown: (p, far) => { p.y -= far; },
  ArrowUp: (p, far) => { p.y += far; },
  "[": (p) => { p.angle += TURN; },
  "]": (p) => { p.angle -= TURN; },
  "+": (p) => { p.size += STEP; },
  "=": (p) => { p.size += STEP; },
  "-": (p) => { p.size -= STEP; },
};

function svg(tag, attributes, parent) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent?.append(node);
  return node;
}

function html(tag, text, parent, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  parent?.append(node);
  return node;
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const onGrid = (value, step = STEP) => Math.round(value / step) * step;
const degrees = (angle) => ((((onGrid(angle, TURN) + 180) % 360) + 360) % 360) - 180;
const poseOf = ({ x, y, angle, size }) => {
  const turn = (angle * Math.PI) / 180;
  return [x, y, size * Math.cos(turn), size * Math.sin(turn)];
};
// The similarity transform of a pose [x, y, s cos, s sin] in SVG.
const matrix = ([x, y, u, v]) => `matrix(${u} ${v} ${-v} ${u} ${x} ${y})`;
const outline = (points) => `M${points.map(([x, y]) => `${x},${y}`).join("L")}Z`;
const colour = (j) => `var(--w${j % 5})`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

class Lab extends Follower {
  constructor(root) {
    super(root);
    this.plane = root.querySelector(".rs-plane");
    this.tools = root.querySelector(".rs-tools");
    this.about = root.querySelector(".rs-part");
    this.outcome = root.querySelector(".rs-outcome");
    this.runs = root.querySelector(".rs-runs");
    this.sent = this.answered = 0;
    this.plane.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.plane.addEventListener(end, () => this.release());
  }

  // Ignore an answer to a message before the last answered one, unless the server has replaced the parts.
  update(data) {
    const isNew = data.version !== this.version;
    if (!isNew && data.answers < this.answered) return;
    if (isNew) {
      this.version = data.version;
      this.parts = data.parts.map((part) => ({ ...part }));
      this.chosen = 0;
      this.held = null;
      this.sent = data.answers;
      this.isStale = false;
    }
    this.answered = data.answers;
    super.update(data);
    if (isNew) this.drawParts();
    if (this.answered >= this.sent) this.settled();
  }

  // The messages: only one is under way at a time, and the next one has the changes made meanwhile.
  tell(done) {
    this.done = done;
    if (this.waits) { this.isStale = true; return; }
    this.isStale = false;
    this.sent += 1;
    this.waits = setTimeout(() => this.settled(), PATIENCE_MS);
    this.setStateValue("scene", { number: this.sent, version: this.version, parts: this.parts, done });
  }

  settled() {
    clearTimeout(this.waits);
    this.waits = null;
    if (this.isStale) this.tell(this.done);
  }

  close() {
    super.close();
    clearTimeout(this.waits);
    clearTimeout(this.rest);
  }

  // The actions of the user.
  change(act, done = true) {
    const part = this.parts[this.chosen];
    if (!part) return;
    act(part);
    const [left, top, width, height] = this.data.frame;
    part.x = clamp(onGrid(part.x), left, left + width);
    part.y = clamp(onGrid(part.y), -top - height, -top);
    part.angle = degrees(part.angle);
    part.size = clamp(onGrid(part.size), ...SIZES);
    this.placeParts();
    this.tell(done);
  }

  choose(k) {
    this.chosen = k;
    this.placeParts();
    this.drawGhosts();
  }

  add(kind) {
    const n = this.parts.length;
    this.parts.push({ kind, x: onGrid(-2.4 + 0.7 * n), y: -2.4, angle: 0, size: 1 });
    this.chosen = n;
    this.drawParts();
    this.tell(true);
    this.items[n].focus();
  }

  remove() {
    if (this.parts.length < 2) return;
    this.parts.splice(this.chosen, 1);
    this.chosen = Math.min(this.chosen, this.parts.length - 1);
    this.drawParts();
    this.tell(true);
    this.items[this.chosen].focus();
  }

  answerKey(event) {
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove();
    } else if (KEYS[event.key] && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.change((part) => KEYS[event.key](part, event.shiftKey ? 10 * STEP : 2 * STEP), false);
      clearTimeout(this.rest); // a held key is one move
      this.rest = setTimeout(() => this.tell(true), REST_MS);
    }
  }

  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.plane.getScreenCTM().inverse());
    return [at.x, -at.y];
  }

  hold(event, k, turns) {
    event.preventDefault();
    this.items[k].focus({ preventScroll: true });
    this.choose(k);
    const [x, y] = this.place(event);
    this.held = { turns, x: this.parts[k].x - x, y: this.parts[k].y - y };
    this.items[k].dataset.held = "";
    this.plane.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.held) return;
    const [x, y] = this.place(event);
    this.change((part) => {
      if (this.held.turns) {
        part.angle = (Math.atan2(y - part.y, x - part.x) * 180) / Math.PI - 90;
        part.size = Math.hypot(x - part.x, y - part.y) / HANDLE;
      } else {
        part.x = x + this.held.x;
        part.y = y + this.held.y;
      }
    }, false);
  }

  release() {
    if (!this.held) return;
    this.held = null;
    delete this.items[this.chosen].dataset.held;
    this.tell(true);
  }

  // The plane.
  build(data) {
    this.plane.setAttribute("viewBox", data.frame.join(" "));
    if (!this.up) {
      this.up = svg("g", { transform: "scale(1 -1)" }, this.plane);
      this.ghosts = svg("g", { "aria-hidden": "true" }, this.up);
      this.handles = svg("g", { class: "rs-handle", "aria-hidden": "true" }, this.up);
      this.movable = svg("g", {}, this.up);
      this.handles.addEventListener("pointerdown", (event) => this.hold(event, this.chosen, true));
    }
    this.drawGhosts();
    this.drawCards();
  }

  drawGhosts() {
    const { votes, points, places, shapes, kinds, frame } = this.data;
    this.ghosts.replaceChildren();
    if (points) { drawDots(this.ghosts, points, frame[3] / 80, () => 0.75, (i, j) => this.nameDot(i, j)); return; }
    votes.forEach((ofPart, i) => ofPart.forEach((vote, j) => {
      const ghost = svg("g", { class: "rs-ghost", stroke: colour(j), transform: matrix(vote) }, this.ghosts);
      if (i === this.chosen) ghost.dataset.chosen = "";
      kinds.forEach((kind, k) => svg("path", { d: outline(shapes[kind]), transform: matrix(places[j][k]) }, ghost));
    }));
  }

  nameDot(i, j) {
    return `${this.data.inputs[i]} for ${this.data.names[j]}`;
  }

  drawParts() {
    this.items = this.parts.map((part, k) => {
      const item = svg("g", { class: "rs-item", tabindex: 0, role: "button", "aria-roledescription": "movable part" });
      svg("path", { d: outline(this.data.shapes[part.kind]) }, item);
      item.addEventListener("focus", () => { if (this.chosen !== k) this.choose(k); });
      item.addEventListener("keydown", (event) => this.answerKey(event));
      item.addEventListener("pointerdown", (event) => this.hold(event, k, false));
      return item;
    });
    this.movable.replaceChildren(...this.items);
    this.drawTools();
    this.placeParts();
  }

  placeParts() {
    this.items.forEach((item, k) => {
      item.setAttribute("transform", matrix(poseOf(this.parts[k])));
      item.setAttribute("aria-label", this.describe(k));
      item.toggleAttribute("data-chosen", k === this.chosen);
      item.setAttribute("aria-pressed", k === this.chosen);
    });
    write(this.about, this.parts.length ? `${this.describe(this.chosen)}.` : "");
    this.handles.replaceChildren();
    const part = this.parts[this.chosen];
    if (!part) return;
    const [x, y, u, v] = poseOf({ ...part, size: part.size * HANDLE });
    const [tipX, tipY] = [x - v, y + u];
    svg("line", { x1: x, y1: y, x2: tipX, y2: tipY }, this.handles);
    svg("circle", { class: "rs-grip", cx: tipX, cy: tipY, r: 0.42 }, this.handles);
    svg("circle", { cx: tipX, cy: tipY, r: 0.14 }, this.handles);
  }

  describe(k) {
    const { kind, x, y, angle, size } = this.parts[k];
    const numbers = `at ${x.toFixed(2)}, ${y.toFixed(2)}, turned ${angle}°, size ${size.toFixed(2)}`;
    return `${capital(kind)}, part ${k + 1} of ${this.parts.length}: ${numbers}`;
  }

  drawTools() {
    const { kinds, shapes, most } = this.data;
    const isFull = this.parts.length >= most;
    const group = (name) => {
      const row = html("div", "", this.tools);
      html("span", name, row);
      return row;
    };
    const tool = (row, label, text, act, disabled = false, shape = null) => {
      const button = html("button", text, row);
      button.type = "button";
      button.disabled = disabled;
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
      if (!shape) return;
      const icon = svg("svg", { viewBox: "-1.9 -1.9 3.8 3.8", "aria-hidden": "true" }, button);
      svg("path", { d: outline(shape), transform: "scale(1 -1)" }, icon);
    };
    this.tools.replaceChildren();
    this.tools.hidden = this.about.hidden = !this.parts.length;
    if (!this.parts.length) return;
    const add = group("Add");
    for (const kind of kinds) tool(add, `Add a ${kind}`, "", () => this.add(kind), isFull, shapes[kind]);
    const chosen = group("Chosen");
    tool(chosen, "Turn left", "↺", () => this.change((part) => { part.angle += 3 * TURN; }));
    tool(chosen, "Turn right", "↻", () => this.change((part) => { part.angle -= 3 * TURN; }));
    tool(chosen, "Smaller", "−", () => this.change((part) => { part.size -= 2 * STEP; }));
    tool(chosen, "Larger", "+", () => this.change((part) => { part.size += 2 * STEP; }));
    tool(chosen, "Delete this part", "✕", () => this.remove(), this.parts.length < 2);
  }

  // The routings. Their elements are made once per number of wholes, and then updated.
  drawCards() {
    const { runs, names } = this.data;
    const made = `${names.join()} ${Boolean(this.data.points)}`;
    if (this.made === made) return;
    this.made = made;
    this.cards = runs.map((run) => {
      const card = html("section", "", null, "rs-run");
      card.setAttribute("aria-label", run.title);
      const head = html("h2", run.title, card);
      const chosen = html("span", "", head);
      const bars = html("div", "", card, "rs-bars");
      bars.toggleAttribute("data-many", names.length > 2);
      const rows = names.map((name, j) => {
        const row = html("div", "", bars);
        html("span", name, row);
        const track = html("div", "", row);
        const bar = html("i", "", track);
        bar.style.background = colour(j);
        return { track, bar, number: html("b", "", row) };
      });
      const small = svg("svg", { class: "rs-small", role: "img", "data-many": names.length > 2 }, card);
      const picture = svg("g", { transform: "scale(1 -1)" }, small);
      const says = html("p", "", card, "rs-says");
      const curves = html("div", "", card, "rs-curves");
      const lines = run.curves.map(([name]) => curve(name, curves));
      return { card, chosen, rows, small, picture, says, lines };
    });
    this.runs.replaceChildren(...this.cards.map(({ card }) => card));
  }

  show(step) {
    const { runs, outcomes, close, guided } = this.data;
    const t = Math.min(step, runs[0].coupling.length) - 1;
    const { verdict, status, done } = outcomes[t];
    write(this.outcome.querySelector("strong"), verdict);
    write(this.outcome.querySelector("span"), status);
    this.outcome.toggleAttribute("data-done", done);
    this.outcome.toggleAttribute("data-guided", guided);
    this.cards.forEach(({ chosen, rows, small, picture, says, lines }, r) => {
      const run = runs[r];
      const j = run.winners[t];
      chosen.textContent = run.choices[t];
      chosen.style.color = j === null ? "" : colour(j);
      rows.forEach(({ track, bar, number }, k) => {
        track.style.maxWidth = `${100 * run.ceiling}%`; // the track ends at the longest possible bar
        bar.style.width = `${(100 * run.activation[t][k]) / run.ceiling}%`;
        number.textContent = run.activation[t][k].toFixed(2);
      });
      small.setAttribute("viewBox", close.join(" "));
      small.setAttribute("aria-label", run.sentences[t]);
      picture.replaceChildren();
      if (this.data.points) this.drawPoints(picture, run, t);
      else this.drawWholes(picture, run, t);
      says.textContent = run.sentences[t];
      lines.forEach((line, k) => line(run.curves[k][1], t));
    });
  }

  // Draw wholes at the mean of their votes. Opacity shows activation, and the width of an edge its share.
  drawWholes(parent, run, t) {
    const { kinds, places, shapes, parts } = this.data;
    run.means[t].forEach((mean, j) => {
      const active = run.activation[t][j];
      const look = { stroke: colour(j), fill: colour(j), "fill-opacity": 0.28 * active, "stroke-opacity": 0.12 + 0.88 * active };
      const whole = svg("g", { class: "rs-whole", transform: matrix(mean), ...look }, parent);
      kinds.forEach((kind, k) => svg("path", { d: outline(shapes[kind]), transform: matrix(places[j][k]) }, whole));
    });
    parts.forEach((part, i) => {
      svg("path", { class: "rs-outline", d: outline(shapes[part.kind]), transform: matrix(poseOf(part)) }, parent);
      run.means[t].forEach(([x, y], j) => {
        const width = WIDEST * run.coupling[t][i][j];
        svg("line", { class: "rs-edge", x1: part.x, y1: part.y, x2: x, y2: y, stroke: colour(j), "stroke-width": width }, parent);
      });
    });
  }

  // Draw votes, whose opacity shows their share, and a ring at their mean.
  drawPoints(parent, run, t) {
    const { points, frame } = this.data;
    const c = run.coupling[t];
    const title = (i, j) => `${this.nameDot(i, j)}: ${c[i][j].toFixed(2)}`;
    drawDots(parent, points, frame[3] / 55, (i, j) => c[i][j] / run.largest[t], title);
    const r = frame[3] / 24;
    run.means[t].forEach(([x, y], j) => {
      const active = 0.15 + 0.85 * run.activation[t][j];
      svg("circle", { class: "rs-mean", cx: x, cy: y, r, stroke: colour(j), "stroke-opacity": active, "fill-opacity": active }, parent);
    });
  }
}

function drawDots(parent, points, r, opacity, title) {
  points.forEach((ofInput, i) => ofInput.forEach(([x, y], j) => {
    const dot = svg("circle", { class: "rs-dot", cx: x, cy: y, r, fill: colour(j), opacity: opacity(i, j) }, parent);
    svg("title", {}, dot).textContent = title(i, j);
  }));
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text; // so that a screen reader reads it once
}

// A line over all iterations, scaled from its smallest to its largest value, and a rule at the slider's step.
function curve(name, parent) {
  const figure = html("figure", "", parent);
  const caption = html("figcaption", "", figure);
  html("span", name, caption);
  const number = html("b", "", caption);
  const box = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, figure);
  const at = svg("line", { y1: 0, y2: 100 }, box);
  const path = svg("path", {}, box);
  return (values, t) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const x = (k) => (values.length > 1 ? (100 * k) / (values.length - 1) : 50);
    const y = (value) => (high - low > 1e-9 ? 95 - (90 * (value - low)) / (high - low) : 50);
    path.setAttribute("d", `M${values.map((value, k) => `${x(k)},${y(value)}`).join("L")}`);
    at.setAttribute("x1", x(t));
    at.setAttribute("x2", x(t));
    number.textContent = values[t].toFixed(2);
  };
}

export default mount(Lab, ".rs-lab");
