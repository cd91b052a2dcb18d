// A button that sends the page's address, because only the browser knows the scrubber's step.

export default function ({ parentElement, data, setTriggerValue }) {
  const button = parentElement.querySelector(".rs-action");
  const [icon, label] = button.children;
  icon.textContent = data.icon;
  label.textContent = data.label;
  button.title = data.help;
  button.onclick = () => setTriggerValue("address", location.search);
}
