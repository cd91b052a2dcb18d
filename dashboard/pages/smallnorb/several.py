"""The pose vectors of several toys as they turn together."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.finding import frames
from dashboard.figures.toys import toys_in_plane
from dashboard.figures.trajectories import toys_in_space
from dashboard.pages.smallnorb.toys import are_measured, render
from dashboard.pages.smallnorb.views import ToyView, ToyViews
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.runs.rings import MeasuredTurns
from dashboard.screen.address import in_address
from dashboard.screen.outputs import stop_on_error
from dashboard.screen.shown import Shown

MAX_OTHERS = 4  # toys next to the first one; the theme has five colours
FULL = f"At most {MAX_OTHERS} toys are drawn beside the first one. Remove one to choose another."
ONLY_BUILT_IN = "Choose a built-in toy to compare it with others."


class ToyTurns(NamedTuple):
    """The pose vectors of several toys in the same views.

    Attributes:
        vectors: pose vectors of the capsule of each toy's category, [toy, view, v, d].
        toys: names of the toys.
    """

    vectors: np.ndarray
    toys: list[str]


def draw_toys(shown: Shown, name: str, device: str, views: ToyViews) -> None:
    """Draw the trajectories of the toy and up to four others, in a plane and in space.

    Args:
        shown: record of the page.
        name: name of the checkpoint.
        device: device of the network.
        views: views of the first toy.
    """
    if views.built_in is None:
        st.caption(ONLY_BUILT_IN)
        return
    menu, switch = st.columns([4, 1], gap="medium", vertical_alignment="bottom")
    with menu:
        toys = [views.built_in, *_choose_others(views.built_in)]
    help = (
        "Move, scale and rotate each toy's vectors, to bring them as close as possible to the first toy's (Procrustes)."
    )
    aligned = switch.toggle("Align", help=help, **in_address("align"))
    turns = ToyTurns(_vectors(name, device, toys, views), [_name(toy) for toy in toys])
    plane, space, disparity = picture_runs.lay_out(turns.vectors, aligned)
    left, right = st.columns([2, 3], gap="medium")
    view_names = list(views.pictures.names)
    with left:
        figure = toys_in_plane(plane.points, turns.toys, view_names)
        shown.draw_heatmap("Toys in a plane", figure, "toys plane", "The pose vectors of several toys in a plane")
    with right:
        figure = toys_in_space(space.points, turns.toys, view_names)
        alt = "The paths of several toys' pose vectors through the views, in space"
        shown.draw_in_space("toys in space", figure, "toys_space", alt)
        frames("frames of toys", "toys_space")
    st.caption(_describe(plane.share, space.share, turns.toys, disparity))
    shown.add_table("toys", lambda: _table(turns, view_names))


def _choose_others(first: ToyView) -> list[ToyView]:
    """Let the user choose toys to compare with the first one."""
    names = {_name(toy): toy for toy in _all_toys(first) if toy != first}
    help = (
        "Shows the capsule of each toy's own category. In other lights, or from other sides, each toy is rendered "
        "first. This takes some seconds."
    )
    label = f"Beside {_name(first)}, at most {MAX_OTHERS}"
    chosen = st.multiselect(label, list(names), max_selections=MAX_OTHERS, help=help, **in_address("toys"))
    if len(chosen) == MAX_OTHERS:  # the menu offers to select all, but takes only these
        st.caption(FULL)
    return [names[name] for name in chosen]


def _all_toys(first: ToyView) -> list[ToyView]:
    """All built-in toys, in the views of the first one."""
    return [
        first._replace(category=category, instance=instance)
        for category, kinds in enumerate(picture_runs.TOYS)
        for instance in range(len(kinds))
    ]


def _name(toy: ToyView) -> str:
    """The category of a toy, its number on the screen, and its kind."""
    kind = picture_runs.TOYS[toy.category][toy.instance]
    return f"{picture_runs.CATEGORIES[toy.category]} {toy.instance + 1}, {kind}"


def _vectors(name: str, device: str, toys: list[ToyView], views: ToyViews) -> np.ndarray:
    """The pose vectors [toy, view, v, d]: measured ones or, if there are none for these views, computed now."""
    measured = _measured(name, views)
    vectors = []
    for k, toy in enumerate(toys):
        if (toy.category, toy.instance) in measured:
            vectors.append(measured[toy.category, toy.instance])
            continue
        pictures = views.pictures if k == 0 else render(toy).pictures
        with stop_on_error():
            capsules, _ = picture_runs.class_capsules(name, device, pictures.images)
        vectors.append(capsules.poses[:, toy.category])
    return np.ascontiguousarray(np.stack(vectors), np.float32)


def _measured(name: str, views: ToyViews) -> dict[tuple[int, int], np.ndarray]:
    """The pose vectors of built-in toys by category and instance, if exactly these views were measured."""
    first, arrays = views.built_in, checkpoints.measured("built_in", name)
    if first is None or arrays is None or not are_measured(first):
        return {}
    turns = MeasuredTurns.of(arrays, first.turned)
    return {tuple(toy): vectors for toy, vectors in zip(turns.toys.tolist(), turns.vectors, strict=True)}


def _describe(plane: float, space: float, toys: list[str], disparity: np.ndarray | None) -> str:
    """A sentence on the variance that the pictures keep, and on each toy's disparity from the first one."""
    sentence = f"The plane keeps {plane:.0%} of the variance of all vectors. The drawing in space keeps {space:.0%}."
    if disparity is None or len(toys) == 1:
        return sentence
    rows = ", ".join(f"{toy} {value:.2f}" for toy, value in zip(toys[1:], disparity[1:], strict=True))
    return f"{sentence} After alignment, the disparity from {toys[0]} is (0: same shape, 1: no likeness): {rows}."


def _table(turns: ToyTurns, views: list[str]) -> pd.DataFrame:
    """One row per toy, view and pose vector."""
    toy, view, v = (index.ravel() for index in np.indices(turns.vectors.shape[:3]))
    columns = {f"component {d + 1}": turns.vectors[..., d].ravel() for d in range(turns.vectors.shape[3])}
    names = {"toy": np.array(turns.toys, object)[toy], "view": np.array(views, object)[view]}
    return pd.DataFrame({**names, "pose vector": v + 1} | columns)
