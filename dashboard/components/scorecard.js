// The scorecard: a table that becomes a list of cards where it is narrow. Everything is shown as text.

const MARKS = { yes: "●", partly: "◐", no: "○", "not tested": "–" };

function make(name, text, attributes = {}) {
  const node = document.createElement(name);
  if (text) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

function cell(question, { reply, small }) {
  const node = make("td", "", { role: "cell" });
  const answer = make("span", "", { class: "rs-scorecard-reply", "data-reply": reply });
  answer.append(make("span", `${question} `, { class: "rs-scorecard-label" }));
  answer.append(make("span", `${MARKS[reply]} `, { "aria-hidden": "true" }), make("span", reply));
  node.append(answer, make("small", small));
  return node;
}

export default function ({ data, parentElement }) {
  const table = parentElement.querySelector(".rs-scorecard table");
  const { first, questions, say, rows } = data;
  table.setAttribute("role", "table"); // its own role is lost where it is drawn as cards
  const head = make("tr", "", { role: "row" });
  for (const title of [first, ...questions, say]) head.append(make("th", title, { scope: "col", role: "columnheader" }));
  table.tHead.replaceChildren(head);
  const body = rows.map(({ name, small, replies, sentence }) => {
    const row = make("tr", "", { role: "row" });
    const title = make("th", name, { scope: "row", role: "rowheader" });
    title.append(make("small", small));
    row.append(title, ...replies.map((reply, k) => cell(questions[k], reply)));
    const last = make("td", "", { role: "cell" });
    last.append(make("span", `${say} `, { class: "rs-scorecard-label" }), sentence);
    row.append(last);
    return row;
  });
  table.tBodies[0].replaceChildren(...body);
}
