// A pair of pictures, side by side or as a red and cyan anaglyph. A toy turns while it is dragged: the nearest kept view
// is shown at once, the server sends the pair from the new direction, and the browser asks for the next one after the
// answer. While the slider over the views moves, the pair follows it.

const PIXELS = 7; // pixels of dragging per step
const PATIENCE_MS = 5000;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function load(url) {
  const image = new Image();
  image.src = url;
  return image.decode().then(() => image);
}

class Toy {
  constructor(root) {
    this.eyes = root.querySelector(".rs-toy-eyes");
    this.canvases = [...root.querySelectorAll("canvas")];
    this.label = root.querySelector(".rs-toy-direction");
    this.side = root.querySelector(".rs-toy-side");
    this.button = root.querySelector("button");
    this.button.addEventListener("click", () => {
      this.button.setAttribute("aria-pressed", this.button.getAttribute("aria-pressed") !== "true");
      this.draw();
    });
    this.eyes.addEventListener("pointerdown", (event) => this.start(event));
    this.eyes.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.eyes.addEventListener(end, () => { this.drag = null; });
    this.eyes.addEventListener("keydown", (event) => this.answerKey(event));
    this.follow = ({ detail }) => this.look(detail);
    this.pictures = new Map(); // promises of them, by URL
    this.decoded = new Map();
  }

  update(data, tell) {
    Object.assign(this, { data, tell });
    const isAnswer = this.asked && this.asked.join() === data.direction?.join();
    this.asked = null;
    clearTimeout(this.patience);
    if (data.steps) {
      this.eyes.tabIndex = 0;
      this.eyes.setAttribute("role", "application");
      this.eyes.setAttribute("aria-label", `The toy. Drag it, or use the arrow keys, to turn it by ${data.steps.join(" or ")} degrees.`);
      this.eyes.title = "Drag, or use the arrow keys, to turn the toy";
      if (!isAnswer && !this.drag) this.wanted = data.direction; // another view was chosen
      this.ask();
    } else {
      this.wanted = null;
      for (const name of ["tabindex", "role", "aria-label", "title"]) this.eyes.removeAttribute(name);
    }
    this.show();
    const urls = [...data.urls, ...data.kept.urls.flat()];
    for (const kept of [this.pictures, this.decoded]) for (const url of kept.keys()) if (!urls.includes(url)) kept.delete(url);
    for (const url of urls) this.picture(url); // decoded before they are needed
    this.listen();
    this.look(this.at ?? data.kept.number);
  }

  listen() {
    document.removeEventListener(this.event, this.follow);
    this.event = `routescope:${this.data.kept.param}`;
    document.addEventListener(this.event, this.follow);
  }

  close() {
    document.removeEventListener(this.event, this.follow);
  }

  picture(url) {
    if (!this.pictures.has(url)) this.pictures.set(url, load(url).then((image) => this.decoded.set(url, image)));
    return this.pictures.get(url);
  }

  // Show a view: the exact pair if it is nearest to that view, and a kept one otherwise.
  look(number) {
    const { data } = this;
    const { kept } = data;
    this.at = number;
    const isExact = number === kept.number || !kept.urls[number - 1];
    const isAsked = this.wanted && this.nearest(this.wanted) !== number;
    if (isAsked && kept.directions[number - 1]) { // the slider has moved, and not the toy
      this.wanted = isExact ? data.direction : kept.directions[number - 1];
      this.show();
    }
    const urls = isExact ? data.urls : kept.urls[number - 1];
    const draw = () => {
      if (data !== this.data || this.at !== number) return;
      this.images = urls.map((url) => this.decoded.get(url));
      this.draw();
    };
    if (urls.every((url) => this.decoded.has(url))) draw();
    else Promise.all(urls.map((url) => this.picture(url))).then(draw);
  }

  // The number of the kept view nearest to a direction, along the direction that changes from view to view.
  nearest(direction) {
    const { directions, number } = this.data.kept;
    const turns = [0, 1].filter((k) => new Set(directions.map((one) => one[k])).size > 1);
    if (turns.length !== 1) return number;
    const away = directions.map((one) => Math.abs((((one[turns[0]] - direction[turns[0]] + 180) % 360) + 360) % 360 - 180));
    return away.indexOf(Math.min(...away)) + 1;
  }

  show() {
    const { wanted, data } = this;
    const { sides } = data;
    this.label.textContent = wanted ? `azimuth ${wanted[0]}°, elevation ${wanted[1]}°` : "left and right eye";
    this.side.textContent = wanted && sides ? `seen ${sides[Math.round(wanted[0] / (360 / sides.length)) % sides.length]}` : "";
  }

  draw() {
    if (!this.images) return;
    const { width, height } = this.images[0];
    const [left, right] = this.images.map((image, k) => {
      const canvas = this.canvases[k];
      Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      return { context, pixels: context.getImageData(0, 0, width, height) };
    });
    const isAnaglyph = this.button.getAttribute("aria-pressed") === "true";
    this.canvases[1].hidden = isAnaglyph;
    if (!isAnaglyph) return;
    for (let k = 0; k < left.pixels.data.length; k += 4) { // red from the left eye, green and blue from the right eye
      left.pixels.data[k + 1] = right.pixels.data[k + 1];
      left.pixels.data[k + 2] = right.pixels.data[k + 2];
    }
    left.context.putImageData(left.pixels, 0, 0);
  }

  start(event) {
    if (!this.wanted) return;
    this.drag = { x: event.clientX, y: event.clientY, from: this.wanted };
    this.eyes.setPointerCapture(event.pointerId);
    this.eyes.focus({ preventScroll: true });
    event.preventDefault();
  }

  move(event) {
    if (!this.drag) return;
    const { x, y, from } = this.drag;
    this.turn(from, Math.round((event.clientX - x) / PIXELS), Math.round((event.clientY - y) / PIXELS));
  }

  answerKey(event) {
    const step = ARROWS[event.key];
    if (!step || !this.wanted) return;
    event.preventDefault();
    event.stopPropagation();
    this.turn(this.wanted, ...step);
  }

  // The direction after some steps around and up.
  turn([azimuth, elevation], around, up) {
    const { steps, elevations } = this.data;
    const raised = Math.min(Math.max(elevation + up * steps[1], elevations[0]), elevations[1]);
    this.wanted = [(((azimuth + around * steps[0]) % 360) + 360) % 360, raised];
    this.show();
    const nearest = this.nearest(this.wanted);
    if (nearest !== this.at) document.dispatchEvent(new CustomEvent(`routescope:to-${this.data.kept.param}`, { detail: nearest }));
    this.ask();
  }

  ask() {
    const [azimuth, elevation] = this.data.direction;
    if (this.asked || (this.wanted[0] === azimuth && this.wanted[1] === elevation)) return;
    this.asked = this.wanted;
    this.tell(this.wanted);
    this.patience = setTimeout(() => { this.asked = null; }, PATIENCE_MS);
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".rs-toy");
  root.toy ??= new Toy(root);
  root.toy.update(data, (direction) => setTriggerValue("direction", direction));
  return () => setTimeout(() => { if (!root.isConnected) { root.toy?.close(); delete root.toy; } });
}
