"""Which views of a toy the page looks at: of a built-in toy, of smallNORB's own files, or uploaded ones."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.pages.smallnorb.uploads import choose_uploaded, subset
from dashboard.pages.smallnorb.views import BUILT_IN, OFFICIAL, TURNS, UPLOADED, Views, other_direction
from dashboard.runs import pictures as picture_runs
from dashboard.shared.inputs import choose_from_menu, choose_number
from dashboard.shared.outputs import stop_on_error

FIXED_FIRST = {"azimuth": 0, "elevation": 50}  # degrees, of the direction that stays, until another is chosen


class Toy(NamedTuple):
    """A toy and how it is looked at. turned: the direction that changes; fixed: degrees of the other one."""

    category: int
    instance: int
    lighting: int
    turned: str
    fixed: int


def choose_views() -> tuple[Views, int]:
    """Choose the views, and which one is routed, counted from 0, all in one row.

    The page ends with one sentence where nothing can be shown.
    """
    row, notices = st.container(horizontal=True, vertical_alignment="bottom", gap="small"), st.container()
    with row:
        source = choose_from_menu([BUILT_IN, OFFICIAL, UPLOADED], "Pictures", "source", BUILT_IN)
        views = _choose_views_of(source, notices)
        return views, choose_number(len(views.pictures), "Routed view", "view")


def _choose_views_of(source: str, notices: DeltaGenerator) -> Views:
    if source == UPLOADED:
        return choose_uploaded(notices)
    if source == BUILT_IN:
        return render(_choose_toy())
    if not picture_runs.has_official_files():
        st.info(
            "smallNORB is not in the data folder. `python -m core.datasets smallnorb --download` fetches its six "
            "files (263 MB)."
        )
        st.stop()
    return _read_official(_choose_toy())


def _choose_toy() -> Toy:
    categories = list(picture_runs.CATEGORIES)
    category = categories.index(choose_from_menu(categories, "Category", "category", categories[0]))
    instance = choose_number(len(picture_runs.TOYS[category]), "Toy", "toy")
    lighting = choose_number(picture_runs.N_LIGHTS, "Light", "light")
    turned = choose_from_menu(list(TURNS), "Turn", "turned", TURNS[0])
    stays = other_direction(turned)
    values = {f"{d}°": d for d in (picture_runs.ELEVATIONS if stays == "elevation" else picture_runs.AZIMUTHS)}
    fixed = values[choose_from_menu(list(values), stays.capitalize(), stays, f"{FIXED_FIRST[stays]}°")]
    return Toy(category, instance, lighting, turned, fixed)


def render(toy: Toy) -> Views:
    """Render the views of a built-in toy."""
    azimuths = picture_runs.AZIMUTHS if toy.turned == "azimuth" else (toy.fixed,)
    elevations = picture_runs.ELEVATIONS if toy.turned == "elevation" else (toy.fixed,)
    with stop_on_error():
        pictures = picture_runs.rendered(toy.category, toy.instance, toy.lighting, azimuths, elevations)
    name = picture_runs.TOYS[toy.category][toy.instance]
    described = f"{name}, a rendered {picture_runs.CATEGORIES[toy.category]} of the {_split_of(toy)} split"
    directions = [(azimuth, elevation) for elevation in elevations for azimuth in azimuths]
    samples = tuple(
        f"from core.datasets import toyrig\n"
        f"toyrig.photographs({toy.category}, {toy.instance}, [{azimuth}], [{elevation}])[0, 0, {toy.lighting}]"
        for azimuth, elevation in directions
    )
    return Views(pictures, toy.turned, described, samples)


def _split_of(toy: Toy) -> str:
    return "training" if toy.instance in picture_runs.TRAINED_ON else "test"


def _read_official(toy: Toy) -> Views:
    split = "train" if toy.instance in picture_runs.TRAINED_ON else "test"
    with stop_on_error():
        pictures, renderer = picture_runs.official_toy(split, toy.category, toy.instance, toy.lighting)
    name = f"{picture_runs.CATEGORIES[toy.category]} {toy.instance} of the {split} split"
    name += f", {renderer}" if renderer else ""
    rows = np.flatnonzero(getattr(pictures, other_direction(toy.turned)) == toy.fixed)
    if not len(rows):
        st.info("The files have no view of this toy from that direction.", icon=":material/info:")
        st.stop()
    label = f"{split!r}, {toy.category}, {toy.instance}, {toy.lighting}"
    samples = tuple(
        "from core.datasets import data_root, smallnorb\n"
        f'smallnorb.toy(data_root() / "smallnorb", {label}).images[{row}]'
        for row in rows
    )
    return Views(subset(pictures, rows), toy.turned, name, samples)
