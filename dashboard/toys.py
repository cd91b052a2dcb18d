"""Which views of a toy the smallNORB page looks at: built-in toys, smallNORB's own files, or what a user uploads."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from dashboard import widgets
from dashboard.runs import pictures as picture_runs

SOURCES = ("Built-in toys", "smallNORB's files", "Your pictures")
TURNS = ("azimuth", "elevation")
FIRST = {"azimuth": 0, "elevation": 50}  # degrees, of the direction that stays
KINDS_OF_FILE = ["png", "jpg", "jpeg", "zip", "mat", "gz"]
LARGEST_FILE = 150  # MiB; smallNORB's gzipped pictures have 126
MOST_VIEWS = 60  # that a page draws
HOW_NAMED = """One picture (for both eyes, or both side by side), two (left and right), or more, loose or in a zip.
Left and right of a view have names that differ by `left`/`right`, `_lt`/`_rt` or `_l`/`_r`. `az040` in a name is an
azimuth of 40 degrees; `el03` is smallNORB's elevation 3, 45 degrees; from 9 on the number is degrees. smallNORB's own
matrices (.mat, .mat.gz): `-dat` alone, or with its `-info` and `-cat`."""


class Seen(NamedTuple):
    """turned: which direction changes from view to view, where that is known. what: a few words on the toy."""

    pictures: picture_runs.Pictures
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
    azimuths = picture_runs.AZIMUTHS if turned == "azimuth" else (other,)
    elevations = picture_runs.ELEVATIONS if turned == "elevation" else (other,)
    with widgets.or_one_sentence():
        pictures = picture_runs.rendered(category, instance, lighting, azimuths, elevations)
    when = "among those that the training split renders" if instance in picture_runs.TRAINED_ON else "of the test split"
    name = picture_runs.TOYS[category][instance]
    st.caption(f"“{name}”, a toy rendered live, {when}.")
    return Seen(pictures, turned, f"{name}, a rendered {picture_runs.CATEGORIES[category]}")


def _official() -> Seen:
    if not picture_runs.has_official():
        st.info(
            "smallNORB is not in the data folder. `python -m core.datasets smallnorb --download` fetches its six "
            "files (263 MB)."
        )
        st.stop()
    category, instance, lighting, turned, other = _asked()
    split = "train" if instance in picture_runs.TRAINED_ON else "test"
    with widgets.or_one_sentence():
        everything, rendered_by = picture_runs.official(split, category, instance, lighting)
    what = f"{picture_runs.CATEGORIES[category]} {instance} of the {split} split" + (
        f", {rendered_by}" if rendered_by else ""
    )
    st.caption(widgets.plain(f"{what[:1].upper()}{what[1:]}."))
    kept = only(everything, getattr(everything, _other(turned)) == other)
    if not len(kept):
        st.info("The files hold no view of this toy from there.", icon=":material/info:")
        st.stop()
    return Seen(kept, turned, what)


def _asked() -> tuple[int, int, int, str, int]:
    """Category, instance, light, what turns, and the other direction in degrees."""
    category = picture_runs.CATEGORIES.index(widgets.choice(list(picture_runs.CATEGORIES), "Category", "category"))
    columns = st.columns([2, 1, 1, 1], vertical_alignment="bottom")
    with columns[0]:
        turned = widgets.choice(list(TURNS), "Turn", "turned")
    with columns[1]:
        instance = widgets.one_of(len(picture_runs.TOYS[category]), "Toy", "toy")
    with columns[2]:
        lighting = widgets.one_of(picture_runs.N_LIGHTS, "Light", "light")
    stays = _other(turned)
    values = {f"{d}°": d for d in (picture_runs.ELEVATIONS if stays == "elevation" else picture_runs.AZIMUTHS)}
    with columns[3]:
        other = values[widgets.pick(list(values), stays.capitalize(), stays, f"{FIRST[stays]}°")]
    return category, instance, lighting, turned, other


def _other(turned: str) -> str:
    return TURNS[turned == "azimuth"]


def _uploaded() -> Seen:
    files = st.file_uploader(
        "Pictures of a toy", KINDS_OF_FILE, accept_multiple_files=True, key="upload", max_upload_size=LARGEST_FILE
    )
    st.caption(HOW_NAMED)
    if not files:
        st.info("Nothing is uploaded yet.", icon=":material/info:")
        st.stop()
    with widgets.or_one_sentence():
        found = picture_runs.toys_of(files)
        pictures = picture_runs.uploaded(files, _which(found) if found else None)
    widgets.notices(pictures.notices)
    seen = _swept(pictures)
    n = len(seen.pictures)
    if n > MOST_VIEWS:
        st.warning(f"{MOST_VIEWS} of these {n} views are shown, evenly apart.", icon=":material/warning:")
        seen = seen._replace(pictures=only(seen.pictures, np.linspace(0, n - 1, MOST_VIEWS).astype(int)))
    return seen


def _which(toys: tuple[picture_runs.Toy, ...]) -> picture_runs.Toy:
    def said(k: int) -> str:
        category, instance, lighting = toys[k]
        return f"{'toy' if category is None else picture_runs.CATEGORIES[category]} {instance}, light {lighting + 1}"

    return toys[st.selectbox("Toy in these files", range(len(toys)), format_func=said, key="which")]


def _swept(pictures: picture_runs.Pictures) -> Seen:
    """The views along one direction, where names or labels tell of one; else all of them."""
    lines = {turned: found for turned in TURNS if (found := _lines(pictures, turned))}
    if not lines:
        return Seen(pictures, None, "uploaded")
    turned = widgets.choice(list(lines), "Turn", "turned") if len(lines) > 1 else next(iter(lines))
    values = list(lines[turned])
    value = values[0]
    if len(values) > 1:
        value = st.selectbox(f"At {_other(turned)}", values, key=f"at {turned}")
    kept = only(pictures, lines[turned][value])
    if len(kept) < len(pictures):
        st.caption(f"{len(kept)} of {len(pictures)} views: those that differ in {turned} alone.")
    return Seen(kept, turned, "uploaded")


def _lines(pictures: picture_runs.Pictures, turned: str) -> dict[str, np.ndarray]:
    """For each value of the other direction the numbers of its views, in order, where they are three at least."""
    changes, stays = getattr(pictures, turned), getattr(pictures, _other(turned))
    found = {}
    for value in np.unique(np.nan_to_num(stays, nan=-1.0)):
        of = np.flatnonzero((np.nan_to_num(stays, nan=-1.0) == value) & ~np.isnan(changes))
        if len(np.unique(changes[of])) >= 3:
            label = f"{value:.0f}°" if value >= 0 else "not told"
            found[label] = of[np.argsort(changes[of], kind="stable")]
    return dict(sorted(found.items(), key=lambda line: -len(line[1])))


def only(pictures: picture_runs.Pictures, chosen: np.ndarray) -> picture_runs.Pictures:
    """Some of the views, by a mask or their numbers."""
    numbers = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
    kept = {name: getattr(pictures, name)[numbers] for name in ("images", "azimuth", "elevation")}
    return replace(pictures, names=tuple(pictures.names[k] for k in numbers), notices=(), **kept)
