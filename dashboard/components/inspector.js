// The picked cell of a picture in a notebook: its numbers at each step, the edits that it offers, and the edits made.

const NUMBER = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3, useGrouping: false });

function add(tag, text, parent) {
  const node = document.createElement(tag);
  node.textContent = text;
  parent.append(node);
  return node;
}

class Inspector extends Follower {
  constructor(root) {
    super(root);
    [this.title, this.path] = [root.querySelector("h2"), root.querySelector("code")];
    [this.head, this.body] = [root.querySelector("thead"), root.querySelector("tbody")];
    [this.offers, this.edits] = [root.querySelector(".rs-offers"), root.querySelector(".rs-edits")];
    this.note = root.querySelector(".rs-reason");
  }

  build({ cells, cell: [i, j], edits, offers, editable, note }) {
    const { columns, rows, unit, row_unit: rowUnit, quantities } = cells;
    const row = /^\d+$/.test(rows[j]) ? `${rowUnit} ${rows[j]}` : rows[j];
    const column = /^\d+$/.test(columns[i]) ? `${unit} ${columns[i]}` : `“${columns[i]}”`;
    this.title.textContent = `${column} → ${row}`;
    this.head.replaceChildren();
    const names = add("tr", "", this.head);
    for (const name of [this.data.param, ...quantities.map(({ name }) => name)]) add("th", name, names).scope = "col";
    this.body.replaceChildren();
    const n = cells.rows_are_steps ? 1 : quantities[0].values.length;
    this.lines = Array.from({ length: n }, (_, t) => {
      const line = add("tr", "", this.body);
      add("th", cells.rows_are_steps ? rows[j] : t + 1, line).scope = "row";
      for (const { values } of quantities) add("td", NUMBER.format(values[t][i][j]), line);
      return line;
    });
    this.path.hidden = !cells.path;
    this.offer(editable ? offers : [], i, j);
    this.edits.replaceChildren();
    edits.forEach(([form, words], k) => {
      const button = add("button", editable ? `${words} ×` : words, add("li", "", this.edits));
      button.title = form;
      button.disabled = !editable;
      button.setAttribute("aria-label", `Undo: ${words}`);
      button.addEventListener("click", () => this.ask(edits.filter((_, other) => other !== k)));
    });
    this.note.textContent = note;
  }

  offer(offers, i, j) {
    const { unit, row_unit: row } = this.data.cells;
    const named = { i, j, unit, row, "i+1": i + 1, "j+1": j + 1 };
    const fill = (text, more = {}) => text.replace(/\{([^}]+)\}/g, (_, name) => ({ ...named, ...more })[name]);
    this.offers.replaceChildren();
    for (const { label, form, least } of offers) {
      if (j < least) continue;
      const request = (more) => this.ask([...this.data.edits.map(([edit]) => edit), fill(form, more)]);
      if (form.includes("{v}")) this.dose(fill(label), (v) => request({ v }));
      else add("button", fill(label), this.offers).addEventListener("click", () => request());
    }
  }

  dose(label, keep) {
    const form = add("form", "", this.offers);
    const name = add("label", `${label} `, form);
    const value = document.createElement("input");
    Object.assign(value, { type: "number", min: 0, max: 1, step: "any", value: 0, required: true });
    name.append(value);
    add("button", "Set", form);
    form.addEventListener("submit", (event) => { event.preventDefault(); keep(value.value); });
  }

  ask(edits) {
    this.note.textContent = "Running the text again …";
    this.send("edits", edits);
  }

  show(step) {
    const { cells, cell: [i, j] } = this.data;
    const t = Math.min(step, this.lines.length) - 1;
    this.lines.forEach((line, k) => line.toggleAttribute("data-now", !cells.rows_are_steps && k === t));
    const indices = { i, j, t: cells.rows_are_steps ? j : t };
    this.path.textContent = (cells.path ?? "").replace(/\{([ijt])\}/g, (_, name) => indices[name]);
  }
}

export default mount(Inspector, ".rs-inspector");
