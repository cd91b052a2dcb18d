// A button that copies a link to the current screen, including its texts, to the clipboard. If the browser does not
// allow that, a field shows the link for copying.

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
  } catch { // refused, or missing because the page is neither local nor encrypted
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
