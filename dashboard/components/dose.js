// A slider for the dose of an edit. While it moves, the bars and the picture follow it in the browser. When it rests, the
// dose becomes an edit.

const REST_MS = 400;

class Dose extends Follower {
  constructor(root) {
    super(root);
    this.range = root.querySelector(".rs-dose-range");
    this.range.addEventListener("input", () => { this.dosed = true; this.show(this.step); });
    this.range.addEventListener("change", () => {
      clearTimeout(this.resting);
      const value = this.data.values[+this.range.value];
      this.resting = setTimeout(() => this.root.isConnected && this.send("kept", value), REST_MS);
    });
  }

  build({ label, values, value }) {
    clearTimeout(this.resting); // the dose was for the thing picked before
    if (this.dosed) this.tell(null);
    this.dosed = false;
    this.root.querySelector(".rs-dose-name").textContent = label;
    this.range.max = values.length - 1;
    const away = values.map((dose) => Math.abs(dose - value));
    this.range.value = away.indexOf(Math.min(...away));
  }

  show(step) {
    this.step = step;
    const { values, value } = this.data;
    const written = (this.dosed ? values[+this.range.value] : value).toFixed(2);
    this.root.querySelector("output").textContent = written;
    this.range.setAttribute("aria-valuetext", written);
    if (this.dosed) this.tell(+this.range.value);
  }

  // Tell the bars and the charts the numbers at this dose; null takes them back.
  tell(level) {
    const { probabilities, cells } = this.data;
    const detail = level === null ? null : probabilities[level];
    document.dispatchEvent(new CustomEvent("routescope:dose", { detail }));
    const steps = level === null ? null : cells?.[level];
    push("dosed", steps ? steps[Math.min(this.step, steps.length) - 1].join(",") : "");
  }

  close() {
    super.close();
    if (this.dosed && !this.root.isConnected) this.tell(null);
  }
}

export default mount(Dose, ".rs-dose");
