"""Two EM routings over a pair of pictures: detected parts to part capsules, and those to five kinds of toy."""

import hashlib

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import poses, runs, toys, widgets
from dashboard.components import scrubber
from dashboard.figures import em, pictures
from dashboard.figures.figure import Figure
from dashboard.figures.routing import over_iterations
from dashboard.runs import pictures as picture_runs

SHOWN = ("What a part takes in", "What a class's score is made of")
FORMULA = r"""\begin{gathered}
V_{ij} = \mu_i W_{(i)j} + B_{(i)j}, \qquad
R_{ij} = \frac{f(a_j)\,P_{ij}}{\sum_k f(a_k)\,P_{ik}}, \qquad P_{ij} = \mathcal{N}(V_{ij};\,\mu_j, \sigma^2_j) \\
D^{use}_{ij} = f(a_i)\,R_{ij}, \qquad
a_j = \sum_i \beta^{use}_{(i)j} D^{use}_{ij} - \sum_i \beta^{ign}_{(i)j} D^{ign}_{ij}, \qquad
\mu_j = \frac{\sum_i D^{use}_{ij} V_{ij}}{\sum_i D^{use}_{ij}} \\
\text{pose vectors: the rows } v \text{ of a class's } 4 \times 4\ \mu_k; \qquad
\frac{|v - v_0|}{|v_0|}, \quad \frac{|v|}{|v_0|}, \quad \cos(v, v_0)\ \text{against the first view's } v_0
\end{gathered}"""
NOT_SHOWN = """A square over the picture is where a detected part's {field} by {field} pixels have their middle, not all
that it saw. D_use and credit say who fed a capsule, not what would change without it. The plane keeps distances between
pose vectors as well as a plane can (see its stress); its directions mean nothing. A direction that cannot be read off a
pose by a straight line may be there in another way. The model was trained to stop at its own count of iterations
({own}): the classes at any other are a reading it was not trained for, and the poses of all views are those of {own}.
The JSON has sums by place; `python -m core explain NAME --image LEFT RIGHT --out FILE` writes all coefficients.
"""
AUTHORS = """Trained on smallNORB's photographs and published with the paper: `smallNORB_pretrained_model_state_dict.pt`
of [heinsen_routing_2019_paper](https://github.com/glassroom/heinsen_routing_2019_paper). Download it, then:"""


def page() -> None:
    st.title("smallNORB")
    st.markdown(
        "Watch what convolutions find in a pair of pictures agree on parts of a toy, and those on its kind; then turn "
        "the toy and watch the pose of its capsule turn."
    )
    device = widgets.device()
    name = widgets.checkpoint("em-smallnorb", first="em-smallnorb")
    own = runs.about(name)["config"]["model"]["n_iters"]
    n_iters = widgets.largest_count(own)
    about_weights(name)
    seen = toys.choose()
    controls = st.container(key="controls")  # stays in sight; filled once the part is known
    shown, tables = views(seen)
    with widgets.or_one_sentence():
        said, notices = picture_runs.sweep(name, device, seen.pictures.images)
    widgets.notices(notices)

    st.header("How one view is routed")
    left, right, _ = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left:
        k = widgets.one_of(len(seen.pictures), "Routed view", "view")
    pair = seen.pictures.images[k]
    with widgets.or_one_sentence():
        whole = picture_runs.look(name, device, pair)
    with right:
        part = which_part(whole.first(own), of=f"{name} {hashlib.sha256(pair.tobytes()).hexdigest()}")
    with controls:
        scrubber(n_iters, signals={"picked": part, "turn": widgets.turn(part)})
        if len(seen.pictures) > 1:
            scrubber(len(seen.pictures), "View", param="view", address="v", start=1, follows="strip")
    trace = whole.first(n_iters)
    widgets.notices(trace.notices)
    widgets.verdict(trace)
    st.caption(widgets.plain(f"Routed: {seen.pictures.names[k]} ({seen.what})."))
    for more_shown, more_tables in (routed(trace, pair[0], part), poses.turning(name, said, seen, trace.classes)):
        shown, tables = shown | more_shown, tables | more_tables
    more_shown, more_tables = poses.readable(name)
    field = trace.extra["centres"]["field"]
    widgets.explained(FORMULA, "Heinsen 2019, eq. 1-8, section 4.3", NOT_SHOWN.format(own=own, field=field))
    widgets.downloads(trace, lambda: tables | more_tables, shown | more_shown)


