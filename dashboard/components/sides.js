// The classes of one run or of two as bars at the scrubber's step. Both runs have the same classes.

function add(tag, name, parent, side) {
  const node = document.createElement(tag);
  node.className = name;
  if (side !== undefined) node.dataset.side = side;
  parent.append(node);
  return node;
}

class Sides extends Follower {
  build({ classes, runs }) {
    const answers = this.root.querySelector(".rs-sides-answers");
    answers.replaceChildren();
    this.answers = runs.map(({ name, side }) => {
      const line = add("p", "rs-side rs-side-answer", answers, side);
      add("i", "rs-side-fill", line);
      const text = add("span", "", line);
      text.append(`${name}: `);
      return add("strong", "", text);
    });
    const list = this.root.querySelector(".rs-sides-classes");
    list.replaceChildren();
    this.rows = classes.map((name) => {
      const row = add("li", "rs-sides-class", list);
      const label = add("span", "rs-sides-name", row);
      label.textContent = name;
      label.title = name;
      label.style.gridRow = `span ${runs.length}`;
      return runs.map(({ side }) => {
        const track = add("div", "rs-side rs-sides-track", row, side);
        return { bar: add("div", "rs-side-fill", track), number: add("span", "rs-sides-number", row) };
      });
    });
  }

  show(step) {
    const { classes, percent, runs } = this.data;
    runs.forEach(({ values }, k) => {
      const now = values[Math.min(step, values.length) - 1];
      const first = now.indexOf(Math.max(...now));
      this.answers[k].textContent = `${classes[first]} ${withUnit(now[first], percent)}`;
      this.rows.forEach((row, c) => {
        row[k].bar.style.width = `${100 * Math.min(1, now[c])}%`;
        row[k].number.textContent = withUnit(now[c], percent);
        row[k].number.toggleAttribute("data-first", c === first);
      });
    });
  }
}

export default mount(Sides, ".rs-sides");
