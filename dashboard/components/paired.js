// The classes of two runs as pairs of bars.

function add(tag, name, parent) {
  const node = document.createElement(tag);
  node.className = name;
  parent.append(node);
  return node;
}

const SIGN = new Intl.NumberFormat("en", { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const SIGN_OF_LENGTH = new Intl.NumberFormat("en", { signDisplay: "exceptZero", minimumFractionDigits: 2, maximumFractionDigits: 2 });

class Paired extends Follower {
  build({ classes }) {
    this.change = this.root.querySelector(".rs-change");
    const list = this.root.querySelector(".rs-pairs");
    list.replaceChildren();
    this.rows = classes.map((name) => {
      const row = add("li", "rs-pair", list);
      const label = add("span", "rs-name", row);
      label.textContent = name;
      label.title = name;
      const both = add("div", "rs-both", row);
      const [before, after] = [0, 1].map(() => add("i", "", add("div", "", both)));
      return { row, before, after, fromTo: add("span", "rs-from-to", row), difference: add("span", "rs-difference", row) };
    });
  }

  show(step) {
    const { before, after, classes, percent, words } = this.data;
    const t = Math.min(step, before.length) - 1;
    const now = after[Math.min(t, after.length - 1)];
    const written = (v) => withUnit(v, percent);
    const first = (values) => values.indexOf(Math.max(...values));
    const [was, is] = [first(before[t]), first(now)];
    this.rows.forEach((row, k) => {
      const [from, to] = [before[t][k], now[k]];
      row.before.style.width = `${100 * Math.min(1, from)}%`;
      row.after.style.width = `${100 * Math.min(1, to)}%`;
      row.fromTo.textContent = `${written(from)} ${words.changes ? "→" : "|"} ${written(to)}`;
      row.difference.textContent = (percent ? SIGN : SIGN_OF_LENGTH).format(printed(to, percent) - printed(from, percent));
      row.row.toggleAttribute("data-first", k === is);
    });
    const answer = document.createElement("strong");
    const both = words.changes
      ? `${classes[was]} → ${classes[is]}`
      : `${classes[was]} ${words.first}, ${classes[is]} ${words.second}`;
    answer.textContent = was === is ? `${words.same_class} ${classes[is]}` : both;
    const same = now.every((value, k) => written(value) === written(before[t][k]));
    if (same) answer.textContent = `${classes[is]} ${written(now[is])}`;
    this.change.replaceChildren(answer, same ? ` ${words.alike}` : " ");
    if (!same) {
      add("i", "rs-key", this.change);
      this.change.append(` ${written(before[t][was])} ${words.first}, `);
      add("i", "rs-key rs-key-after", this.change);
      this.change.append(` ${written(now[is])} ${words.second}`);
    }
  }
}

export default mount(Paired, ".rs-paired");
