// The slider below a run shows the picture of each step. A run that is drawn once has none.
for (const run of document.querySelectorAll("figure.run")) {
  const pictures = run.querySelectorAll("img");
  run.querySelector("input")?.addEventListener("input", (event) => {
    pictures.forEach((picture, k) => { picture.hidden = k + 1 !== event.target.valueAsNumber; });
    run.querySelector("output").textContent = event.target.value;
  });
}
// A frame is as high as the page in it, which tells its height.
addEventListener("message", ({ source, data }) => {
  const frame = [...document.querySelectorAll("figure.run iframe")].find((each) => each.contentWindow === source);
  const height = data?.routescope?.height;
  if (frame && height) frame.style.height = `${height + frame.offsetHeight - frame.clientHeight}px`; // with its border
});
