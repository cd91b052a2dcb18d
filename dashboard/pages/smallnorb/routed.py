"""One view: where in the picture a part or a score is taken from, and which parts feed which class."""

import numpy as np
import pandas as pd
import streamlit as st

from core.traces.em import EMPlacesTrace
from dashboard.figures.em import capsule_table, part_heatmap
from dashboard.figures.figure import Figure
from dashboard.figures.lines import lines_over
from dashboard.figures.pictures import location_table, over_picture
from dashboard.shared.inputs import choose_option
from dashboard.shared.shown import Shown

OF_PART, OF_CLASS = "What a part takes in", "What a class's score is made of"


def draw_routed_view(shown: Shown, trace: EMPlacesTrace, picture: np.ndarray, part: int) -> None:
    """How the classes fare, where a part or a score is taken from, and which parts feed which class.

    Args:
        picture: of the left eye, uint8 [y, x].
        part: the part that is looked at, from 0.
    """
    left, right = st.columns(2)
    with left:
        kind = choose_option([OF_PART, OF_CLASS], "Shown over the left picture", "over")
        figure = _part_over(picture, trace, part) if kind == OF_PART else _class_over(picture, trace)
        shown.draw_heatmap(kind, figure, "places")
    second = trace.parts_to_classes
    with right:
        charts = {
            "Class if routing stopped here": lines_over(trace.probabilities, "probability", trace.classes, [0, 1]),
            "Bang per bit of each class": lines_over(second.scores, "aₖ = benefit - cost", trace.classes),
        }
        shown.draw_charts(charts, columns=1)
    st.markdown("**Which parts feed a class**")
    figure = part_heatmap(second.gate[..., None] * second.coupling, trace.classes)
    shown.draw_heatmap("Parts to classes", figure, "parts", "D_use of every part for every class", {"i": "part"})
    shown.add_table("classes", lambda: capsule_table(second, trace.classes))
    shown.add_table("places", lambda: places_table(trace, part))


def _part_over(picture: np.ndarray, trace: EMPlacesTrace, part: int) -> Figure:
    title = [f"D_use: data that part {part + 1} takes", "from the parts detected at a place"]
    return over_picture(picture, trace.taken_from[..., part], "D_use", title, **_grid(trace))


def _class_over(picture: np.ndarray, trace: EMPlacesTrace) -> Figure:
    k = trace.classes.index(choose_option(list(trace.classes), "Class", "class"))
    title = [f"credit for {trace.classes[k]}", "(all places' credits sum to its score)"]
    values = trace.credit_by_place[..., k]
    return over_picture(picture, values, "credit", title, **_grid(trace), signed=True)


def places_table(trace: EMPlacesTrace, part: int) -> pd.DataFrame:
    """The numbers over the picture, of this part and of every class."""
    credit = {f"credit, {name}": trace.credit_by_place[..., k] for k, name in enumerate(trace.classes)}
    taken = {f"D_use, part {part + 1}": trace.taken_from[..., part]}
    return location_table(taken | credit, **_grid(trace))


def _grid(trace: EMPlacesTrace) -> dict[str, int]:
    """Where the middles of the places are, in pixels."""
    return {key: trace.centres[key] for key in ("first", "step")}
