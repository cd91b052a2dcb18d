// The sentence of the scrubber's step.

class Finding extends Follower {
  build() {}

  show(step) {
    const { sentences } = this.data;
    const sentence = sentences[Math.min(step, sentences.length) - 1];
    if (this.root.textContent !== sentence) this.root.textContent = sentence; // so that a screen reader reads it once
  }
}

export default mount(Finding, ".rs-finding");
