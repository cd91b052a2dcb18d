// The slider below a run shows the picture of each step. A run that is drawn once has none.
for (const run of document.querySelectorAll("figure.run")) {
  const pictures = run.querySelectorAll("img");
  run.querySelector("input")?.addEventListener("input", (event) => {
    pictures.forEach((picture, k) => { picture.hidden = k + 1 !== event.target.valueAsNumber; });
    run.querySelector("output").textContent = event.target.value;
  });
}
