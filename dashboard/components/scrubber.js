// The iteration's one master. Nothing here asks the server for anything.

const STEP_MS = 900;

function push(name, value) {
  const inputs = `form.vega-bindings input[name="${name}"]`;
  for (const input of document.querySelectorAll(inputs)) {
    if (input.value === String(value)) continue;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// A chart wider than its place scrolls: then the keyboard must reach it.
function makeReachable() {
  for (const chart of document.querySelectorAll(".stVegaLiteChart")) {
    if (chart.scrollWidth > chart.clientWidth) chart.tabIndex = 0;
    else chart.removeAttribute("tabindex");
  }
}

class Scrubber {
  constructor(root) {
    this.range = root.querySelector(".rs-range");
    this.shown = root.querySelector(".rs-value");
    this.button = root.querySelector(".rs-play");
    this.label = root.querySelector(".rs-label");
    this.page = location.pathname;
    this.timer = null;
    this.range.addEventListener("input", () => { this.pause(); this.set(+this.range.value); });
    this.button.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    // Streamlit rewrites the address from its own copy, and charts mount when they are ready: both need telling again.
    this.remember = () => this.toAddress();
    window.navigation?.addEventListener("currententrychange", this.remember);
    window.addEventListener("resize", makeReachable);
    this.watch = new MutationObserver((changes) => {
      const isChart = (node) => node.nodeType === 1 && (node.matches("form, .vega-bind, input") || node.querySelector("form.vega-bindings"));
      if (changes.some((change) => [...change.addedNodes].some(isChart))) queueMicrotask(() => this.pushAll());
      clearTimeout(this.settled);
      this.settled = setTimeout(makeReachable, 200); // once the chart has its size
    });
    this.watch.observe(document.body, { childList: true, subtree: true });
  }

  update(data) {
    const asked = Number.parseInt(new URL(location.href).searchParams.get("t"), 10);
    const value = this.value ?? (Number.isNaN(asked) ? data.n : asked);
    Object.assign(this, { n: data.n, signals: data.signals });
    this.label.textContent = data.label;
    this.range.max = data.n;
    this.range.setAttribute("aria-label", data.label);
    this.set(value);
  }

  set(value) {
    this.value = Math.min(Math.max(value, 1), this.n);
    this.range.value = this.value;
    this.shown.textContent = `${this.value} of ${this.n}`;
    this.range.setAttribute("aria-valuetext", this.shown.textContent);
    this.pushAll();
    this.toAddress();
    document.dispatchEvent(new CustomEvent("routescope:iteration", { detail: this.value }));
  }

  pushAll() {
    push("iteration", this.value);
    for (const [name, value] of Object.entries(this.signals)) push(name, value);
  }

  toAddress() {
    const url = new URL(location.href);
    if (url.pathname !== this.page || url.searchParams.get("t") === String(this.value)) return;
    url.searchParams.set("t", this.value);
    history.replaceState(history.state, "", url);
  }

  play() {
    this.button.textContent = "Pause";
    this.set((this.value % this.n) + 1);
    this.timer = setInterval(() => this.set((this.value % this.n) + 1), STEP_MS);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Play";
  }

  close() {
    this.pause();
    this.watch.disconnect();
    clearTimeout(this.settled);
    window.removeEventListener("resize", makeReachable);
    window.navigation?.removeEventListener("currententrychange", this.remember);
  }
}

const mounted = new WeakMap();

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".rs-scrubber");
  if (!mounted.has(root)) mounted.set(root, new Scrubber(root));
  mounted.get(root).update(data);
  return () => { mounted.get(root)?.close(); mounted.delete(root); };
}
