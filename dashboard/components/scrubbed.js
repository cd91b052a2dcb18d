// Sends the scrubber's step, which only the browser knows, to the server.

class Scrubbed extends Follower {
  build() {}

  show(step) {
    if (this.told === step) return;
    this.told = step;
    this.setStateValue("step", step);
  }
}

export default mount(Scrubbed, ".rs-scrubbed");
