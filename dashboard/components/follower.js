// The base of every component that follows a scrubber. Its code is put before each component's own.

// A number of a class as printed. Sentences that compare two numbers use the printed ones.
const printed = (value, percent) => (percent ? 100 * value : value).toFixed(percent ? 1 : 2);
const withUnit = (value, percent) => printed(value, percent) + (percent ? "%" : "");

// Set a bound parameter of every chart.
function push(name, value) {
  const inputs = `form.vega-bindings input[name="${name}"]`;
  for (const input of document.querySelectorAll(inputs)) {
    if (input.value === String(value)) continue;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

class Follower {
  constructor(root) {
    this.root = root;
    this.follow = (event) => this.show(event.detail);
  }

  // data.param: parameter of the scrubber; data.start: step to show without a scrubber.
  update(data) {
    this.close();
    this.data = data;
    this.event = `routescope:${data.param}`;
    document.addEventListener(this.event, this.follow);
    this.build(data);
    const scrubber = document.querySelector(`.rs-scrubber[data-param="${data.param}"] .rs-range`);
    this.show(scrubber ? +scrubber.value : data.start);
  }

  close() {
    document.removeEventListener(this.event, this.follow);
  }
}

// Streamlit calls this again with new data, on the same elements, and may clean up an earlier call after a later one.
// So a component is stored on its element, and closes when the element has left the page.
function mount(Kind, selector) {
  return ({ parentElement, data, setTriggerValue, setStateValue }) => {
    const root = parentElement.querySelector(selector);
    root.component ??= new Kind(root);
    Object.assign(root.component, { send: setTriggerValue, setStateValue }); // both send to the server
    root.component.update(data);
    return () => setTimeout(() => { if (!root.isConnected) { root.component?.close(); delete root.component; } });
  };
}
