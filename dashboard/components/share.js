// A button that puts a link to what is on screen, texts included, on the clipboard. Where the browser allows no page to
// write there, the link stands in a field to copy it from.

const SAID_MS = 4000;

async function share(root, { entries, refusal }) {
  const said = root.querySelector(".rs-shared span");
  const field = root.querySelector(".rs-shared input");
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(entries)) url.searchParams.set(key, value);
  field.hidden = true;
  said.textContent = refusal;
  if (refusal) return;
  try {
    await navigator.clipboard.writeText(url.href);
    said.textContent = "Link copied.";
    clearTimeout(root.saying);
    root.saying = setTimeout(() => { said.textContent = ""; }, SAID_MS);
  } catch { // refused, or not there: the page is neither on this machine nor encrypted
    said.textContent = "Copy this link:";
    field.value = url.href;
    field.hidden = false;
    field.select();
    field.onblur = () => { said.textContent = ""; };
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".rs-share");
  root.querySelector("button").onclick = () => {
    share(root, data);
    if (!data.refusal) setTriggerValue("shared", true);
  };
}