def about_weights(name: str) -> None:
    """What the weights were trained on, and how to have the author's."""
    training = runs.about(name)["metrics"].get("training")
    data = training.get("data") if isinstance(training, dict) else None
    st.sidebar.caption(widgets.plain(f"Trained on {data}." if data else "Its files do not say what it was trained on."))
    with st.sidebar.expander("The author's own weights"):
        st.markdown(AUTHORS)
        st.code("python -m core.zoo import-heinsen FILE.pt --name heinsen-smallnorb", language="bash", wrap_lines=True)


def views(seen: toys.Seen) -> tuple[dict[str, Figure], dict[str, pd.DataFrame]]:
    """Draws the strip."""
    st.header("The views")
    degrees, names = seen.degrees, list(seen.pictures.names)
    labels = [str(k + 1) for k in range(len(names))] if degrees is None else [f"{d:.0f}°" for d in degrees]
    figure = pictures.strip(seen.pictures.images, names, labels)
    widgets.heatmap(figure, "strip", "The views, left eye above right eye")
    return {"Views": figure}, {}


def which_part(trace: runs.Trace, of: str) -> int:
    """The part that is looked at: the one that decides, unless another is chosen."""
    n_parts = trace.layers[0]["scores"].shape[1]
    return widgets.leading_one_of(n_parts, "Part", "part", runs.leading_part(trace), of=of)


def routed(trace: runs.Trace, picture: np.ndarray, part: int) -> tuple[dict[str, Figure], dict[str, pd.DataFrame]]:
    """Draws how the classes fare, where in the picture a part or a score is taken from, and which parts feed which."""
    left, right = st.columns(2)
    with left:
        kind = widgets.choice(list(SHOWN), "Shown over the left picture", "over")
        figure = over_picture(trace, picture, part, of_part=kind == SHOWN[0])
        widgets.heatmap(figure, "places", kind)
    with right:
        scores = trace.layers[1]["scores"]
        charts = {
            "Class, had it stopped here": over_iterations(trace.probabilities, "probability", trace.classes, [0, 1]),
            "Bang per bit of each class": over_iterations(scores, "aₖ = benefit - cost", trace.classes),
        }
        widgets.charts(charts, columns=1)
    st.markdown("**Which parts feed a class**")
    parts = em.part_heatmap(trace.layers[1]["gate"][..., None] * trace.layers[1]["coupling"], trace.classes)
    widgets.heatmap(parts, "parts", "D_use of every part for every class", {"i": "part"})
    return {kind: figure, **charts, "Parts to classes": parts}, {
        "classes": em.capsule_table(trace.layers[1], trace.classes),
        "places": places(trace, part),
    }


def over_picture(trace: runs.Trace, picture: np.ndarray, part: int, of_part: bool) -> Figure:
    """What a part takes from where, or what a class's score is made of where."""
    if of_part:
        title = [f"D_use: data that part {part + 1} takes", "from the parts detected at a place"]
        return pictures.over_picture(picture, trace.extra["taken_from"][..., part], "D_use", title, **where(trace))
    k = trace.classes.index(widgets.choice(list(trace.classes), "Class", "class"))
    title = [f"credit for {trace.classes[k]}", "(all places' credits sum to its score)"]
    values = trace.extra["credit_by_place"][..., k]
    return pictures.over_picture(picture, values, "credit", title, **where(trace), signed=True)


def places(trace: runs.Trace, part: int) -> pd.DataFrame:
    """The numbers over the picture, of this part and of every class."""
    credit = {f"credit, {name}": trace.extra["credit_by_place"][..., k] for k, name in enumerate(trace.classes)}
    taken = {f"D_use, part {part + 1}": trace.extra["taken_from"][..., part]}
    return pictures.location_table(taken | credit, **where(trace))


def where(trace: runs.Trace) -> dict[str, int]:
    return {key: trace.extra["centres"][key] for key in ("first", "step")}


page()
