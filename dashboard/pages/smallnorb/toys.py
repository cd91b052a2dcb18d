"""The choice of views: of a built-in toy, of smallNORB's own files, or uploaded ones."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.pages.smallnorb.direction import RoutedPair, draw_toy
from dashboard.pages.smallnorb.uploads import choose_uploaded, subset
from dashboard.pages.smallnorb.views import (
    BUILT_IN,
    LIGHT,
    OFFICIAL,
    TURNS,
    UPLOADED,
    Look,
    ToyView,
    ToyViews,
    other_direction,
)
from dashboard.runs import pictures as picture_runs
from dashboard.screen.address import end_page
from dashboard.screen.inputs import choose_from_menu, choose_number
from dashboard.screen.outputs import stop_on_error

FIXED_FIRST = {"azimuth": 0, "elevation": 50}  # first values of the fixed direction, in degrees
ANY_DIRECTION = (5, 5), (5, 85)  # steps of azimuth and elevation, and lowest and highest elevation, in degrees
PHOTOGRAPHED = (20, 5), (30, 70)  # the same for the directions of smallNORB's files


def choose_toy() -> tuple[ToyViews, RoutedPair]:
    """Let the user choose the views, and turn the toy next to them. Returns the views, and the pair to route."""
    menus, toy = st.columns([5, 2], gap="medium")
    with menus:
        views = choose_views()
    with toy:
        return views, draw_toy(views)


def choose_views() -> ToyViews:
    """Let the user choose the views, in one row.

    The page ends with one sentence if there is nothing to show.
    """
    row, notices = (
        st.container(key="toy-menus", horizontal=True, vertical_alignment="bottom", gap="small"),
        st.container(),
    )
    with row:
        source = choose_from_menu([BUILT_IN, OFFICIAL, UPLOADED], "Pictures", "source", BUILT_IN)
        return _choose_views_of(source, notices)


def _choose_views_of(source: str, notices: DeltaGenerator) -> ToyViews:
    if source == UPLOADED:
        return choose_uploaded(notices)
    if source == BUILT_IN:
        return render(_choose_toy(is_named=True))
    if not picture_runs.has_official_files():
        st.info(
            "smallNORB is not in the data folder. `python -m core.datasets smallnorb --download` fetches its six "
            "files (263 MB)."
        )
        end_page()
    return _read_official(_choose_toy(is_named=False))


def _choose_toy(is_named: bool) -> ToyView:
    """Let the user choose a toy, and the direction or the light that changes from view to view.

    Args:
        is_named: whether the menu has the names of the built-in toys, and not only numbers.
    """
    categories = list(picture_runs.CATEGORIES)
    category = categories.index(choose_from_menu(categories, "Category", "category", categories[0]))
    instance = _choose_instance(picture_runs.TOYS[category] if is_named else [""] * len(picture_runs.TOYS[category]))
    turned = choose_from_menu([*TURNS, LIGHT], "Turn", "turned", TURNS[0])
    if turned == LIGHT:
        return ToyView(category, instance, 0, turned, _choose_degrees("azimuth"), _choose_degrees("elevation"))
    lighting = choose_number(picture_runs.N_LIGHTS, "Light", "light")
    return ToyView(category, instance, lighting, turned, _choose_degrees(other_direction(turned)))


def _choose_instance(names: Sequence[str]) -> int:
    """Let the user choose one of a category's toys. Its number stays when the category changes."""
    options, key = [f"{k}. {name}" if name else str(k) for k, name in enumerate(names, 1)], "toy"
    now = str(st.session_state.get(key) or st.query_params.get(key, ""))
    if now not in options:
        number = now.partition(".")[0]  # older addresses have only the number
        st.session_state[key] = next((option for option in options if option.partition(".")[0] == number), options[0])
    return options.index(choose_from_menu(options, "Toy", key, options[0]))


def _choose_degrees(direction: str) -> int:
    """Let the user choose the degrees of the fixed direction among smallNORB's.

    The label names the views, because the user may turn the toy away from them.
    """
    label = f"{direction.capitalize()} of the views"
    values = {f"{d}°": d for d in (picture_runs.ELEVATIONS if direction == "elevation" else picture_runs.AZIMUTHS)}
    return values[choose_from_menu(list(values), label, direction, f"{FIXED_FIRST[direction]}°")]


