"""What the smallNORB page shows of a toy's poses: where they go as it turns, and what can be read off them."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs, toys, widgets
from dashboard.figures import poses as figures
from dashboard.figures.figure import Figure
from dashboard.figures.readable import read_off
from dashboard.runs import pictures as picture_runs

Drawn = tuple[dict[str, Figure], dict[str, pd.DataFrame]]  # figures and tables, by title
QUANTITIES = {"distance": "|v - v₀| / |v₀|", "norm": "|v| / |v₀|", "cosine": "cos(v, v₀)"}
HOW_MEASURED = "python -m core.measured poses NAME --data DIR"


def turning(name: str, said: picture_runs.ClassCapsules, seen: toys.Seen, classes: list[str]) -> Drawn:
    """Draws the pose vectors of the class that is most probable over all views."""
    names, n_views = list(seen.pictures.names), len(seen.pictures)
    by_view = {"view": np.arange(1, n_views + 1), "name": names} | dict(zip(classes, said.probabilities.T, strict=True))
    tables = {"views": pd.DataFrame(by_view)}
    if n_views < 2:
        st.caption("More views of this toy would show how its pose turns.")
        return {}, tables
    st.header("How the pose turns")
    winner = int(said.probabilities.mean(0).argmax())
    vectors = np.ascontiguousarray(said.poses[:, winner], np.float32)
    left, right = st.columns(2)
    with left:
        plane = in_a_plane(vectors, seen, classes[winner])
    tables |= {"plane": plane.data.to_pandas(), "pose vectors": table_of(vectors, names)}
    if seen.turned is None:
        return {"Pose vectors in a plane": plane}, tables
    with right:
        charts, table = against_the_first(name, vectors, seen)
    return {"Pose vectors in a plane": plane, **charts}, tables | {"turned": table}


def in_a_plane(vectors: np.ndarray, seen: toys.Seen, winner: str) -> Figure:
    """Draws all views' pose vectors [view, v, d] together (figure 4 of the paper)."""
    plane = picture_runs.plane(vectors.tobytes(), vectors.shape)
    title = f"{seen.turned}, degrees" if seen.turned else "view"
    figure = figures.trajectories(plane.points, list(seen.pictures.names), seen.degrees, title)
    widgets.heatmap(figure, "plane", "The pose vectors of every view in a plane")
    st.caption(
        f"The four pose vectors of the capsule “{widgets.plain(winner)}”, the most probable over these views by the "
        f"mean. Stress-1: {plane.stress:.3f} (0 is exact, .2 poor)."
    )
    return figure


def against_the_first(name: str, vectors: np.ndarray, seen: toys.Seen) -> tuple[dict[str, Figure], pd.DataFrame]:
    """Draws figures 6 and 7 of the paper: this toy over all test toys, where those were measured for these views."""
    st.markdown("Figures 6 and 7 of the paper: each pose vector v against the first view's v₀.")
    kind = widgets.choice(list(QUANTITIES), "Shown", "quantity")
    others = measured_turns(name, seen)
    all_toys = runs.against_the_first(np.empty((0, *vectors.shape)) if others is None else others)
    own = runs.against_the_first(vectors)
    title = f"{seen.turned}, degrees"
    charts = figures.turned(getattr(all_toys, kind), getattr(own, kind), seen.degrees, title, QUANTITIES[kind])
    widgets.charts(charts, columns=2)
    if others is None:
        st.caption(f"The test toys' lines are there for the rig's own views, once they are measured: `{HOW_MEASURED}`.")
    else:
        measured_on = widgets.plain(str(runs.measured("poses", name)["data"]))
        st.caption(
            "Thin: the 25 test toys at elevation 50° (as azimuth turns) or azimuth 0° (as elevation does), light 1, "
            f"each by its true class's capsule; measured on {measured_on}."
        )
    of_this = {QUANTITIES[key]: getattr(own, key)[None] for key in QUANTITIES}
    table = figures.turned_table(of_this, ["this toy"], seen.degrees, title)
    return {f"{vector}, {QUANTITIES[kind]}": figure for vector, figure in charts.items()}, table


def measured_turns(name: str, seen: toys.Seen) -> np.ndarray | None:
    """Pose vectors [toy, view, v, d] of the test toys, where these views have the same directions."""
    measured = runs.measured("poses", name)
    directions = picture_runs.AZIMUTHS if seen.turned == "azimuth" else picture_runs.ELEVATIONS
    return measured[seen.turned] if measured and np.array_equal(seen.degrees, directions) else None


def table_of(vectors: np.ndarray, names: list[str]) -> pd.DataFrame:
    """One row a view and pose vector, counted from 1."""
    view, v = (index.ravel() for index in np.indices(vectors.shape[:2]))
    columns = {f"component {d + 1}": vectors[..., d].ravel() for d in range(vectors.shape[2])}
    return pd.DataFrame({"view": view + 1, "name": np.array(names, dtype=object)[view], "pose vector": v + 1} | columns)


def readable(name: str) -> Drawn:
    """Draws how well directions can be read off the poses of the test toys, where it was measured."""
    measured = runs.measured("poses", name)
    if measured is None:
        return {}, {}
    st.header("What can be read off a pose")
    st.caption(
        "Ridge regression from the true class's 4 × 4 pose, on toys that it was not fitted to (5 toys a category), "
        "beside the same from the pictures, shrunk to 12 × 12. Azimuth is the mean over its sine and cosine. "
        f"Measured on {widgets.plain(str(measured['data']))}, the test split."
    )
    charts, rows = {}, []
    for k, direction in enumerate(("azimuth", "elevation")):
        r2 = {"pose": measured["r2_poses"][:, k], "pixels": measured["r2_pixels"][:, k]}
        charts[f"R² of {direction}"] = read_off(r2, list(picture_runs.CATEGORIES))
        rows.append(pd.DataFrame({"direction": direction, "category": picture_runs.CATEGORIES, **r2}))
    widgets.charts(charts, columns=2)
    return charts, {"R²": pd.concat(rows)}
