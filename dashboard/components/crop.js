// A box over a picture: drag it or its corners, or draw another one. A box that keeps its inside is square, as what the
// network reads is, and a box around the whole picture is drawn anew. The server gets the box when it rests.

const LEAST = 5; // smallest side of the box, in percent of the picture's
const STEP = 2; // percent of a side per arrow key
const REST_MS = 400;
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
const within = (value, low, high) => Math.min(Math.max(value, low), high);

class Crop {
  constructor(root) {
    this.picture = root.querySelector(".rs-crop-picture");
    this.box = root.querySelector(".rs-crop-box");
    root.addEventListener("pointerdown", (event) => this.start(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", () => this.end());
    root.addEventListener("pointercancel", () => this.end());
    this.box.addEventListener("keydown", (event) => this.answerKey(event));
  }

  update({ url, across, down, label, isCover }, tell) {
    Object.assign(this, { tell, isCover });
    this.box.setAttribute("aria-label", label);
    this.box.classList.toggle("rs-hides", isCover);
    this.picture.alt = isCover ? "The picture, and the square that is covered" : "The picture as uploaded";
    if (this.picture.getAttribute("src") !== url) this.picture.src = url;
    if (!this.drag && !this.resting) this.show({ l: across[0], r: across[1], t: down[0], b: down[1] });
  }

  show(edges) {
    this.edges = edges;
    const { l, r, t, b } = edges;
    Object.assign(this.box.style, { left: `${l}%`, top: `${t}%`, width: `${r - l}%`, height: `${b - t}%` });
  }

  // The position of the pointer, in percent of the picture's sides.
  place(event) {
    const { left, top, width, height } = this.picture.getBoundingClientRect();
    return [within((100 * (event.clientX - left)) / width, 0, 100), within((100 * (event.clientY - top)) / height, 0, 100)];
  }

  start(event) {
    const [x, y] = this.place(event);
    const { l, r, t, b } = this.edges;
    const isWhole = !this.isCover && r - l > 99 && b - t > 99;
    const corner = event.target.dataset.edges;
    const isNew = !corner && (isWhole || event.target !== this.box);
    if (isNew && !isWhole) {
      this.show({ l: within(x, 0, 100 - LEAST), r: within(x, 0, 100 - LEAST) + LEAST, t: within(y, 0, 100 - LEAST), b: within(y, 0, 100 - LEAST) + LEAST });
    }
    const edges = isNew ? { l: x, r: x, t: y, b: y } : this.edges;
    this.drag = { x, y, edges, isNew, moves: corner ?? "lrtb" };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.box.focus({ preventScroll: true });
  }

  move(event) {
    if (!this.drag) return;
    const [x, y] = this.place(event);
    const { edges, isNew } = this.drag;
    const moves = isNew ? `${x < this.drag.x ? "l" : "r"}${y < this.drag.y ? "t" : "b"}` : this.drag.moves;
    this.change(edges, moves, ...this.squared(edges, moves, x - this.drag.x, y - this.drag.y));
  }

  // The movement of a corner by which a box becomes square, within the picture.
  squared(from, moves, right, down) {
    if (this.isCover || moves.length !== 2) return [right, down];
    const { width, height } = this.picture.getBoundingClientRect();
    const [isRight, isLow] = [moves.includes("r"), moves.includes("b")];
    const wide = from.r - from.l + (isRight ? right : -right);
    const high = from.b - from.t + (isLow ? down : -down);
    const room = Math.min((isRight ? 100 - from.l : from.r) * width, (isLow ? 100 - from.t : from.b) * height);
    const least = LEAST * Math.max(width, height);
    const side = Math.min(Math.max(wide * width, high * height, least), room); // in hundredths of pixels
    const [across, along] = [side / width - (from.r - from.l), side / height - (from.b - from.t)];
    return [isRight ? across : -across, isLow ? along : -along];
  }

  // The movement of the lower right corner by which a square box grows or shrinks by a step in either direction.
  grown(right, down) {
    if (this.isCover) return [right, down];
    const { width, height } = this.picture.getBoundingClientRect();
    const by = right * width + down * height;
    return this.squared(this.edges, "rb", by / width, by / height);
  }

  end() {
    if (!this.drag) return;
    this.drag = null;
    this.rest(0);
  }

  // Move these edges to the right and down, in percent.
  change(from, moves, right, down) {
    const next = { ...from };
    for (const [low, high, by] of [["l", "r", right], ["t", "b", down]]) {
      if (moves.includes(low) && moves.includes(high)) {
        const shift = within(by, -from[low], 100 - from[high]);
        next[low] += shift;
        next[high] += shift;
      } else if (moves.includes(low)) next[low] = within(from[low] + by, 0, from[high] - LEAST);
      else if (moves.includes(high)) next[high] = within(from[high] + by, from[low] + LEAST, 100);
    }
    this.show(next);
  }

  answerKey(event) {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) this.change(this.edges, "rb", ...this.grown(...step));
    else this.change(this.edges, "lrtb", ...step);
    this.rest(REST_MS);
  }

  rest(ms) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.resting = null;
      const { l, r, t, b } = this.edges;
      this.tell([l, r, t, b].map(Math.round));
    }, ms);
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".rs-crop");
  root.crop ??= new Crop(root);
  root.crop.update(data, (box) => setTriggerValue("box", box));
}
