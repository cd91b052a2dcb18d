"""How the pose vectors of a toy move as it turns (figures 4, 6 and 7 of the paper)."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.poses import compare_with_first
from dashboard import runs
from dashboard.figures.poses import trajectories, turned, turned_table
from dashboard.pages.smallnorb.views import Views
from dashboard.runs import pictures as picture_runs
from dashboard.shared.inputs import choose_option
from dashboard.shared.markdown import escape
from dashboard.shared.shown import Shown

QUANTITIES = {"distance": "|v - v₀| / |v₀|", "norm": "|v| / |v₀|", "cosine": "cos(v, v₀)"}
HOW_MEASURED = "python -m core.measured poses NAME --data DIR"


def draw_turning(
    shown: Shown, name: str, capsules: picture_runs.ClassCapsules, views: Views, classes: list[str]
) -> None:
    """The pose vectors of the class that is most probable over all views. name: of the checkpoint."""
    shown.add_table("views", lambda: views_table(views, capsules, classes))
    if len(views.pictures) < 2:
        st.caption("Add more views of this toy to see how its pose turns.")
        return
    st.header("How the pose turns")
    winner = int(capsules.probabilities.mean(0).argmax())
    vectors = np.ascontiguousarray(capsules.poses[:, winner], np.float32)
    left, right = st.columns(2)
    with left:
        _draw_plane(shown, vectors, views, classes[winner])
    shown.add_table("pose vectors", lambda: vectors_table(vectors, list(views.pictures.names)))
    if views.turned is not None:
        with right:
            _draw_against_first(shown, name, vectors, views)


def _draw_plane(shown: Shown, vectors: np.ndarray, views: Views, winner: str) -> None:
    """All views' pose vectors [view, v, d] together (figure 4 of the paper)."""
    plane = picture_runs.plane(vectors.tobytes(), vectors.shape)
    title = f"{views.turned}, degrees" if views.turned else "view"
    figure = trajectories(plane.points, list(views.pictures.names), views.degrees, title)
    shown.draw_heatmap("Pose vectors in a plane", figure, "plane", "The pose vectors of every view in a plane")
    st.caption(
        f"The four pose vectors of the capsule “{escape(winner)}”, the most probable on average over these "
        f"views. Stress-1: {plane.stress:.3f} (0 is exact, .2 poor)."
    )
    shown.add_table("plane", figure.data.to_pandas)


def _draw_against_first(shown: Shown, name: str, vectors: np.ndarray, views: Views) -> None:
    """This toy over all test toys, where those were measured for these views (figures 6 and 7 of the paper)."""
    st.markdown("Figures 6 and 7 of the paper: each pose vector v against the first view's v₀.")
    kind = choose_option(list(QUANTITIES), "Shown", "quantity")
    others = measured_turns(name, views)
    all_toys = compare_with_first(np.empty((0, *vectors.shape)) if others is None else others)
    this_toy = compare_with_first(vectors)
    title, quantity = f"{views.turned}, degrees", QUANTITIES[kind]
    charts = turned(getattr(all_toys, kind), getattr(this_toy, kind), views.degrees, title, quantity)
    shown.draw_charts(charts, columns=2)
    if others is None:
        st.caption(
            f"The test toys' lines appear for the rig's own views once they have been measured: `{HOW_MEASURED}`."
        )
    else:
        measured_on = escape(str(runs.measured("poses", name)["data"]))
        st.caption(
            "Thin: the 25 test toys at elevation 50° (as azimuth turns) or azimuth 0° (as elevation does), light 1, "
            f"each by its true class's capsule; measured on {measured_on}."
        )
    values = {label: getattr(this_toy, key)[None] for key, label in QUANTITIES.items()}
    shown.add_table("turned", lambda: turned_table(values, ["this toy"], views.degrees, title))


def measured_turns(name: str, views: Views) -> np.ndarray | None:
    """Pose vectors [toy, view, v, d] of the test toys, if these views have the same directions."""
    measured = runs.measured("poses", name)
    directions = picture_runs.AZIMUTHS if views.turned == "azimuth" else picture_runs.ELEVATIONS
    return measured[views.turned] if measured and np.array_equal(views.degrees, directions) else None


def views_table(views: Views, capsules: picture_runs.ClassCapsules, classes: list[str]) -> pd.DataFrame:
    """The classes of every view."""
    names = views.pictures.names
    columns = dict(zip(classes, capsules.probabilities.T, strict=True))
    return pd.DataFrame({"view": np.arange(1, len(names) + 1), "name": list(names)} | columns)


def vectors_table(vectors: np.ndarray, names: list[str]) -> pd.DataFrame:
    """One row a view and pose vector, counted from 1."""
    view, v = (index.ravel() for index in np.indices(vectors.shape[:2]))
    columns = {f"component {d + 1}": vectors[..., d].ravel() for d in range(vectors.shape[2])}
    return pd.DataFrame({"view": view + 1, "name": np.array(names, dtype=object)[view], "pose vector": v + 1} | columns)
