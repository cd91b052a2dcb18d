// The classes as bars at the scrubber's step, with a line over all steps next to each bar.

const SVG = "http://www.w3.org/2000/svg";

function make(tag, name, parent) {
  const node = document.createElement(tag);
  node.className = name;
  parent.append(node);
  return node;
}

// A line over all steps, from 0 at the bottom to 1 at the top, and a mark at the scrubber's step.
function sparkline(values, parent) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "rs-over");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const at = document.createElementNS(SVG, "line");
  const path = document.createElementNS(SVG, "path");
  const x = (t) => (values.length > 1 ? (100 * t) / (values.length - 1) : 50);
  path.setAttribute("d", `M${values.map((v, t) => `${x(t)},${100 - 100 * Math.min(1, v)}`).join("L")}`);
  at.setAttribute("y1", 0);
  at.setAttribute("y2", 100);
  svg.append(at, path);
  parent.append(svg);
  return (t) => { at.setAttribute("x1", x(t)); at.setAttribute("x2", x(t)); };
}

class Verdict extends Follower {
  build({ classes, values }) {
    this.answer = this.root.querySelector(".rs-answer");
    const list = this.root.querySelector(".rs-classes");
    list.replaceChildren();
    this.rows = classes.map((name, k) => {
      const row = make("li", "rs-class", list);
      const label = make("span", "rs-name", row);
      label.textContent = name;
      label.title = name;
      const bar = make("div", "rs-bar", make("div", "rs-track", row));
      const number = make("span", "rs-number", row);
      const mark = sparkline(values.map((step) => step[k]), row);
      return { row, bar, number, mark };
    });
  }

  show(step) {
    const { values, classes, percent, notes } = this.data;
    const t = Math.min(step, values.length) - 1;
    const written = (v) => withUnit(v, percent);
    const first = values[t].indexOf(Math.max(...values[t]));
    this.rows.forEach(({ row, bar, number, mark }, k) => {
      bar.style.width = `${100 * Math.min(1, values[t][k])}%`;
      number.textContent = written(values[t][k]);
      row.toggleAttribute("data-first", k === first);
      mark(t);
    });
    const answer = document.createElement("strong");
    answer.textContent = `${classes[first]} ${written(values[t][first])}`;
    this.answer.replaceChildren(answer, ` ${notes[t]}`);
  }
}

export default mount(Verdict, ".rs-verdict");
