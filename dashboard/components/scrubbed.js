// Tells the server the step that the scrubber is at: only the browser knows it.

class Scrubbed extends Follower {
  build() {}

  show(step) {
    if (this.told === step) return;
    this.told = step;
    this.setStateValue("step", step);
  }
}

export default mount(Scrubbed, ".rs-scrubbed");
