// The classes as bars at the scrubber's step. After an edit, hollow bars show the run before it. While a dose moves,
// the filled bars follow it. While a slider over other inputs moves, they show what is kept of these.

function make(tag, name, parent) {
  const node = document.createElement(tag);
  node.className = name;
  parent.append(node);
  return node;
}

const SIGN = { signDisplay: "exceptZero" };
const CHANGE = [1, 2].map((digits) => new Intl.NumberFormat("en", { ...SIGN, minimumFractionDigits: digits, maximumFractionDigits: digits }));

class Verdict extends Follower {
  constructor(root) {
    super(root);
    this.answer = root.querySelector(".rs-answer");
    this.doubt = root.querySelector(".rs-doubt");
    this.note = root.querySelector(".rs-note");
    this.followDose = ({ detail }) => { this.dosed = detail; this.show(this.step); };
    this.followInput = ({ detail }) => { this.input = detail; this.show(this.step); };
  }

  update(data) {
    super.update(data);
    if (data.doses) document.addEventListener("routescope:dose", this.followDose);
    if (data.kept) document.addEventListener(`routescope:${data.kept.param}`, this.followInput);
  }

  close() {
    super.close();
    document.removeEventListener("routescope:dose", this.followDose);
    if (this.data?.kept) document.removeEventListener(`routescope:${this.data.kept.param}`, this.followInput);
  }

  build({ classes, colours, kept }) {
    this.dosed = null;
    this.input = kept && document.querySelector(`.rs-scrubber[data-param="${kept.param}"] .rs-range`)?.valueAsNumber;
    const list = this.root.querySelector(".rs-classes");
    list.replaceChildren();
    this.rows = classes.map((name, k) => {
      const row = make("li", "rs-class", list);
      const label = make("span", "rs-name", row);
      label.textContent = name;
      label.title = name;
      const track = make("div", "rs-track", row);
      const bar = make("div", "rs-bar", track);
      bar.style.background = colours[k];
      return { row, bar, hollow: make("div", "rs-hollow", track), number: make("span", "rs-number", row), change: make("span", "rs-difference", row) };
    });
  }

  show(step) {
    this.step = step;
    const { classes, percent, kept } = this.data;
    const isKept = kept && this.input && this.input !== kept.number && this.input <= kept.values.length;
    const values = isKept ? [kept.values[this.input - 1]] : this.data.values;
    const notes = isKept ? [kept.notes[this.input - 1]] : this.data.notes;
    const t = Math.min(step, values.length) - 1;
    const now = this.dosed ? this.dosed[Math.min(t, this.dosed.length - 1)] : values[t];
    const was = this.data.before?.[Math.min(t, this.data.before.length - 1)] ?? (this.dosed ? values[t] : null);
    this.root.toggleAttribute("data-changed", was !== null);
    const written = (v) => withUnit(v, percent);
    const first = (numbers) => numbers.indexOf(Math.max(...numbers));
    const width = (v) => `${100 * Math.min(1, v)}%`;
    this.rows.forEach(({ row, bar, hollow, number, change }, k) => {
      bar.style.width = width(now[k]);
      hollow.style.width = was ? width(was[k]) : 0;
      number.textContent = written(now[k]);
      number.title = was ? `${written(was[k])} before` : "";
      change.textContent = was ? CHANGE[percent ? 0 : 1].format(printed(now[k], percent) - printed(was[k], percent)) : "";
      row.toggleAttribute("data-first", k === first(now));
    });
    const doubt = isKept ? null : this.data.doubt; // it is about the run on screen
    this.doubt.hidden = !doubt;
    [...this.doubt.children].forEach((part, k) => { part.textContent = doubt?.[k] ?? ""; });
    const is = first(now);
    const answer = document.createElement("strong");
    answer.textContent = was && first(was) !== is ? `${classes[first(was)]} → ${classes[is]}` : classes[is];
    this.answer.replaceChildren(was ? "With your edit: " : "Prediction: ", answer, ` (${written(now[is])})`);
    const isSame = was && now.every((value, k) => written(value) === written(was[k]));
    const change = !was ? "" : isSame ? "No number changes. " : "Hollow bars: before the edit. ";
    this.note.textContent = change + notes[t];
  }
}

export default mount(Verdict, ".rs-verdict");
