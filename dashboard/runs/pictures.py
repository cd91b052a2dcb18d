"""Pictures (rendered, smallNORB's own or uploaded), and runs of the networks that read them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
import streamlit as st
from PIL import Image

from core import explain, pictures
from core.analysis import novelty
from core.analysis.poses import Places, Principal, align, principal, project
from core.datasets import data_root, smallnorb, toyrig
from core.datasets.toyrig import kept
from core.measured import features
from core.networks import run
from core.networks.run import ClassCapsules
from core.pictures import Adjustment, Pictures, Toy
from core.pictures.doubts import Doubt, doubt
from core.pictures.samples import SAMPLES
from core.traces.em import EMPlacesTrace
from dashboard.runs.checkpoints import measured, n_steps
from dashboard.runs.kept import BY_CONTENT
from dashboard.runs.loaded import FELL_BACK, load, with_cpu_fallback, with_fallback_notice
from dashboard.sessions.uploads import open_upload

CATEGORIES, TOYS = smallnorb.CLASSES, toyrig.KINDS
AZIMUTHS, ELEVATIONS, N_LIGHTS = toyrig.AZIMUTHS, toyrig.ELEVATIONS, toyrig.N_LIGHTS
PREVIEW = 320  # pixels, longer side of a picture to adjust
TRAINED_ON, TESTED_ON = toyrig.INSTANCES["train"], toyrig.INSTANCES["test"]


def run_pair(name: str, device: str, pair: np.ndarray) -> EMPlacesTrace:
    """The trace of a pair of pictures, uint8 [2, y, x], summed by place.

    Raises:
        ValueError: the pair or the checkpoint cannot be read.
    """
    trace, fell_back = with_cpu_fallback(_run_pair, name, device, pair)
    return with_fallback_notice(trace) if fell_back else trace


def class_capsules(name: str, device: str, images: np.ndarray) -> tuple[ClassCapsules, list[str]]:
    """Class capsules of many pairs, uint8 [n, 2, y, x], after the trained number of iterations, and notices."""
    capsules, fell_back = with_cpu_fallback(_class_capsules, name, device, images)
    return capsules, [FELL_BACK] if fell_back else []


def unlikeness(name: str, device: str, pair: np.ndarray) -> tuple[float, str] | None:
    """The share of sampled training pairs that are less unusual than this pair, and a phrase for the sample.

    None if no features were measured for this network.
    """
    arrays = measured("features", name)
    if arrays is None:
        return None
    sample = novelty.FeatureSample(*(arrays[field].astype(float) for field in novelty.FeatureSample._fields))
    pair_features, _ = with_cpu_fallback(_features, name, device, pair)
    return float(novelty.share_within(pair_features, sample)[0]), str(arrays["data"])


def reason_for_doubt(pair: np.ndarray) -> Doubt | None:
    """The reason not to trust the name of an uploaded pair, uint8 [2, y, x]; None if there is none."""
    return doubt(pair)


def rendered(
    category: int, instance: int, lighting: int, azimuths: tuple[int, ...], elevations: tuple[int, ...]
) -> Pictures:
    """Views of a built-in toy, sorted by elevation, then azimuth, both in degrees.

    The turn that a page opens on is kept. All others are rendered, which takes two seconds.
    """
    if (azimuths, elevations, lighting) == (AZIMUTHS, (kept.ELEVATION,), kept.LIGHTING):
        images = kept.read_turn(category, instance)[None]
    else:
        images = _rendered(category, instance, azimuths, elevations)[:, :, lighting]
    directions = [(azimuth, elevation) for elevation in elevations for azimuth in azimuths]
    return _pictures(images.reshape(-1, *images.shape[2:]), np.array(directions, float))


@st.cache_data(max_entries=32, show_spinner="Photographing the toy …")
def _rendered(category: int, instance: int, azimuths: tuple[int, ...], elevations: tuple[int, ...]) -> np.ndarray:
    """Photograph a built-in toy in all lights at once, because another light is little work."""
    return toyrig.photographs(category, instance, azimuths, elevations)


def rendered_in_all_lights(category: int, instance: int, azimuth: int, elevation: int) -> Pictures:
    """A built-in toy from one direction, in degrees, one view per light."""
    return _in_lights(_pairs_from(category, instance, azimuth, elevation), azimuth, elevation)


def pair_from(category: int, instance: int, lighting: int, azimuth: int, elevation: int) -> np.ndarray:
    """A built-in toy from any direction, in whole degrees: uint8 [2, y, x]."""
    return _pairs_from(category, instance, azimuth, elevation)[lighting]


@st.cache_data(max_entries=256, show_spinner=False)
def _pairs_from(category: int, instance: int, azimuth: int, elevation: int) -> np.ndarray:
    """A built-in toy from one direction: a pair of pictures for each light."""
    return toyrig.photographs(category, instance, [azimuth], [elevation])[0, 0]


def _in_lights(images: np.ndarray, azimuth: int, elevation: int) -> Pictures:
    """Views from one direction, one per light."""
    names = tuple(f"azimuth {azimuth}°, elevation {elevation}°, light {k}" for k in range(1, len(images) + 1))
    angles = (np.full(len(images), float(angle)) for angle in (azimuth, elevation))
    return Pictures(np.ascontiguousarray(images), names, *angles, ())


def has_official_files() -> bool:
    """Whether the data folder has files of smallNORB's test split."""
    return any((_norb() / f"{smallnorb.TEST}-dat.mat{end}").is_file() for end in ("", ".gz"))


