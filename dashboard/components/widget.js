// The notebook's side of a trace: a frame with the page, apart from the notebook's styles and scripts, and what both say.

const NAMES = ["view", "picked", "note"]; // what Python tells the page

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Routescope";
  frame.sandbox = "allow-scripts";
  frame.style.cssText = "display: block; width: 100%; height: 36rem; border: 0;";
  frame.srcdoc = PAGE;
  const send = (...names) => {
    const message = Object.fromEntries(names.map((name) => [name, model.get(name)]));
    frame.contentWindow?.postMessage({ routescope: message }, "*");
  };
  const keep = (name, value) => { model.set(name, value); model.save_changes(); };
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || !data?.routescope) return;
    const { ready, height, picked, edits } = data.routescope;
    if (ready) send(...NAMES);
    if (height) frame.style.height = `${height}px`;
    if (picked) keep("picked", picked);
    if (edits) keep("asked", edits);
  };
  const listeners = NAMES.map((name) => [`change:${name}`, () => send(name)]);
  for (const [event, listener] of listeners) model.on(event, listener);
  window.addEventListener("message", hear);
  el.append(frame);
  return () => {
    for (const [event, listener] of listeners) model.off(event, listener);
    window.removeEventListener("message", hear);
  };
}

export default { render };
