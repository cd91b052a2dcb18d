// A pair of pictures, side by side or as a red and cyan anaglyph. A toy turns while it is dragged: the server sends the
// pair from the new direction, and the browser asks for the next one after the answer.

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
    this.button = root.querySelector("button");
    this.button.addEventListener("click", () => {
      this.button.setAttribute("aria-pressed", this.button.getAttribute("aria-pressed") !== "true");
      this.draw();
    });
    this.eyes.addEventListener("pointerdown", (event) => this.start(event));
    this.eyes.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.eyes.addEventListener(end, () => { this.drag = null; });
    this.eyes.addEventListener("keydown", (event) => this.answerKey(event));
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
    Promise.all(data.urls.map(load)).then((images) => {
      if (data !== this.data) return;
      this.images = images;
      this.draw();
    });
  }

  show() {
    const { wanted } = this;
    this.label.textContent = wanted ? `azimuth ${wanted[0]}°, elevation ${wanted[1]}°` : "left and right eye";
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
}
