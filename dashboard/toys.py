"""Which views of a toy the smallNORB page looks at: built-in toys, smallNORB's own files, or what a user uploads."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from dashboard import runs, widgets

SOURCES = ("Built-in toys", "smallNORB's files", "Your pictures")
TURNS = ("azimuth", "elevation")
KINDS_OF_FILE = ["png", "jpg", "jpeg", "zip", "mat", "gz"]
HOW_NAMED = """One picture (for both eyes, or both side by side), two (left and right), or more, loose or in a zip.
Left and right of a view have names that differ by `left`/`right`, `_lt`/`_rt` or `_l`/`_r`. `az040` in a name is an
azimuth of 40 degrees; `el03` is smallNORB's elevation 3, 45 degrees; from 9 on the number is degrees. smallNORB's own
matrices (.mat, .mat.gz): `-dat` alone, or with its `-info` and `-cat`."""


class Seen(NamedTuple):
    """turned: which direction changes from view to view, where that is known. what: a few words on the toy."""

    pictures: runs.Pictures
    turned: str | None
    what: str

    @property
    def degrees(self) -> np.ndarray | None:
        return getattr(self.pictures, self.turned) if self.turned else None


def choose() -> Seen:
    """What the user chose; the page ends with one sentence where nothing can be shown."""
    source = widgets.choice(list(SOURCES), "Pictures", "source")
    if source == SOURCES[2]:
        return _uploaded()
    return _official() if source == SOURCES[1] else _built_in()


def _built_in() -> Seen:
    category, instance, lighting, turned, other = _asked()
    azimuths = runs.AZIMUTHS if turned == "azimuth" else (other,)
    elevations = runs.ELEVATIONS if turned == "elevation" else (other,)
    name = runs.TOYS[category][instance]
    pictures = runs.rendered(category, instance, lighting, azimuths, elevations)
    return Seen(pictures, turned, f"{name}, a rendered {runs.CATEGORIES[category]}")


def _official() -> Seen:
    if not runs.has_official():
        st.info(
            "smallNORB is not in the data folder. `python -m core.datasets smallnorb --download` fetches its six "
            "files (263 MB)."
        )
        st.stop()
    category, instance, lighting, turned, other = _asked()
    split = "train" if instance in runs.TRAINED_ON else "test"
    with widgets.or_one_sentence():
        everything = runs.official(split, category, instance, lighting)
    fixed = everything.elevation if turned == "azimuth" else everything.azimuth
    return Seen(only(everything, fixed == other), turned, f"smallNORB's {runs.CATEGORIES[category]} {instance}")


def _asked() -> tuple[int, int, int, str, int]:
    """Category, instance, light, what turns, and the other direction in degrees."""
    category = runs.CATEGORIES.index(widgets.choice(list(runs.CATEGORIES), "Category", "category"))
    columns = st.columns([2, 1, 1, 1], vertical_alignment="bottom")
    with columns[1]:
        instance = widgets.one_of(len(runs.TOYS[category]), "Toy", "toy")
    with columns[2]:
        lighting = widgets.one_of(runs.N_LIGHTS, "Light", "light")
    with columns[0]:
        turned = widgets.choice(list(TURNS), "Turn", "turned")
    others = runs.ELEVATIONS if turned == "azimuth" else runs.AZIMUTHS
    name = TURNS[turned == "azimuth"]
    with columns[3]:
        other = others[widgets.one_of(len(others), name.capitalize(), name)]
    when = "a training toy" if instance in runs.TRAINED_ON else "a test toy"
    st.caption(f"Toy {instance + 1} of 10, smallNORB's instance {instance}: {when}. {name.capitalize()}: {other}°.")
    return category, instance, lighting, turned, other


def _uploaded() -> Seen:
    files = st.file_uploader("Pictures of a toy", KINDS_OF_FILE, accept_multiple_files=True, key="upload")
    st.caption(HOW_NAMED)
    if not files:
        st.info("Nothing is uploaded yet.", icon=":material/info:")
        st.stop()
    with widgets.or_one_sentence():
        found = runs.toys_of(files)
        toy = _which(found) if found else None
        pictures = runs.uploaded(files, toy)
    widgets.notices(pictures.notices)
    for turned, other in (TURNS, TURNS[::-1]):
        kept = _along(pictures, turned, other)
        if kept is not None:
            return Seen(kept, turned, "uploaded")
    return Seen(replace(pictures, notices=()), None, "uploaded")


def _which(toys: tuple[runs.Toy, ...]) -> runs.Toy:
    def said(k: int) -> str:
        category, instance, lighting = toys[k]
        return f"{'toy' if category is None else runs.CATEGORIES[category]} {instance}, light {lighting + 1}"

    return toys[st.selectbox("Toy in these files", range(len(toys)), format_func=said, key="which")]


def _along(pictures: runs.Pictures, turned: str, other: str) -> runs.Pictures | None:
    """The views in which one direction changes and the other stays, where there are at least three."""
    changes, stays = getattr(pictures, turned), getattr(pictures, other)
    if np.isnan(changes).any():
        return None
    at = np.nan_to_num(stays, nan=-1.0)
    values, counts = np.unique(at, return_counts=True)
    if counts.max() < 3:
        return None
    value = values[counts.argmax()]
    if len(values) > 1:
        usual = [v for v, count in zip(values, counts, strict=True) if count == counts.max()]
        value = st.selectbox(f"At {other}", usual, format_func=lambda v: f"{v:.0f}°", key=f"at {other}")
    order = np.flatnonzero(at == value)
    return only(pictures, order[np.argsort(changes[order], kind="stable")])


def only(pictures: runs.Pictures, chosen: np.ndarray) -> runs.Pictures:
    """Some of the views, by a mask or their numbers."""
    numbers = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
    names = tuple(pictures.names[k] for k in numbers)
    azimuth, elevation = pictures.azimuth[numbers], pictures.elevation[numbers]
    return replace(
        pictures, images=pictures.images[numbers], names=names, azimuth=azimuth, elevation=elevation, notices=()
    )