def are_measured(toy: ToyView) -> bool:
    """Whether the fifty built-in toys were measured in these views, in "built_in" of ``core.measured.store``."""
    return toy.turned != LIGHT and not toy.lighting and toy.fixed == FIXED_FIRST[other_direction(toy.turned)]


def render(toy: ToyView) -> ToyViews:
    """Render the views of a built-in toy."""
    azimuths = picture_runs.AZIMUTHS if toy.turned == "azimuth" else (toy.fixed,)
    elevations = picture_runs.ELEVATIONS if toy.turned == "elevation" else (toy.fixed,)
    with stop_on_error():
        if toy.turned == LIGHT:
            pictures = picture_runs.rendered_in_all_lights(toy.category, toy.instance, toy.fixed, toy.elevation)
        else:
            pictures = picture_runs.rendered(toy.category, toy.instance, toy.lighting, azimuths, elevations)
    name = picture_runs.TOYS[toy.category][toy.instance]
    split = ", a toy it was trained on" if toy.instance in picture_runs.TRAINED_ON else " of the test split"
    described = f"{name}, a rendered {picture_runs.CATEGORIES[toy.category]}{split}"

    def pair(azimuth: int, elevation: int, lighting: int) -> np.ndarray:
        return picture_runs.pair_from(toy.category, toy.instance, lighting, azimuth, elevation)

    def sample(azimuth: int, elevation: int, lighting: int) -> str:
        return (
            f"from core.datasets import toyrig\n"
            f"toyrig.photographs({toy.category}, {toy.instance}, [{azimuth}], [{elevation}])[0, 0, {lighting}]"
        )

    directions = pictures.azimuth.astype(int), pictures.elevation.astype(int)
    samples = tuple(map(sample, *directions, _lights(toy, len(pictures))))
    look = Look(*ANY_DIRECTION, _lights(toy, len(pictures)), pair, sample)
    return ToyViews(pictures, toy.turned, described, samples, look, toy)


def _lights(toy: ToyView, n_views: int) -> tuple[int, ...]:
    """The index of each view's light."""
    return tuple(range(n_views)) if toy.turned == LIGHT else (toy.lighting,) * n_views


def _read_official(toy: ToyView) -> ToyViews:
    """Read the views of a toy from smallNORB's files; the page ends with one sentence if there are none."""
    split = "train" if toy.instance in picture_runs.TRAINED_ON else "test"

    @cache
    def views_in(lighting: int) -> picture_runs.Pictures:
        return picture_runs.official_toy(split, toy.category, toy.instance, lighting)[0]

    with stop_on_error():
        _, renderer = picture_runs.official_toy(split, toy.category, toy.instance, toy.lighting)
        in_light = views_in(toy.lighting)
        if toy.turned == LIGHT:
            pictures, _ = picture_runs.official_toy_in_all_lights(split, *toy[:2], toy.fixed, toy.elevation)
        else:
            pictures = subset(in_light, getattr(in_light, other_direction(toy.turned)) == toy.fixed)
    if not len(pictures):
        st.info("The files have no view of this toy from that direction.", icon=":material/info:")
        end_page()
    name = f"{picture_runs.CATEGORIES[toy.category]} {toy.instance + 1} of the {split} split"
    name += f", {renderer}" if renderer else ""

    def pair(azimuth: int, elevation: int, lighting: int) -> np.ndarray:
        return picture_runs.pair_among(views_in(lighting), azimuth, elevation)

    def sample(azimuth: int, elevation: int, lighting: int) -> str:
        views = views_in(lighting)
        row = np.flatnonzero((views.azimuth == azimuth) & (views.elevation == elevation))[0]
        label = f"{split!r}, {toy.category}, {toy.instance}, {lighting}"
        return (
            "from core.datasets import data_root, smallnorb\n"
            f'smallnorb.toy(data_root() / "smallnorb", {label}).images[{row}]'
        )

    lights = _lights(toy, len(pictures))
    samples = tuple(map(sample, pictures.azimuth, pictures.elevation, lights))
    return ToyViews(pictures, toy.turned, name, samples, Look(*PHOTOGRAPHED, lights, pair, sample))
