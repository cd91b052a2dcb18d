"""DRNN on one text: what every window of words says, and which words carry it."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import examples, runs, sweeps, widgets
from dashboard.components import scrubber, shading
from dashboard.figures import windows as figures
from dashboard.figures.routing import over_iterations

FORMULA = r"""\begin{gathered}
h_t = \mathrm{RNN}(x_{t-k+1}, \ldots, x_t), \qquad x_s = 0 \text{ left of the text}, \qquad
H_s[t] = \mathrm{unit}(x_t, H_{s-1}[t-1]), \quad H_0 = 0 \\
f_t = \mathrm{MLP}(\mathrm{norm}(h_t)), \qquad v = \max_t f_t, \qquad
p = \mathrm{softmax}(\mathrm{MLP}(v))
\end{gathered}"""
SOURCE = "Wang 2018, eq. 1-10. H_s[t] is the state of window s at word t: one run to the largest gives all of them."
NOT_SHOWN = """The network was trained with one window, named above; what it says with another is its reading, and a
network trained with that one would say it differently: the measured curves are of such networks. Evidence is exact for
this text, whose hidden units of the last layers are open or shut; in another text others are. How many components a
word wins is not how much they matter."""
MANY = 80  # words from which on cells are narrow


def page() -> None:
    st.title("DRNN")
    st.markdown(
        "Watch how many words in a row a decision takes: a disconnected recurrent network reads the last k words at "
        "every place and forgets the rest, and here is what it says with every window at once."
    )
    device = widgets.device()
    name = widgets.checkpoint("drnn", first="drnn-ag")
    most = st.sidebar.slider(
        "Largest window", 1, runs.MOST_WINDOWS, runs.MOST_WINDOWS, key="most", **widgets.IN_ADDRESS
    )
    text = widgets.text_input(*examples.of(runs.about(name)["config"]["corpus"]))
    (trace,) = widgets.traces([name], device, text)
    widgets.share_link(text)
    trace = trace.first(most)
    own = trace.extra["window"]
    with st.container(key="controls"):
        scrubber(most, "Window, words", param="window", address="window", start=min(own, most))
    verdict(trace, own)

    wins, evidence = trace.extra["wins"], trace.extra["evidence"]
    grams = [runs.carries(evidence[k], trace.probabilities[k], k + 1) for k in range(most)]
    chart = over_iterations(trace.probabilities, "probability", trace.classes, [0, 1], along="window")
    st.header("What every window says")
    widgets.charts({"Class by window": chart}, columns=1)
    heatmap = figures.wins_heatmap(wins, trace.tokens, grams, trace.extra["components"], MANY)
    st.header("Which words win the pooling")
    widgets.heatmap(heatmap, "wins", "How many components of the pooled vector each position wins, by window")
    st.header("The words that carry the decision of the chosen window")
    shares = np.zeros((most, len(trace.tokens), 1))
    for k, (start, end) in enumerate(grams):
        shares[k, start:end] = 1
    shading("carried", text, trace.spans, shares, notes(trace, grams), param="window")
    st.caption(
        "They end at the position whose part of the pooled vector adds most to the most probable class, before the "
        "softmax, and begin where the window does."
    )

    shown, tables = sweeps.measured()
    sweeps.to_start()
    widgets.explained(FORMULA, SOURCE, NOT_SHOWN)

    def make_tables() -> dict[str, pd.DataFrame]:
        positions = figures.evidence_table(wins, evidence, trace.tokens, trace.classes)
        return {"windows": by_window(trace, grams), "positions": positions} | tables

    widgets.downloads(trace, make_tables, {"Components won": heatmap, "Class by window": chart} | shown)


def verdict(trace: runs.Trace, own: int) -> None:
    """What the network answers with the window that it was trained with, where that is shown."""
    shown = min(own, trace.n_iters)
    probabilities = trace.probabilities[shown - 1]
    best = int(probabilities.argmax())
    said = f"**{widgets.plain(trace.model)}** says **{widgets.plain(trace.classes[best])}** ({probabilities[best]:.1%})"
    which = "its own window" if shown == own else f"the largest shown; its own is {own}"
    st.markdown(f"{said} with a window of {shown}, {which}, on {trace.device}.")


def notes(trace: runs.Trace, grams: list[tuple[int, int]]) -> list[list[str]]:
    """The heading of the shaded text at each window."""
    found = []
    for k, (start, end) in enumerate(grams):
        best = int(trace.probabilities[k].argmax())
        words = f"{end - start} word" + "s" * (end - start > 1)
        found.append([f"Window {k + 1} · {words} for {trace.classes[best]}, {trace.probabilities[k, best]:.1%}"])
    return found


def by_window(trace: runs.Trace, grams: list[tuple[int, int]]) -> pd.DataFrame:
    """One row a window: the classes, and the words that carry the decision."""
    columns = {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
    carried = [" ".join(trace.tokens[start:end]) for start, end in grams]
    return pd.DataFrame({"window": np.arange(1, trace.n_iters + 1), **columns, "carried by": carried})


page()