def are_official_files_photographs() -> bool:
    """Whether the data folder has smallNORB's released files, not rendered ones in their format."""
    return has_official_files() and not (_norb() / smallnorb.RENDERED).exists()


def official_toy(split: str, category: int, instance: int, lighting: int) -> tuple[Pictures, str]:
    """All 162 views of a toy in one light from the data folder, and the name of their renderer, or "".

    Raises:
        ValueError: the files cannot be read.
    """
    folder = _norb()
    written = max((path.stat().st_mtime_ns for path in folder.iterdir()), default=0)
    return _official_toy(str(folder), written, split, category, instance, lighting), smallnorb.rendered_by(folder)


def official_toy_in_all_lights(
    split: str, category: int, instance: int, azimuth: int, elevation: int
) -> tuple[Pictures, str]:
    """A toy of the data folder from one direction, one view per light, and the name of the renderer, or "".

    Raises:
        ValueError: the files cannot be read, or lack this view in a light.
    """
    images = []
    for lighting in range(N_LIGHTS):
        toy, rendered_by = official_toy(split, category, instance, lighting)
        images.append(pair_among(toy, azimuth, elevation))
    return _in_lights(np.stack(images), azimuth, elevation), rendered_by


def pair_among(toy: Pictures, azimuth: int, elevation: int) -> np.ndarray:
    """The view of a toy from one direction; ValueError if there is none."""
    rows = np.flatnonzero((toy.azimuth == azimuth) & (toy.elevation == elevation))
    if not len(rows):
        raise ValueError("The files have no view of this toy from that direction.")
    return toy.images[rows[0]]


@st.cache_data(max_entries=8, show_spinner="Reading smallNORB's files …")
def _official_toy(folder: str, written: int, split: str, category: int, instance: int, lighting: int) -> Pictures:
    """All views of a toy in one light. ``written`` is only a part of the cache's key."""
    views = smallnorb.toy(Path(folder), split, category, instance, lighting)
    return _pictures(views.images, smallnorb.directions(views.info))


def _norb() -> Path:
    """The folder of smallNORB's files."""
    return data_root() / "smallnorb"


def _pictures(images: np.ndarray, directions: np.ndarray) -> Pictures:
    """Name the views by their directions [view, 2], in degrees."""
    names = tuple(f"azimuth {a:.0f}°, elevation {e:.0f}°" for a, e in directions)
    return Pictures(np.ascontiguousarray(images), names, *directions.T.copy(), ())


