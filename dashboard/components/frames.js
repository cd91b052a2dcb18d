// Makes a Plotly chart show the frame of the scrubber's step, with the chart's own buttons: one per frame.

class Frames extends Follower {
  build({ chart }) {
    this.selector = `.st-key-${chart} .js-plotly-plot`;
    this.watch ??= new MutationObserver(() => this.catchUp()); // the chart comes later, and may be redrawn
    this.watch.observe(document.querySelector(".stMain"), { childList: true, subtree: true });
  }

  show(step) {
    this.step = step;
    this.catchUp();
  }

  // The last trace of the chart is the frame, and its meta is the frame's number.
  catchUp() {
    const plot = document.querySelector(this.selector);
    if (plot && plot !== this.plot) {
      this.plot = plot;
      plot.on?.("plotly_afterplot", () => this.catchUp());
    }
    const button = plot?.querySelectorAll(".updatemenu-button")[this.step - 1];
    if (!button || plot.data?.at(-1)?.meta === this.step || this.waiting) return;
    button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    this.waiting = setTimeout(() => { this.waiting = null; this.catchUp(); }, 100);
  }

  close() {
    super.close();
    this.watch?.disconnect();
    clearTimeout(this.waiting);
    this.waiting = null;
  }
}

export default mount(Frames, ".rs-frames");
