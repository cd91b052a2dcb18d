"""Two EM routings over a frozen transformer: parts of text to parts of meaning, and those to classes."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs, widgets
from dashboard.components import scrubber
from dashboard.figures import em as figures
from dashboard.figures.figure import Figure
from dashboard.figures.routing import over_iterations

EXAMPLES = {
    "But": "The acting is superb, but the plot never earns its two long hours.",
    "Unlike": "Unlike the first film, which was unwatchably dull, this one is a delight.",
    "Not bad": "It's not a bad film at all; it isn't a great one either.",
    "Plain": "A warm, funny and deeply moving film.",
}
FORMULA = r"""\begin{gathered}
V_{ij} = \mu_i W_{(i)j} + B_{(i)j}, \qquad R_{ij} = \tfrac{1}{n_{out}}, \qquad \text{then, each iteration:} \\
R_{ij} = \frac{f(a_j)\,P_{ij}}{\sum_k f(a_k)\,P_{ik}}, \qquad
P_{ij} = \mathcal{N}(V_{ij};\,\mu_j, \sigma^2_j)\ \text{(E-step, from the second iteration on)} \\
D^{use}_{ij} = f(a_i)\,R_{ij}, \qquad D^{ign}_{ij} = f(a_i) - D^{use}_{ij}\ \text{(D-step)} \\
a_j = \sum_i \beta^{use}_{(i)j} D^{use}_{ij} - \sum_i \beta^{ign}_{(i)j} D^{ign}_{ij}, \qquad
\mu_j = \frac{\sum_i D^{use}_{ij} V_{ij}}{\sum_i D^{use}_{ij}}, \qquad
\sigma^2_j = \frac{\sum_i D^{use}_{ij} (V_{ij} - \mu_j)^2}{\sum_i D^{use}_{ij}}\ \text{(M-step)} \\
\text{credit of } i \text{ for class } k = \sum_j \frac{D^{use}_{ij}}{\sum_{i'} D^{use}_{i'j}}
\left( \beta^{use}_{jk} D^{use}_{jk} - \beta^{ign}_{jk} D^{ign}_{jk} \right)
\end{gathered}"""
NOT_SHOWN = """Credit says who fed the parts that a score is made of, not how the score would change without a word:
every share depends on every word. Above the embeddings a hidden state has read other words too, so credit at a word is
not credit to that word alone. Of the transformer's own attention nothing is shown. The parts have no names: they are
what training found useful. The model was trained to stop at its own count of iterations ({own}): the classes at any
other are a reading it was not trained for."""


def page() -> None:
    st.title("Sentiment capsules")
    st.markdown(
        "Watch the hidden states of a frozen transformer, every layer of every word, agree on parts of meaning, "
        "and those on a class, by “bang per bit”: what an output gains by the data it uses less what it pays for "
        "the rest."
    )
    device = widgets.device()
    name = widgets.checkpoint("em-sst", first="em-sst5")
    own = runs.about(name)["config"]["model"]["n_iters"]
    n_iters = widgets.largest_count(own)
    text = widgets.text_input(EXAMPLES)
    (whole,) = widgets.traces([name], device, text, n_iters)
    trace = whole.first(n_iters)
    widgets.share_link(text)
    controls = st.container(key="controls")  # stays in sight; filled once the part is known
    widgets.verdict(trace)
    pieces = joined(trace)

    st.header("Which words a class's score is made of")
    credit = by_word(trace, trace.extra["credit"]).sum(2)
    shown = {"Credit of words": figures.credit_heatmap(credit, trace.tokens, pieces, trace.classes)}
    widgets.heatmap(shown["Credit of words"], "credit", "Credit of each word for each class, through both routings")

    st.header("Which words and layers feed a part")
    st.caption("A part is one of the capsules between the words and the classes. Choose one here, or click it below.")
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    with left:
        n_parts = trace.layers[0]["scores"].shape[1]
        part = widgets.leading_one_of(n_parts, "Part", "part", runs.leading_part(whole.first(own)), of=f"{name} {text}")
    with right:
        kind = widgets.choice(list(figures.QUANTITIES), "Shown", "show")
    with controls:
        scrubber(n_iters, signals={"picked": part, "turn": widgets.turn(part)})
    of_words = shares(trace, part)
    shown |= of_part(trace, part, kind, of_words[kind], pieces)

    st.header("Which parts feed a class")
    shown |= of_classes(trace)

    st.header("Capsules as Gaussians")
    places = gaussians(trace, part)
    widgets.charts(places, columns=2)

    st.header("How far it has come")
    far = progress(trace)
    widgets.charts(far, columns=3)
    widgets.explained(FORMULA, "Heinsen 2019, eq. 1-8; credit: core/analysis/credit.py", NOT_SHOWN.format(own=own))
    widgets.downloads(trace, lambda: tables(trace, part, of_words, credit), shown | places | far)


def of_part(trace: runs.Trace, part: int, kind: str, values: np.ndarray, pieces: list[str]) -> dict[str, Figure]:
    """Draws what one part takes in and what it gains by it."""
    layer = trace.layers[0]
    heatmap = figures.layer_heatmap(values, trace.tokens, pieces, kind)
    widgets.heatmap(heatmap, "layers", f"{kind} of every word and layer for part {part + 1}")
    if kind != "R":
        st.caption("A word that is there is sure: f(a) = 1, so that D_use = R and D_ign = 1 - R in this routing.")
    terms = np.stack([layer[name][:, part] for name in ("benefit", "cost", "scores")], 1)
    active = layer["activation"][:, [part]]
    bang = {
        f"Bang per bit of part {part + 1}": over_iterations(terms, "aⱼ = benefit - cost", ["benefit", "cost", "score"]),
        f"How active part {part + 1} is": over_iterations(active, "f(aⱼ)", ["f(a)"], [0, 1]),
    }
    widgets.charts(bang, columns=2)
    return {f"{kind} of part {part + 1}": heatmap, **bang}


def of_classes(trace: runs.Trace) -> dict[str, Figure]:
    """Draws what the classes take in and what they gain by it."""
    layer = trace.layers[1]
    heatmap = figures.part_heatmap(layer["gate"][..., None] * layer["coupling"], trace.classes)
    widgets.heatmap(heatmap, "parts", "D_use of every part for every class", {"i": "part"})
    bang = {
        "Bang per bit of each class": over_iterations(layer["scores"], "aₖ = benefit - cost", trace.classes),
        "Benefit": over_iterations(layer["benefit"], "Σ β_use D_use", trace.classes),
        "Cost": over_iterations(layer["cost"], "Σ β_ign D_ign", trace.classes),
    }
    widgets.charts(bang, columns=3)
    return {"Parts to classes": heatmap, **bang}


def gaussians(trace: runs.Trace, part: int) -> dict[str, Figure]:
    """Where the capsules are."""
    parts, classes = ((layer["capsules"], layer["variances"], layer["activation"]) for layer in trace.layers)
    return {
        "Classes: mean, and one standard deviation to each side": figures.gaussians(*classes, trace.classes),
        f"Parts, part {part + 1} in a ring": figures.gaussians(*parts, part_names(trace), part),
    }


def tables(
    trace: runs.Trace, part: int, of_words: dict[str, np.ndarray], credit: np.ndarray
) -> dict[str, pd.DataFrame]:
    """The numbers under the pictures."""
    layers = [str(layer) for layer in range(trace.extra["n_layers"])]
    return {
        "credit": figures.token_table({"credit": credit}, trace.tokens, trace.classes, "class"),
        f"part {part + 1}": figures.token_table(of_words, trace.tokens, layers, "layer"),
        "parts": figures.capsule_table(trace.layers[0], part_names(trace)),
        "classes": figures.capsule_table(trace.layers[1], trace.classes),
    }


def part_names(trace: runs.Trace) -> list[str]:
    return [f"part {j + 1}" for j in range(trace.layers[0]["scores"].shape[1])]


def by_word(trace: runs.Trace, values: np.ndarray) -> np.ndarray:
    """[t, i, ..] to [t, word, layer, ..], summed over a word's pieces."""
    return runs.by_token(values, trace.extra["token_of"], trace.extra["n_layers"])