@st.cache_data(max_entries=len(SAMPLES), show_spinner="Photographing the toy …")
def sample_files(sample: str) -> dict[str, bytes]:
    """The files of one of ``SAMPLES`` by name."""
    return SAMPLES[sample]()


def toys_of(files: list) -> tuple[Toy, ...]:
    """The toys in uploaded matrices; ValueError if they cannot be read."""
    return _toys_of(_key_of(files), files)


def uploaded(files: list, toy: Toy | None, adjustment: Adjustment) -> Pictures:
    """The views in uploaded files; ValueError with one sentence if a file is refused."""
    return _uploaded(_key_of(files), toy, adjustment, files)


def picture_to_adjust(files: list, name: str = "") -> np.ndarray | None:
    """The uploaded picture of a view in grey, uint8 [y, x], reduced for a screen; None for matrices and refused files.

    Args:
        files: uploads.
        name: name of the view; the first view if none has this name.
    """
    return _picture_to_adjust(_key_of(files), name, files)


def _key_of(files: list) -> tuple[tuple[str, str], ...]:
    """A cache key for uploads. Streamlit gives each upload another id."""
    return tuple((file.name, file.file_id) for file in files)


@contextmanager
def _opened(files: list) -> Iterator[list[tuple[str, BinaryIO]]]:
    """Open uploads, as pairs of name and content."""
    with ExitStack() as until_read:
        yield [(file.name, until_read.enter_context(open_upload(file))) for file in files]


@st.cache_data(max_entries=8, show_spinner="Reading the files …")
def _toys_of(key: tuple, _files: list) -> tuple[Toy, ...]:
    with _opened(_files) as files:
        return pictures.toys(files)


@st.cache_data(max_entries=8, show_spinner="Reading the files …")
def _uploaded(key: tuple, toy: Toy | None, adjustment: Adjustment, _files: list) -> Pictures:
    with _opened(_files) as files:
        return pictures.read(files, toy, adjustment)


@st.cache_data(max_entries=32, show_spinner=False)
def _picture_to_adjust(key: tuple, name: str, _files: list) -> np.ndarray | None:
    try:
        with _opened(_files) as files:
            picture = Image.fromarray(pictures.left_picture(files, name))
    except ValueError:
        return None
    size = tuple(max(1, round(PREVIEW * side / max(picture.size))) for side in picture.size)
    return np.asarray(picture.resize(size, Image.Resampling.BICUBIC))


@st.cache_data(max_entries=32, show_spinner="Projecting the poses …", hash_funcs=BY_CONTENT)
def projected(vectors: np.ndarray, n_dims: int) -> Places:
    """Project pose vectors [view, v, d] to a plane (n_dims 2) or to space (3)."""
    return project(vectors, n_dims)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def lay_out(vectors: np.ndarray, aligned: bool) -> tuple[Principal, Principal, np.ndarray | None]:
    """Project the pose vectors of several toys [toy, view, v, d] to a plane and to space.

    Args:
        aligned: whether each toy's vectors are first moved, scaled and rotated to be as close as possible to the
            first toy's.

    Returns:
        The points in the plane and in space, and each toy's disparity, or None if they are not aligned.
    """
    disparity = None
    if aligned:
        vectors, disparity = align(vectors)
    return principal(vectors, 2), principal(vectors, 3), disparity


@st.cache_data(max_entries=16, show_spinner="Routing …", hash_funcs=BY_CONTENT)
def _run_pair(name: str, version: str, device: str, pair: np.ndarray) -> EMPlacesTrace:
    return explain(load(name, version, device), pair, n_steps(name)).by_place()


@st.cache_data(max_entries=32, show_spinner="Routing every view …", hash_funcs=BY_CONTENT)
def _class_capsules(name: str, version: str, device: str, images: np.ndarray) -> ClassCapsules:
    return run.class_capsules(load(name, version, device), images)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def _features(name: str, version: str, device: str, pair: np.ndarray) -> np.ndarray:
    return features.pooled_features(load(name, version, device), pair[None])
