// Shows a trace in a notebook: draws the components of the dashboard's pages and the picture from one view, and lets a
// click pick a cell. If a kernel is there, its widget sends the views, and hears of picks and edits.

const REST_MS = 80; // from the last step of the scrubber to the message about it
const at = (id) => document.getElementById(id);
const tell = (message) => parent.postMessage({ routescope: message }, "*");

// The library that draws the picture is packed in the page.
async function unpack() {
  const packed = Uint8Array.from(atob(at("library").textContent), (letter) => letter.charCodeAt(0));
  const script = document.createElement("script");
  script.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(script);
}

class Notebook {
  constructor(components) {
    this.components = components;
    this.library = unpack();
    this.note = "";
    this.follow = ({ detail }) => this.step(detail);
  }

  // Another view; the picked cell stays if the picture still has it.
  show(view) {
    if (this.view) document.removeEventListener(`routescope:${this.view.param}`, this.follow);
    this.view = view;
    document.querySelector("h1").textContent = view.title;
    at("notices").textContent = view.notices.join(" ");
    this.t ??= view.scrubber.start;
    this.cell = this.cell && this.has(this.cell) ? this.cell : view.cells?.first;
    document.addEventListener(`routescope:${view.param}`, this.follow);
    this.draw("scrubber", { ...view.scrubber, signals: this.signals() });
    this.draw("verdict", view.verdict);
    this.drawPicked();
    this.drawPicture(view.picture);
  }

  draw(name, data) {
    const act = { picked: ([i]) => this.pick(i, this.cell[1]), edits: (edits) => tell({ edits }) };
    this.components[name]({ parentElement: at(name), data, setTriggerValue: (what, value) => act[what]?.(value) });
  }

  has([i, j]) {
    const { columns, rows } = this.view.cells ?? { columns: [], rows: [] };
    return i >= 0 && j >= 0 && i < columns.length && j < rows.length;
  }

  signals() {
    const [i, j] = this.cell ?? [];
    return this.cell ? { picked: i * this.view.cells.rows.length + j } : {};
  }

  // What depends on the picked cell.
  drawPicked() {
    const { cells, shading, param, scrubber, offers, edits, editable } = this.view;
    if (shading) this.draw("shading", this.linesOf(shading));
    at("inspector").querySelector(".rs-inspector").hidden = !cells;
    if (!cells) return;
    this.draw("scrubber", { ...scrubber, signals: this.signals() });
    this.draw("inspector", { cells, cell: this.cell, offers, edits, editable, note: this.note, param, start: scrubber.start });
  }

  // The lines of the shaded text that belong to the picked cell.
  linesOf({ by, count, ...data }) {
    const { unit } = this.view.cells ?? {};
    const [i, j] = this.cell ?? [];
    const from = by ? { row: j, column: i }[by] * count : 0;
    const some = (values) => values?.map((line) => line.slice(from, from + count)) ?? null;
    const words = by !== "column" && unit; // else the columns are not words
    const framed = words ? i : null;
    return { ...data, shares: some(data.shares), notes: some(data.notes), bars: some(data.bars), pickable: Boolean(words), framed };
  }

  async drawPicture(spec) {
    await this.library;
    const { view } = await vegaEmbed(at("picture"), spec, { actions: false, renderer: "svg" });
    view.addEventListener("click", (_, item) => {
      const { i, j, w } = item?.datum ?? {};
      if (i !== undefined) this.pick(i, j ?? w - 1);
    });
  }

  pick(i, j) {
    if (!this.has([i, j])) return;
    this.cell = [i, j];
    if (this.view.cells.rows_are_steps) this.moveTo(j + 1);
    this.drawPicked();
    this.report();
  }

  moveTo(step) {
    const range = document.querySelector(".rs-range");
    if (+range.value === step) return;
    range.value = step;
    range.dispatchEvent(new Event("input"));
  }

  // The scrubber's step; if the rows are steps, the picked cell is in its row.
  step(t) {
    const isNew = t !== this.t;
    this.t = t;
    if (!this.cell || !isNew) return;
    const { rows, rows_are_steps: follows } = this.view.cells;
    const row = Math.min(t, rows.length) - 1;
    if (follows && row !== this.cell[1]) {
      this.cell = [this.cell[0], row];
      this.drawPicked();
    }
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.report(), REST_MS);
  }

  // Indices from 0, and the step from 1.
  report() {
    const { unit, row_unit: row, rows_are_steps: follows } = this.view.cells;
    const [i, j] = this.cell;
    this.picked = { [unit]: i, ...(follows ? {} : { [row]: j }), [this.view.param]: this.t };
    tell({ picked: this.picked });
  }

  // A cell that Python has picked.
  goTo(picked) {
    const { unit, row_unit: row, rows_are_steps: follows } = this.view.cells ?? {};
    if (!unit || JSON.stringify(picked) === JSON.stringify(this.picked)) return;
    const t = picked[this.view.param] ?? this.t;
    this.picked = picked;
    const cell = [picked[unit], follows ? Math.min(t, this.view.cells.rows.length) - 1 : picked[row]];
    if (!this.has(cell)) return;
    this.cell = cell;
    this.moveTo(t);
    this.drawPicked();
  }

  hear({ view, picked, note }) {
    if (note !== undefined) this.note = note;
    if (view) this.show(view);
    else if (note !== undefined && this.view) this.drawPicked();
    if (picked && this.view && Object.keys(picked).length) this.goTo(picked);
  }
}

const notebook = new Notebook(window.routescope);
const kept = at("view").textContent;
if (kept) notebook.hear({ view: { ...JSON.parse(kept), editable: false }, note: "Edits need a running notebook." });
else {
  window.addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.routescope) notebook.hear(data.routescope);
  });
  tell({ ready: true });
}
new ResizeObserver(() => tell({ height: document.body.offsetHeight })).observe(document.body);
