// Parts in the plane that a user moves, and several routings of their votes next to it. The server routes them:
// the browser sends the positions of the parts, one message at a time, and shows each answer.

const NS = "http://www.w3.org/2000/svg";
const STEP = 0.05; // grid of positions and sizes, in units of the plane
const TURN = 5; // degrees per key
const SIZES = [0.3, 2.5];
const HANDLE = 1.35; // distance from a part of size 1
const PATIENCE_MS = 2000; // wait for an answer
const REST_MS = 400; // from the last key to the end of the move
const ANSWERS = location.pathname.replace(/\/lab\/?$/, "") + "/lab/answer";
const WIDEST = 12; // pixels, width of a line with the whole share
// A routing's drawing, in its own units: the parts in a column, the wholes in another, and the shares between them.
const FLOW = { width: 250, height: 100, parts: 20, from: 38, to: 196, wholes: 222, wholeSize: 9, partSize: 8, text: 9 };
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
const percent = (share) => `${(100 * share).toFixed(0)}%`;
// The look of whole j: the more active it is, the more opaque.
const lookOf = (j, active) => ({ stroke: colour(j), fill: colour(j), "fill-opacity": 0.3 * active, "stroke-opacity": 0.15 + 0.85 * active });
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
    const message = { number: this.sent, version: this.version, parts: this.parts.map((part) => ({ ...part })), done };
    if (done || !this.data.asked || this.data.hidden) this.setStateValue("scene", message);
    else this.ask(message);
  }

  // While a part moves, the server answers without running the page. If it cannot, the page is run.
  async ask(message) {
    try {
      const body = JSON.stringify({ ...message, asked: this.data.asked });
      const answer = await fetch(ANSWERS, { method: "POST", body });
      if (!answer.ok) throw new Error(answer.status);
      const data = await answer.json();
      if (this.root.isConnected && message.version === this.version) this.update({ ...this.data, ...data });
    } catch {
      if (this.root.isConnected) this.setStateValue("scene", message);
    }
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
    this.release(); // by the keyboard another part may be chosen while one is held
    this.chosen = k;
    this.placeParts();
    this.drawGhosts();
    this.show(this.step);
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
    this.release(); // a part that is held may go
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

  // The votes of the chosen part, or of all; while the user points at a routing, its wholes at the mean of their votes.
  drawGhosts() {
    const { votes, points, frame, labels, runs } = this.data;
    this.ghosts.replaceChildren();
    if (points) {
      drawDots(this.ghosts, points, frame[3] / 80, () => 0.75, (i, j) => this.nameDot(i, j));
      labels.forEach(([i, j]) => this.writeAtDot(this.inputName(i), points[i][j]));
      return;
    }
    const run = runs[this.pointed];
    if (run) { this.drawMeans(run); return; }
    votes.forEach((ofPart, i) => {
      if (i !== this.chosen && !this.showsAll) return;
      ofPart.forEach((vote, j) => {
        const ghost = this.drawWhole(j, { class: "rs-ghost", stroke: colour(j), transform: matrix(vote) }, this.ghosts);
        if (i === this.chosen) ghost.dataset.chosen = "";
      });
    });
  }

  drawMeans(run) {
    const t = Math.min(this.step, run.means.length) - 1;
    run.means[t].forEach((mean, j) => {
      const look = { class: "rs-whole", transform: matrix(mean), ...lookOf(j, run.activation[t][j]) };
      this.drawWhole(j, look, this.ghosts);
    });
  }

  drawWhole(j, attributes, parent) {
    const whole = svg("g", attributes, parent);
    for (const points of this.data.wholes[j]) svg("path", { d: outline(points) }, whole);
    return whole;
  }

  point(r) {
    this.pointed = r;
    this.drawGhosts();
  }

  inputName(i) {
    return this.data.inputs[i].replace(/^“|”$/g, "");
  }

  writeAtDot(text, [x, y]) {
    const size = this.data.frame[3] / 28;
    const look = { class: "rs-word", x: x + size / 3, y: -y - size / 3, "font-size": size, transform: "scale(1 -1)" };
    svg("text", look, this.ghosts).textContent = text;
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
    write(this.about, this.parts.length ? `${this.describe(this.chosen)}. ${this.data.roles[this.parts[this.chosen].kind]}` : "");
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
    const full = `A scene has at most ${most} parts`;
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
    const add = group(isFull ? `${full}.` : "Add");
    for (const kind of kinds) tool(add, `Add a ${kind}`, "", () => this.add(kind), isFull, shapes[kind]);
    const chosen = group("Chosen part");
    tool(chosen, "Turn left", "↺", () => this.change((part) => { part.angle += 3 * TURN; }));
    tool(chosen, "Turn right", "↻", () => this.change((part) => { part.angle -= 3 * TURN; }));
    tool(chosen, "Smaller", "−", () => this.change((part) => { part.size -= 2 * STEP; }));
    tool(chosen, "Larger", "+", () => this.change((part) => { part.size += 2 * STEP; }));
    tool(chosen, "Delete this part", "✕", () => this.remove(), this.parts.length < 2);
    const votes = group("");
    tool(votes, "Show the votes of every part", "All votes", () => this.toggleVotes(votes.lastChild));
    votes.lastChild.setAttribute("aria-pressed", Boolean(this.showsAll));
  }

  toggleVotes(button) {
    this.showsAll = !this.showsAll;
    button.setAttribute("aria-pressed", this.showsAll);
    this.drawGhosts();
  }

  // The routings. Their elements are made once per number of wholes, and then updated.
  drawCards() {
    const { runs, names } = this.data;
    const made = `${names.join()} ${Boolean(this.data.points)} ${runs.map(({ title }) => title).join()}`;
    if (this.made === made) return;
    this.made = made;
    this.pointed = null;
    this.cards = runs.map((run, r) => {
      const card = html("section", "", null, "rs-run");
      card.setAttribute("aria-label", run.title);
      if (!this.data.points) {
        card.tabIndex = 0;
        for (const kind of ["pointerenter", "focusin"]) card.addEventListener(kind, () => this.point(r));
        for (const kind of ["pointerleave", "focusout"]) card.addEventListener(kind, () => this.point(null));
      }
      const head = html("h2", run.title, card);
      html("small", run.quantity, head);
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
      const picture = svg("g", this.data.points ? { transform: "scale(1 -1)" } : {}, small);
      html("p", run.sums, card, "rs-sums");
      const says = html("p", "", card, "rs-says");
      return { card, chosen, rows, small, picture, says };
    });
    this.runs.replaceChildren(...this.cards.map(({ card }) => card));
    this.runs.dataset.n = runs.length;
  }

  show(step) {
    const { runs, outcomes, frame, points, guided } = this.data;
    this.step = step;
    const t = Math.min(step, runs[0].coupling.length) - 1;
    const { verdict, status, done } = outcomes[t];
    write(this.outcome.querySelector("strong"), verdict);
    write(this.outcome.querySelector("span"), status);
    this.outcome.toggleAttribute("data-done", done);
    this.outcome.toggleAttribute("data-guided", guided);
    if (this.pointed !== null && !points) this.drawGhosts();
    this.root.toggleAttribute("data-hidden", Boolean(this.data.hidden));
    this.cards.forEach(({ chosen, rows, small, picture, says }, r) => {
      const run = runs[r];
      const j = run.winners[t];
      chosen.textContent = run.choices[t];
      chosen.style.color = j === null ? "" : colour(j);
      rows.forEach(({ track, bar, number }, k) => {
        track.style.maxWidth = `${100 * run.ceiling}%`; // the track ends at the longest possible bar
        bar.style.width = `${(100 * run.activation[t][k]) / run.ceiling}%`;
        number.textContent = run.activation[t][k].toFixed(2);
      });
      small.setAttribute("viewBox", points ? frame.join(" ") : `0 0 ${FLOW.width} ${FLOW.height}`);
      small.setAttribute("aria-label", run.sentences[t]);
      picture.replaceChildren();
      if (points) this.drawPoints(picture, run, t);
      else this.drawFlow(picture, run, t);
      says.textContent = `${run.sentences[t]} ${run.reasons[t][this.chosen] ?? run.reasons[t][0]}`;
    });
  }

  // Draw the parts on the left, the wholes on the right, and their shares as lines between them, with the numbers of
  // the chosen part. A whole's opacity shows its activation.
  drawFlow(parent, run, t) {
    const { shapes, parts, names } = this.data;
    const middle = (k, n) => (FLOW.height * (k + 0.5)) / n;
    const size = Math.min(FLOW.partSize, (0.4 * FLOW.height) / parts.length);
    parts.forEach((part, i) => {
      const y = middle(i, parts.length);
      names.forEach((_, j) => {
        const share = run.coupling[t][i][j];
        const end = middle(j, names.length);
        const bend = (FLOW.from + FLOW.to) / 2;
        const d = `M${FLOW.from},${y}C${bend},${y} ${bend},${end} ${FLOW.to},${end}`;
        svg("path", { class: "rs-edge", d, stroke: colour(j), "stroke-width": WIDEST * share }, parent);
      });
      const turn = matrix(poseOf({ x: FLOW.parts, y: -y, angle: part.angle, size }));
      const look = { class: "rs-outline", d: outline(shapes[part.kind]), transform: `scale(1 -1) ${turn}` };
      svg("path", look, parent).toggleAttribute("data-chosen", i === this.chosen);
    });
    names.forEach((_, j) => {
      const y = middle(j, names.length);
      const at = `translate(${FLOW.wholes} ${y}) scale(${FLOW.wholeSize} ${-FLOW.wholeSize})`;
      this.drawWhole(j, { class: "rs-whole", transform: at, ...lookOf(j, run.activation[t][j] / run.ceiling) }, parent);
      if (parts.length <= this.chosen) return; // an answer with fewer parts is under way
      const text = svg("text", { class: "rs-share", x: FLOW.to - 4, y: y - 5, "font-size": FLOW.text }, parent);
      text.textContent = percent(run.coupling[t][this.chosen][j]);
    });
  }

  // Draw votes, whose opacity shows their share, a ring at their mean, and a cross at the mean with equal shares.
  drawPoints(parent, run, t) {
    const { points, frame, averages, names } = this.data;
    const c = run.coupling[t];
    const title = (i, j) => `${this.nameDot(i, j)}: ${c[i][j].toFixed(2)}`;
    drawDots(parent, points, frame[3] / 55, (i, j) => c[i][j] / run.largest[t], title);
    const r = frame[3] / 24;
    averages.forEach(([x, y], j) => {
      const d = `M${x - r},${y}H${x + r}M${x},${y - r}V${y + r}`;
      const cross = svg("path", { class: "rs-average", d, stroke: colour(j) }, parent);
      svg("title", {}, cross).textContent = `Average of all votes for ${names[j]}, as equal shares have it`;
    });
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

export default mount(Lab, ".rs-lab");
