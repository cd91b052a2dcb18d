// The slider that controls one parameter of all charts, such as the iteration. The server learns only of a step at which
// a slider that tells it has rested.

const STEP_MS = 900;
const PHONE = "(max-width: 640px)";
const SMALLER = 0.7273; // size of a colour bar on a phone, as in style.css
const FRAMED_MS = 200; // time for a chart to draw its new frame
const REST_MS = 80; // time without a move after which the server is told

const CHART = ".stVegaLiteChart";
const AROUND = `.stElementContainer:has(${CHART})`; // scrolls on a phone, where it is narrower than the chart

// Make everything that scrolls, and every chart with a frame that arrow keys move, reachable by keyboard.
function makeReachable() {
  for (const box of document.querySelectorAll(".stVegaLiteChart, .rs-shading p")) {
    const around = box.closest(AROUND);
    const across = [box, around].some((it) => it && it.scrollWidth > it.clientWidth);
    const scrolls = across || box.scrollHeight > box.clientHeight + 1;
    if (scrolls || box.querySelector("input[name^='picked']")) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

const CELLS = "svg .mark-rect.role-mark path";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const picks = new WeakMap(); // cells picked by keyboard, by chart, until the server's answer puts a frame around them

// An arrow key in a heat map picks the next cell in its direction, like a click.
function pickNext(chart, [right, down]) {
  const cells = [...chart.querySelectorAll(CELLS)];
  const picked = picks.get(chart);
  const framed = cells.find((cell) => cell.getAttribute("stroke-width") === "4");
  const from = picked?.isConnected && performance.now() < picked.until ? picked : framed;
  if (!from) return;
  const { left, top, width, height } = from.getBoundingClientRect();
  const x = left + width * (0.5 + right);
  const y = top + height * (0.5 + down);
  const next = cells.find((cell) => {
    const box = cell.getBoundingClientRect();
    return box.left <= x && x < box.right && box.top <= y && y < box.bottom;
  });
  if (!next) return;
  next.until = performance.now() + 1000;
  picks.set(chart, next);
  next.dispatchEvent(new MouseEvent("click", { bubbles: true, view: window, clientX: x, clientY: y }));
}

function scrolls(box) {
  return box && box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === "auto";
}

// Scroll a wide picture until the cell with the frame is visible.
function showFramed() {
  for (const cell of document.querySelectorAll(`${CHART} ${CELLS}[stroke-width="4"]`)) {
    const box = [cell.closest(AROUND), cell.closest(CHART)].find(scrolls);
    if (!box) continue;
    const [inner, outer] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) box.scrollLeft += inner.left - outer.left - outer.width / 2;
  }
}

// Pixels of the page per pixel of a picture, which is larger under a finger.
function zoomOf(mark) {
  const svg = mark.ownerSVGElement;
  return svg.getBoundingClientRect().width / svg.width.baseVal.value || 1;
}

// On a phone, colour bars begin at the left end of a picture, above the names of its rows.
function roomOfNames(legend) {
  if (!matchMedia(PHONE).matches || !legend.querySelector(".role-legend-gradient")) return 0;
  const [plot, bar] = [legend.ownerSVGElement, legend].map((it) => it.querySelector("g").transform.baseVal[0]?.matrix.e ?? 0);
  return plot + bar * SMALLER;
}

// Keep the names of the rows, the title and the colour bar visible while a wide picture scrolls.
function keepRowNames(event) {
  if (!event.target.matches?.(`${CHART}, ${AROUND}`)) return;
  const { scrollLeft } = event.target;
  for (const axis of event.target.querySelectorAll("svg g.role-axis[aria-label^='Y-axis']")) {
    axis.style.transform = `translateX(${scrollLeft / zoomOf(axis)}px)`;
    axis.style.filter = scrollLeft ? "url(#rs-on-page)" : ""; // draws the page's colour over the cells
  }
  for (const title of event.target.querySelectorAll("svg g.role-title")) title.style.translate = `${scrollLeft / zoomOf(title)}px`;
  for (const legend of event.target.querySelectorAll("svg g.role-legend")) {
    legend.style.translate = `${scrollLeft / zoomOf(legend) - roomOfNames(legend)}px`;
  }
}

// The same after a picture was drawn again.
function keepScrolled() {
  for (const target of document.querySelectorAll(AROUND)) keepRowNames({ target });
  for (const target of document.querySelectorAll(CHART)) if (target.scrollLeft) keepRowNames({ target });
}

// A click ends a picture's tip, which would cover its words until the pointer moves.
function hideTip(event) {
  if (event.target.closest?.(CHART)) document.querySelector("#vg-tooltip-element")?.classList.remove("visible");
}

// Vega refers to the gradient of a colour bar by the whole address, which breaks when the address changes.
function keepGradients() {
  for (const bar of document.querySelectorAll('svg [fill^="url("]')) {
    bar.setAttribute("fill", bar.getAttribute("fill").replace(/^url\([^#]*#/, "url(#"));
  }
}

class Scrubber {
  constructor(root) {
    this.root = root;
    this.range = root.querySelector(".rs-range");
    this.shown = root.querySelector(".rs-value");
    this.button = root.querySelector(".rs-play");
    this.label = root.querySelector(".rs-label");
    this.mark = root.querySelector(".rs-trained");
    this.page = location.pathname;
    this.timer = null;
    this.passed = new Set(); // steps since the server's step was on screen
    this.goTo = ({ detail }) => { this.pause(); this.set(detail, false); };
    this.open = new AbortController();
    const { signal } = this.open;
    this.range.addEventListener("input", () => { this.pause(); this.set(+this.range.value); }, { signal });
    this.button.addEventListener("click", () => (this.timer ? this.pause() : this.play()), { signal });
    // Streamlit rewrites the address from its own copy, and charts mount late, so set both again.
    window.navigation?.addEventListener("currententrychange", () => { this.toAddress(); keepGradients(); }, { signal });
    window.addEventListener("resize", makeReachable, { signal });
    document.addEventListener("keydown", (event) => this.answerKey(event), { signal });
    document.addEventListener("click", hideTip, { signal });
    document.addEventListener("scroll", keepRowNames, { signal, capture: true, passive: true });
    this.watch = new MutationObserver((changes) => {
      const isChart = (node) => node.nodeType === 1 && (node.matches("form, .vega-bind, input") || node.querySelector("form.vega-bindings"));
      if (changes.some((change) => [...change.addedNodes].some(isChart))) {
        this.isNew = true;
        queueMicrotask(() => this.pushAll());
      }
      clearTimeout(this.settled);
      this.settled = setTimeout(() => this.settle(), 200); // after the chart has its size
    });
    this.watch.observe(document.body, { childList: true, subtree: true });
  }

  update(data) {
    const asked = Number.parseInt(new URL(location.href).searchParams.get(data.address), 10);
    const isOver = this.value > data.n; // the new things are fewer, so the server has chosen one of them
    const isOther = data.tells ? this.isMoved(data.start) || isOver : data.subject && data.subject !== this.subject;
    const begins = this.value !== undefined && isOther;
    const first = data.tells || Number.isNaN(asked) ? data.start : asked;
    const value = begins ? data.start : this.value ?? first;
    this.subject = data.subject;
    const { n, param, address, signals, follows, trained, tells, label, play } = data;
    if (signals.picked !== this.signals?.picked) setTimeout(showFramed, FRAMED_MS);
    Object.assign(this, { n, param, address, signals, follows, trained, tells, name: label, start: play, known: data.start });
    document.removeEventListener(`routescope:to-${param}`, this.goTo);
    if (tells) document.addEventListener(`routescope:to-${param}`, this.goTo);
    this.mark.hidden = !trained || n === 1 || trained > n;
    if (!this.mark.hidden) this.mark.style.left = `calc(8px + (100% - 16px) * ${(trained - 1) / (n - 1)})`;
    this.root.dataset.param = data.param;
    this.root.setAttribute("aria-label", label);
    this.label.textContent = label;
    this.range.max = n;
    this.nameButton();
    this.set(value);
  }

  // Whether the server has moved the slider by itself, and not as an answer.
  isMoved(start) {
    const isAnswer = this.passed.has(start);
    if (start === this.value) this.passed.clear();
    return start !== this.known && !isAnswer;
  }

  // isNews: whether the server does not learn of this step otherwise.
  set(value, isNews = true) {
    this.value = Math.min(Math.max(value, 1), this.n);
    this.range.value = this.value;
    const isBeyond = Boolean(this.trained) && this.value > this.trained;
    this.shown.textContent = `${this.value} of ${this.n}${isBeyond ? ", beyond training" : ""}`;
    if (this.trained) document.body.toggleAttribute("data-beyond", isBeyond);
    this.passed.add(this.value);
    this.range.setAttribute("aria-valuetext", this.shown.textContent);
    document.dispatchEvent(new CustomEvent(`routescope:${this.param}`, { detail: this.value })); // before slower charts
    this.pushAll();
    this.follow();
    this.toAddress();
    clearTimeout(this.rest);
    if (this.tells && isNews && this.value !== this.known) this.rest = setTimeout(() => this.report(), REST_MS);
  }

  report() {
    this.tell?.("step", this.value);
  }

  settle() {
    makeReachable();
    keepGradients();
    if (this.isNew) {
      this.follow();
      showFramed();
      keepScrolled();
    }
    this.isNew = false;
  }

  pushAll() {
    push(this.param, this.value);
    for (const [name, value] of Object.entries(this.signals)) push(name, value);
  }

  follow() {
    const box = this.follows && document.querySelector(`.st-key-${this.follows} .stVegaLiteChart`);
    if (box) box.scrollLeft = ((this.value - 0.5) / this.n) * box.scrollWidth - box.clientWidth / 2;
  }

  toAddress() {
    const url = new URL(location.href);
    if (url.pathname !== this.page || url.searchParams.get(this.address) === String(this.value)) return;
    url.searchParams.set(this.address, this.value);
    try {
      history.replaceState(history.state, "", url);
      keepGradients();
    } catch {
      // Safari refuses more than a hundred changes in half a minute: then only the address lags behind.
    }
  }

  // The space key plays the first scrubber, unless a button or a text has the focus.
  answerKey(event) {
    const { key, target } = event;
    if (event.defaultPrevented || document.querySelector(".rs-scrubber") !== this.root) return;
    if (ARROWS[key] && target.matches(CHART) && target.querySelector("input[name^='picked']")) {
      event.preventDefault();
      pickNext(target, ARROWS[key]);
    } else if (key === " " && (target === document.body || target.matches(`.rs-range, ${CHART}`))) {
      event.preventDefault();
      this.button.click();
    }
  }

  play() {
    this.set((this.value % this.n) + 1);
    this.timer = setInterval(() => this.set((this.value % this.n) + 1), STEP_MS);
    this.nameButton();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.nameButton();
  }

  // Screen readers hear which slider the button moves, as a page may have two.
  nameButton() {
    this.button.textContent = this.timer ? "Pause" : this.start;
    this.button.setAttribute("aria-label", `${this.button.textContent}, ${this.name}`);
  }

  close() {
    this.pause();
    document.body.removeAttribute("data-beyond");
    this.watch.disconnect();
    clearTimeout(this.settled);
    clearTimeout(this.rest);
    document.removeEventListener(`routescope:to-${this.param}`, this.goTo);
    this.open.abort();
  }
}

// Streamlit calls this again with new data, on the same elements, and may clean up an earlier call
// after a later one. So the scrubber is stored on its element, and closes when the element has left the page.
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".rs-scrubber");
  root.scrubber ??= new Scrubber(root);
  root.scrubber.tell = setTriggerValue;
  root.scrubber.update(data);
  return () => setTimeout(() => { if (!root.isConnected) { root.scrubber?.close(); delete root.scrubber; } });
}
