// A tour: one part of the screen after the other in a frame, each with a sentence. The browser's own modal dialog keeps
// the focus, closes at Escape, and gives the focus back to the button. The frame follows its part, which may still move.

const GAP = 8; // pixels between a part, its frame and its sentence
const HEADER = 48; // pixels above a part, which Streamlit's own line covers
const NARROW = 640; // pixels of the window up to which the sentence stays at its foot

class Tour {
  constructor(root) {
    this.root = root;
    this.dialog = root.querySelector("dialog");
    [this.ring, this.card] = this.dialog.children;
    [this.leave, this.back, this.next] = this.card.querySelectorAll("button");
    root.querySelector(".rs-action").onclick = () => this.start();
    this.leave.onclick = () => this.dialog.close();
    this.dialog.onclose = () => {
      root.querySelector(".rs-action").focus();
      if (this.opened) this.send("left", true);
    };
    this.back.onclick = () => this.show(this.step - 1);
    this.next.onclick = () => (this.step + 1 < this.steps.length ? this.show(this.step + 1) : this.dialog.close());
    this.dialog.onkeydown = ({ key }) => {
      if (key === "ArrowRight") this.next.click();
      if (key === "ArrowLeft" && this.step) this.back.click();
    };
  }

  update({ steps, label, opens }, send) {
    this.steps = steps;
    this.send = send;
    this.root.querySelector(".rs-action").lastChild.textContent = label;
    if (opens && !this.opened) this.start();
    this.opened = opens;
  }

  start() {
    if (!this.dialog.open) this.dialog.showModal();
    this.show(0);
    this.follow();
  }

  show(step) {
    this.step = step;
    const [text, foot] = this.card.children;
    text.textContent = this.steps[step].says;
    foot.firstChild.textContent = `${step + 1} of ${this.steps.length}`;
    this.back.hidden = !step;
    this.next.textContent = step + 1 < this.steps.length ? "Next" : "Done";
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const block = innerWidth > NARROW ? "nearest" : "start";
    const part = this.part();
    if (part) part.style.scrollMarginTop = `${HEADER}px`;
    part?.scrollIntoView({ block, behavior: still ? "instant" : "smooth" });
  }

  part() {
    const part = document.querySelector(`.st-key-${this.steps[this.step].key}`);
    const { left, right, width } = part?.getBoundingClientRect() ?? {};
    return width && right > 0 && left < innerWidth ? part : null; // not if it is in a closed sidebar
  }

  follow() {
    if (!this.dialog.open || !this.root.isConnected) return; // the page may be left while the tour is open
    this.place();
    requestAnimationFrame(() => this.follow());
  }

  place() {
    const at = this.part()?.getBoundingClientRect();
    const { width, height } = this.card.getBoundingClientRect();
    this.ring.classList.toggle("rs-nowhere", !at);
    const top = at ? Math.max(GAP, at.top - GAP) : 0;
    const bottom = at ? Math.min(innerHeight - GAP, at.bottom + GAP) : 0;
    const left = at ? Math.max(GAP, at.left - GAP) : 0;
    const right = at ? Math.min(innerWidth - GAP, at.right + GAP) : 0;
    const box = at ? { top, left, width: right - left, height: bottom - top } : {};
    for (const side of ["top", "left", "width", "height"]) this.ring.style[side] = at ? `${Math.round(box[side])}px` : "";
    this.card.style.left = `${this.across({ at, left, right, width })}px`;
    this.card.style.top = `${this.down({ at, top, bottom, height })}px`;
  }

  across({ at, left, right, width }) {
    if (!at || innerWidth <= NARROW) return Math.round((innerWidth - width) / 2);
    const middle = (left + right - width) / 2;
    return Math.round(Math.max(GAP, Math.min(middle, innerWidth - width - GAP)));
  }

  down({ at, top, bottom, height }) {
    if (!at) return Math.round((innerHeight - height) / 2);
    const last = innerHeight - height - GAP;
    if (innerWidth <= NARROW || bottom + GAP <= last) return Math.round(innerWidth <= NARROW ? last : bottom + GAP);
    return Math.round(top - GAP >= height ? top - GAP - height : last);
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".rs-tour");
  root.tour ??= new Tour(root);
  root.tour.update(data, setTriggerValue);
}
