"""Views of a toy from uploaded files, or from sample files to try the uploader with."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.pages.smallnorb.adjusting import choose_adjustment
from dashboard.pages.smallnorb.networks import OURS, offer_authors_network
from dashboard.pages.smallnorb.views import TURNS, ToyViews, chosen_view, other_direction
from dashboard.runs import pictures as picture_runs
from dashboard.runs.pictures import Pictures
from dashboard.screen.address import end_page, in_address
from dashboard.screen.inputs import choose_from_menu, choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import draw_notices, stop_on_error

MAX_MEGABYTES = 150  # MB; smallNORB's gzipped pictures have 132
MAX_VIEWS = 60  # views that the page draws
HOW_NAMED = """One picture (for both eyes, or with both side by side), two pictures (left and right), or more; loose or
in a zip. The names of the left and the right picture of a view differ by `left`/`right`, `_lt`/`_rt` or `_l`/`_r`. In a
name, `az040` is an azimuth of 40 degrees. `el03` is smallNORB's elevation 3, which is 45 degrees. From `el09` on, the
number is in degrees. You can also upload smallNORB's own matrices (.mat, .mat.gz): `-dat` alone, or with its `-info`
and `-cat`."""
SEPARATE, ONE_TOY = "Separate pictures", "Views of one toy"
UNKNOWN = -1.0  # value for unknown degrees
MIN_LINE = 3  # views that show how a pose turns


class SampleFile(BytesIO):
    """A sample in memory, with the attributes of a file from the uploader."""

    def __init__(self, name: str, content: bytes):
        super().__init__(content)
        self.name = self.file_id = name


def choose_uploaded(place: DeltaGenerator) -> ToyViews:
    """Let the user upload views along one direction; the page ends with one sentence if there are none.

    Args:
        place: place for notices, below the row of inputs.
    """
    limits = {"accept_multiple_files": True, "max_upload_size": MAX_MEGABYTES}
    # It accepts any type, so that we can explain what is wrong.
    files = st.file_uploader("Pictures of a toy", key="upload", help=HOW_NAMED, **limits)
    files = files or _choose_sample()
    if not files:
        with place:
            st.info("Upload pictures to begin.", icon=":material/info:")
            offer_authors_network("fetch for uploads")
        end_page()
    with stop_on_error():
        adjustment, draw_crop = choose_adjustment(files)
        toys = picture_runs.toys_of(files)
        try:
            pictures = picture_runs.uploaded(files, _choose_toy(toys) if toys else None, adjustment)
        except ValueError:
            draw_crop("")  # so that the user can undo a crop that is too small
            raise
    with place.container(key="notices", horizontal=True, gap="small"):
        draw_notices(pictures.notices)
    views = _along_one_direction(pictures, place)
    n = len(views.pictures)
    if n > MAX_VIEWS:
        place.warning(f"{MAX_VIEWS} of these {n} {views.noun}s are shown, evenly spaced.", icon=":material/warning:")
        views = views._replace(pictures=subset(views.pictures, np.linspace(0, n - 1, MAX_VIEWS).astype(int)))
    draw_crop(views.pictures.names[chosen_view(len(views.pictures))])
    return views


def _choose_sample() -> list[SampleFile]:
    """Let the user choose a sample, and return its files; empty if none is chosen."""
    help = "Rendered toys, in the files that this page reads."
    sample = st.pills("Or try", list(picture_runs.SAMPLES), help=help, **in_address("sample"))
    return [SampleFile(name, content) for name, content in picture_runs.sample_files(sample).items()] if sample else []


def _choose_toy(toys: tuple[picture_runs.Toy, ...]) -> picture_runs.Toy:
    """Let the user choose one of the toys in uploaded matrices."""

    def name(k: int) -> str:
        category, instance, lighting = toys[k]
        kind = "toy" if category is None else picture_runs.CATEGORIES[category]
        return f"{kind} {instance + 1}, light {lighting + 1}"

    return toys[st.selectbox("Toy in these files", range(len(toys)), format_func=name, key="which")]


def _along_one_direction(pictures: Pictures, place: DeltaGenerator) -> ToyViews:
    """Views that differ in only one direction, if names or labels give directions; otherwise all of them.

    Without directions, the user says whether they are views of one toy.
    """
    lines = {turned: found for turned in TURNS if (found := _lines(pictures, turned))}
    if not lines:
        is_one_toy = len(pictures) == 1 or choose_option([SEPARATE, ONE_TOY], "These are", "these") == ONE_TOY
        return ToyViews(pictures, None, "uploaded", is_one_toy=is_one_toy)
    turned = choose_from_menu(list(lines), "Turn", "turned", next(iter(lines))) if len(lines) > 1 else next(iter(lines))
    values = list(lines[turned])
    value = values[0]
    if len(values) > 1:
        value = st.selectbox(f"At {other_direction(turned)}", values, key=f"at {turned}")
    chosen = subset(pictures, lines[turned][value])
    if len(chosen) < len(pictures):
        place.caption(f"{len(chosen)} of {len(pictures)} views: those that differ only in {turned}.")
    return ToyViews(chosen, turned, "uploaded")


def _lines(pictures: Pictures, turned: str) -> dict[str, np.ndarray]:
    """The indices of ``MIN_LINE`` or more ordered views for each value of the other direction, most views first."""
    changes, stays = getattr(pictures, turned), np.nan_to_num(getattr(pictures, other_direction(turned)), nan=UNKNOWN)
    lines = {}
    for value in np.unique(stays):
        indices = np.flatnonzero((stays == value) & ~np.isnan(changes))
        if len(np.unique(changes[indices])) >= MIN_LINE:
            label = "unknown" if value == UNKNOWN else f"{value:.0f}°"
            lines[label] = indices[np.argsort(changes[indices], kind="stable")]
    return dict(sorted(lines.items(), key=lambda line: -len(line[1])))


def subset(pictures: Pictures, chosen: np.ndarray) -> Pictures:
    """The views that a mask or indices choose."""
    indices = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
    arrays = {name: getattr(pictures, name)[indices] for name in ("images", "azimuth", "elevation")}
    names, how = (tuple(texts[k] for k in indices) if texts else () for texts in (pictures.names, pictures.how))
    return replace(pictures, **arrays, names=names, how=how, notices=())


def draw_reading(views: ToyViews, view: int, name: str, device: str) -> None:
    """Say how an uploaded view was read, and how unusual it is compared with the network's training pairs.

    Args:
        views: uploaded views.
        view: index of the view.
        name: name of the network.
        device: device of the network.
    """
    pictures = views.pictures
    if not pictures.how:
        return
    sentence, help = f"{pictures.names[view]}: {pictures.how[view]}.", None
    for network in (name, OURS):  # features are measured only for shipped networks
        if unlikeness := picture_runs.unlikeness(network, device, pictures.images[view]):
            share, sample = unlikeness
            of_network = f" of {network}" if network != name else ""
            sentence += f" By its features, it is more unusual than {share:.0%} of the training pairs{of_network}."
            reference = f"The features are those of the last convolution of {network}, compared with {sample}."
            help = escape(f"{reference} This does not say whether the class is right.")
            break
    st.caption(escape(sentence), help=help)