def joined(trace: runs.Trace) -> list[str]:
    """Each word as the transformer cuts it."""
    pieces: list[list[str]] = [[] for _ in trace.tokens]
    for piece, token in zip(trace.extra["pieces"], trace.extra["token_of"], strict=True):
        pieces[token].append(piece)
    return ["·".join(of_word) for of_word in pieces]


def shares(trace: runs.Trace, part: int) -> dict[str, np.ndarray]:
    """R, D_use and D_ign of one part [t, word, layer], the mean over a word's pieces."""
    layer, pieces = trace.layers[0], np.bincount(trace.extra["token_of"])[:, None]
    coupling = layer["coupling"][:, :, part]
    use = layer["gate"] * coupling
    found = {"R": coupling, "D_use": use, "D_ign": layer["gate"] - use}
    return {name: by_word(trace, values) / pieces for name, values in found.items()}


def progress(trace: runs.Trace) -> dict[str, Figure]:
    """The whole sentence over the iterations."""
    coupling = trace.layers[0]["coupling"]
    places = np.bincount(trace.extra["token_of"]) * trace.extra["n_layers"]
    entropy = by_word(trace, runs.entropy(coupling)).sum(2) / places
    most = [0, math.log2(coupling.shape[2])]
    return {
        "Class, had it stopped here": over_iterations(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Entropy of each word's share (bold: mean)": over_iterations(entropy, "bits", domain=most),
        "Change since the last iteration": over_iterations(
            runs.change(coupling)[:, None], "share moved", ["change"], [0, 1]
        ),
    }


page()
