"""Two EM routings over a pair of pictures: detected parts to part capsules, and those to five kinds of toy."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs, toys, widgets
from dashboard.components import scrubber
from dashboard.figures import em, pictures, poses
from dashboard.figures.figure import Figure
from dashboard.figures.readable import read_off
from dashboard.figures.routing import over_iterations

SHOWN = ("What a part takes in", "What a class's score is made of")
QUANTITIES = {
    "distance": "|v - v₀| / |v₀|",
    "norm": "|v| / |v₀|",
    "cosine": "cos(v, v₀)",
}
FORMULA = r"""\begin{gathered}
V_{ij} = \mu_i W_{(i)j} + B_{(i)j}, \qquad
R_{ij} = \frac{f(a_j)\,P_{ij}}{\sum_k f(a_k)\,P_{ik}}, \qquad P_{ij} = \mathcal{N}(V_{ij};\,\mu_j, \sigma^2_j) \\
D^{use}_{ij} = f(a_i)\,R_{ij}, \qquad
a_j = \sum_i \beta^{use}_{(i)j} D^{use}_{ij} - \sum_i \beta^{ign}_{(i)j} D^{ign}_{ij}, \qquad
\mu_j = \frac{\sum_i D^{use}_{ij} V_{ij}}{\sum_i D^{use}_{ij}} \\
\text{pose vectors: the rows } v \text{ of the winning class's } 4 \times 4\ \mu_k; \qquad
\frac{|v - v_0|}{|v_0|}, \quad \frac{|v|}{|v_0|}, \quad \cos(v, v_0)\ \text{against the first view's } v_0
\end{gathered}"""
NOT_SHOWN = """A square over the picture is where a detected part's {field} by {field} pixels have their middle, not all
that it saw. D_use and credit say who fed a capsule, not what would change without it. The plane keeps distances between
pose vectors as well as a plane can (see its stress); its directions mean nothing. The model was trained to stop at its
own count of iterations ({own}): the classes at any other are a reading it was not trained for, and the poses of all
views are those of {own}."""


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
    n_views = len(seen.pictures)
    controls = st.container(key="controls")  # stays in sight; filled once the part is known

    st.header("The views")
    shown = {"Views": views(seen)}
    with widgets.or_one_sentence():
        said = runs.sweep(name, device, seen.pictures.images)
    winner = int(said.probabilities.mean(0).argmax())

    st.header("How one view is routed")
    left, right, _ = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left:
        k = widgets.one_of(n_views, "Routed view", "view")
    with widgets.or_one_sentence():
        whole = runs.look(name, device, seen.pictures.images[k])
    trace = whole.first(n_iters)
    widgets.notices(trace.notices)
    widgets.verdict(trace)
    st.caption(widgets.plain(f"Routed: {seen.pictures.names[k]} ({seen.what})."))
    with right:
        part = which_part(whole.first(own), f"{name} {seen.what} {k}")
    with controls:
        scrubber(n_iters, signals={"picked": part, "turn": widgets.turn(part)})
        if n_views > 1:
            scrubber(n_views, "View", param="view", address="v", start=1)
    places, where = places_in(trace, seen.pictures.images[k, 0], part)
    parts = em.part_heatmap(trace.layers[1]["gate"][..., None] * trace.layers[1]["coupling"], trace.classes)
    st.markdown("**Which parts feed a class**")
    widgets.heatmap(parts, "parts", "D_use of every part for every class", {"i": "part"})
    shown |= places | {"Parts to classes": parts}

    tables = {"classes": em.capsule_table(trace.layers[1], trace.classes), "places": where}
    if n_views > 1:
        st.header("How the pose turns")
        turned, numbers = pose(name, said.poses[:, winner], seen, trace.classes[winner])
        shown |= turned
        tables |= numbers
    readable(name)
    field = trace.extra["centres"]["field"]
    widgets.explained(FORMULA, "Heinsen 2019, eq. 1-8, section 4.3", NOT_SHOWN.format(own=own, field=field))
    widgets.downloads(trace, tables, shown)


def about_weights(name: str) -> None:
    """What the weights were trained on, and how to have the author's."""
    training = runs.about(name)["metrics"].get("training", {})
    st.sidebar.caption(widgets.plain(f"Trained on {training.get('data', 'what its files do not say')}."))
    with st.sidebar.expander("The author's own weights"):
        st.markdown(
            "Trained on smallNORB's photographs, published with the paper (glassroom/heinsen_routing_2019_paper on "
            "GitHub). Download the file, then:"
        )
        st.code("python -m core.zoo import-heinsen FILE.pt --name heinsen-smallnorb", language="bash", wrap_lines=True)


def views(seen: toys.Seen) -> Figure:
    """Draws the strip."""
    degrees, names = seen.degrees, list(seen.pictures.names)
    labels = [str(k + 1) for k in range(len(names))] if degrees is None else [f"{d:.0f}°" for d in degrees]
    figure = pictures.strip(seen.pictures.images, names, labels)
    widgets.heatmap(figure, "strip", "The views, left eye above right eye")
    return figure


def which_part(trace: runs.Trace, of: str) -> int:
    n_parts = trace.layers[0]["scores"].shape[1]
    return widgets.leading_one_of(n_parts, "Part", "part", runs.leading_part(trace), of=of)


def places_in(trace: runs.Trace, picture: np.ndarray, part: int) -> tuple[dict[str, Figure], pd.DataFrame]:
    """Draws where in the picture a part is taken from, or a class's score; and how the classes fare."""
    credit, taken = trace.extra["credit"], trace.extra["taken_from"][..., part]
    names = {f"part {part + 1}": taken, **{c: credit[..., k] for k, c in enumerate(trace.classes)}}
    where = {key: trace.extra["centres"][key] for key in ("first", "step")}
    left, right = st.columns(2)
    with left:
        kind = widgets.choice(list(SHOWN), "Shown over the left picture", "over")
        if kind == SHOWN[0]:
            title = [f"D_use: data that part {part + 1} takes", "from the parts detected at a place"]
            figure = pictures.over_picture(picture, taken, "D_use", title, **where)
        else:
            k = trace.classes.index(widgets.choice(list(trace.classes), "Class", "class"))
            title = [f"credit for {trace.classes[k]}", "(all places' credits sum to its score)"]
            figure = pictures.over_picture(picture, credit[..., k], "credit", title, **where, signed=True)
        widgets.heatmap(figure, "places", kind)
    with right:
        scores = trace.layers[1]["scores"]
        charts = {
            "Class, had it stopped here": over_iterations(trace.probabilities, "probability", trace.classes, [0, 1]),
            "Bang per bit of each class": over_iterations(scores, "aₖ = benefit - cost", trace.classes),
        }
        widgets.charts(charts, columns=1)
    return {kind: figure, **charts}, pictures.location_table(names, **where)


def pose(
    name: str, vectors: np.ndarray, seen: toys.Seen, winner: str
) -> tuple[dict[str, Figure], dict[str, pd.DataFrame]]:
    """Draws where the winning class's pose vectors [view, v, d] go."""
    plane = runs.plane(np.ascontiguousarray(vectors, np.float32).tobytes(), vectors.shape)
    degrees, names = seen.degrees, list(seen.pictures.names)
    title = "view" if degrees is None else f"{seen.turned}, degrees"
    figure = poses.trajectories(plane.points, names, degrees, title)
    left, right = st.columns(2)
    with left:
        widgets.heatmap(figure, "plane", "The pose vectors of every view in a plane")
        st.caption(
            f"The four pose vectors of the capsule “{widgets.plain(winner)}”, which wins most over these views. "
            f"Stress-1: {plane.stress:.3f} (0 is exact, .2 poor)."
        )
    tables = {"plane": figure.data}
    shown = {"Pose vectors in a plane": figure}
    if degrees is not None:
        with right:
            st.markdown("Figures 6 and 7 of the paper: each pose vector v against the first view's v₀.")
            kind = widgets.choice(list(QUANTITIES), "Shown", "quantity")
            all_toys, own = against_all(name, vectors, seen)
            values, this = getattr(all_toys, kind), getattr(own, kind)
            charts = poses.turned(values, this, degrees, title, QUANTITIES[kind])
            widgets.charts(charts, columns=2)
            if not len(values):
                st.caption(
                    "The test toys' lines are measured once for each model: `python -m core.poses NAME --data DIR`."
                )
        shown |= {f"{title}, {QUANTITIES[kind]}": figure for title, figure in charts.items()}
        of_this = {key: getattr(own, key)[None] for key in QUANTITIES}
        tables["turned"] = poses.turned_table(of_this, ["this toy"], degrees, title)
    return shown, tables


def against_all(name: str, vectors: np.ndarray, seen: toys.Seen):
    """The same quantities of all test toys, where somebody measured them on as many views, and of this toy."""
    measured = runs.measured_poses(name)
    others = measured[seen.turned] if measured else np.empty((0, *vectors.shape))
    if others.shape[1:] != vectors.shape:
        others = np.empty((0, *vectors.shape))
    return runs.against_the_first(others), runs.against_the_first(vectors)


def readable(name: str) -> None:
    """Draws how well directions can be read off the poses of the test toys."""
    measured = runs.measured_poses(name)
    if measured is None:
        return
    st.header("What can be read off a pose")
    st.caption(
        "Ridge regression from the true class's 4 x 4 pose, on toys that it was not fitted to (5 toys a category), "
        "beside the same from the pictures, shrunk to 12 x 12. Azimuth is the mean over its sine and cosine. "
        f"Measured on {widgets.plain(str(measured['data']))}, the test split."
    )
    columns = ("azimuth", "elevation")
    charts = {
        f"R² of {column}": read_off(
            {"pose": measured["r2_poses"][:, k], "pixels": measured["r2_pixels"][:, k]}, list(runs.CATEGORIES)
        )
        for k, column in enumerate(columns)
    }
    widgets.charts(charts, columns=2)


page()
