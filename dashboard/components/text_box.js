// The box for the user's own text. Only the button, Ctrl+Enter and the examples send it: answers while typing would be
// one more listener here.

// The tab keeps a text that the user ran, and sends it again when it reloads: the address has no text unless the user asks.
const KEPT = "routescope text";

function keep(text, isOwn, send) {
  const [{ type } = {}] = performance.getEntriesByType("navigation");
  const isReloaded = type === "reload" && !window.rsHasText;
  window.rsHasText = true;
  try {
    const kept = sessionStorage.getItem(KEPT);
    if (isOwn) sessionStorage.setItem(KEPT, text);
    else if (isReloaded && kept !== null && kept !== text) send("text", kept);
    else sessionStorage.removeItem(KEPT);
  } catch {} // the browser forbids storage, or it is full: then a reload forgets the text
}

function draw(root, { text, isOwn, examples, longest }, send) {
  const box = root.querySelector(".rs-text-box-text");
  const run = () => send("text", box.value);
  box.maxLength = longest;
  // What the user types stays, even what was typed before this script came or after a text was sent.
  if (box.value === (root.text ?? "")) box.value = text;
  root.text = text.replace(/\r\n?/g, "\n"); // as the box has it
  keep(text, isOwn, send);
  box.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  Object.assign(root.querySelector(".rs-text-box-run"), { onclick: run, disabled: false });
  root.querySelector(".rs-text-box-examples").replaceChildren(...examples.map((example) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = "rs-text-box-chip";
    chip.textContent = example.label;
    chip.title = example.text;
    chip.setAttribute("aria-pressed", String(example.text === text));
    chip.onclick = () => {
      box.value = example.text;
      run();
    };
    return chip;
  }));
}

export default function ({ parentElement, data, setTriggerValue }) {
  draw(parentElement.querySelector(".rs-text-box"), data, setTriggerValue);
}
