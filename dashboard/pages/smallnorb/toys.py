"""Which views of a toy the page looks at: of a built-in toy, of smallNORB's own files, or uploaded ones."""

from typing import NamedTuple

import streamlit as st

from dashboard.pages.smallnorb.uploads import choose_uploaded, subset
from dashboard.pages.smallnorb.views import TURNS, Views, other_direction
from dashboard.runs import pictures as picture_runs
from dashboard.shared.inputs import choose_from_menu, choose_number, choose_option
from dashboard.shared.markdown import escape
from dashboard.shared.outputs import stop_on_error

BUILT_IN, OFFICIAL, UPLOADED = "Built-in toys", "smallNORB's files", "Your pictures"
FIXED_FIRST = {"azimuth": 0, "elevation": 50}  # degrees, of the direction that stays, until another is chosen


class Toy(NamedTuple):
    """A toy and how it is looked at. turned: the direction that changes; fixed: degrees of the other one."""

    category: int
    instance: int
    lighting: int
    turned: str
    fixed: int


def choose_views() -> Views:
    """The views that the user chose; the page ends with one sentence where nothing can be shown."""
    source = choose_option([BUILT_IN, OFFICIAL, UPLOADED], "Pictures", "source")
    if source == UPLOADED:
        return choose_uploaded()
    if source == BUILT_IN:
        return _render(_choose_toy())
    if not picture_runs.has_official_files():
        st.info(
            "smallNORB is not in the data folder. `python -m core.datasets smallnorb --download` fetches its six "
            "files (263 MB)."
        )
        st.stop()
    return _read_official(_choose_toy())


def _choose_toy() -> Toy:
    category = picture_runs.CATEGORIES.index(choose_option(list(picture_runs.CATEGORIES), "Category", "category"))
    columns = st.columns([2, 1, 1, 1], vertical_alignment="bottom")
    with columns[0]:
        turned = choose_option(list(TURNS), "Turn", "turned")
    with columns[1]:
        instance = choose_number(len(picture_runs.TOYS[category]), "Toy", "toy")
    with columns[2]:
        lighting = choose_number(picture_runs.N_LIGHTS, "Light", "light")
    stays = other_direction(turned)
    values = {f"{d}°": d for d in (picture_runs.ELEVATIONS if stays == "elevation" else picture_runs.AZIMUTHS)}
    with columns[3]:
        fixed = values[choose_from_menu(list(values), stays.capitalize(), stays, f"{FIXED_FIRST[stays]}°")]
    return Toy(category, instance, lighting, turned, fixed)


def _render(toy: Toy) -> Views:
    azimuths = picture_runs.AZIMUTHS if toy.turned == "azimuth" else (toy.fixed,)
    elevations = picture_runs.ELEVATIONS if toy.turned == "elevation" else (toy.fixed,)
    with stop_on_error():
        pictures = picture_runs.rendered(toy.category, toy.instance, toy.lighting, azimuths, elevations)
    trained_on = toy.instance in picture_runs.TRAINED_ON
    name = picture_runs.TOYS[toy.category][toy.instance]
    split = "of the training split" if trained_on else "of the test split"
    st.caption(f"“{name}”, a toy rendered live, {split}.")
    return Views(pictures, toy.turned, f"{name}, a rendered {picture_runs.CATEGORIES[toy.category]}")


def _read_official(toy: Toy) -> Views:
    split = "train" if toy.instance in picture_runs.TRAINED_ON else "test"
    with stop_on_error():
        pictures, renderer = picture_runs.official_toy(split, toy.category, toy.instance, toy.lighting)
    name = f"{picture_runs.CATEGORIES[toy.category]} {toy.instance} of the {split} split"
    name += f", {renderer}" if renderer else ""
    st.caption(escape(f"{name[:1].upper()}{name[1:]}."))
    pictures = subset(pictures, getattr(pictures, other_direction(toy.turned)) == toy.fixed)
    if not len(pictures):
        st.info("The files have no view of this toy from that direction.", icon=":material/info:")
        st.stop()
    return Views(pictures, toy.turned, name)
