// The sentence that answers which unit takes a word most. While the user types, it is made here, from the table of all
// words, in the words of core/sentences/unit_finder.py; Enter has the server say it, and open the unit.

const BEGINNINGS = 3; // words that are named for a word that is not known

function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

class Finder extends Follower {
  constructor(root) {
    super(root);
    this.type = ({ target }) => {
      if (target.closest?.(`.st-key-${this.data.box}`)) this.say(this.answer(target.value));
    };
  }

  update(data) {
    this.close();
    if (this.data?.table !== data.table) {
      this.words = new Map(data.table.split("\n").map((line) => line.split("\t")).map(([word, ...row]) => [word, row]));
    }
    this.data = data;
    document.addEventListener("input", this.type);
    this.say(data.says);
  }

  close() {
    document.removeEventListener("input", this.type);
  }

  say(sentence) {
    if (this.root.textContent !== sentence) this.root.textContent = sentence; // so that a screen reader reads it once
  }

  answer(typed) {
    const { unit, input, least } = this.data;
    const word = typed.trim().split(/\s+/).join(" ");
    if (!word) return "";
    const row = this.words.get(word.toLowerCase());
    if (!row) return this.unknown(word, input, least);
    const [count, ...pairs] = row;
    const amounts = pairs.map((pair, k) => {
      const [number, lift] = pair.split(" ");
      return `${number} (${lift} times${k ? "" : ` an average ${input}`})`;
    });
    const units = `${unit}${amounts.length > 1 ? "s" : ""} ${listed(amounts)}`;
    return `“${word}”, which occurs ${(+count).toLocaleString("en")} times, is taken most by ${units}.`;
  }

  unknown(word, input, least) {
    if (input !== "word") return `There is no ${input} “${word}”. The first one is “${input} 1”.`;
    if (word.includes(" ")) return "Type a single word.";
    const begin = [];
    for (const known of this.words.keys()) {
      if (known.startsWith(word.toLowerCase()) && begin.push(known) === BEGINNINGS) break;
    }
    const others = begin.length ? ` Known words that begin so: ${listed(begin)}.` : "";
    return `“${word}” occurs fewer than ${least} times in these texts, so nothing is known about it.${others}`;
  }
}

export default mount(Finder, ".rs-found");
