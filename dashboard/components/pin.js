// A button that sends the page's address: only the browser knows the step that the scrubber is at.

export default function ({ parentElement, setTriggerValue }) {
  parentElement.querySelector(".rs-pin").onclick = () => setTriggerValue("address", location.search);
}
