// A button that sends the page's address: only the browser knows the step that the scrubber is at.

export default function ({ parentElement, data, setTriggerValue }) {
  const button = parentElement.querySelector(".rs-action");
  const [icon, label] = button.children;
  icon.textContent = data.icon;
  label.textContent = data.label;
  button.title = data.help;
  button.onclick = () => setTriggerValue("address", location.search);
}
