"""Measurements on disk: arrays next to a checkpoint's weights, and one table per sweep."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from core.files import check_writable, write
from core.manifest import PRETRAINED, describe, folders

if TYPE_CHECKING:
    import pandas

SWEEPS = PRETRAINED / "sweeps"

ARRAYS: dict[
    str, dict[str, tuple[Any, ...]]
] = {  # the arrays of each file with their sizes; a letter stands for any size
    "poses": {  # the pose vectors of all test toys in turned views
        "toys": (25, 2),  # category, instance
        "azimuth": (25, 18, 4, 4),  # class capsules' pose vectors [toy, view, v, d] as the azimuth turns once round
        "elevation": (25, 9, 4, 4),  # the same as the elevation rises from 30 to 70 degrees
    },
    "grid": {  # the pose vectors of all test toys from all directions, kept when "poses" are measured
        "toys": (25, 2),  # category, instance
        "grid": (25, 9, 18, 4, 4),  # half precision, [toy, elevation, azimuth, v, d]: 30 to 70 degrees, once round
    },
    "built_in": {  # the pose vectors of the fifty built-in toys in turned views
        "toys": (50, 2),  # category, instance
        "views": (50, 27, 4, 4),  # [toy, view, v, d]: as the azimuth turns once round, then as the elevation rises
    },
    "readout": {  # how well a toy's direction can be read off features: a row for each R2
        "network": ("r",),  # "none" for pixels
        "features": ("r",),
        "method": ("r",),
        "category": ("r",),
        "direction": ("r",),
        "toy": ("r",),  # instance, which was not fitted to
        "r2": ("r",),
    },
    "changes": {  # accuracy on test pairs that are changed as people's pictures are
        "change": ("c",),  # in words
        "accuracy": ("c",),
        "n": (1,),  # number of pairs
    },
    "elevations": {  # how often the rendered test toys are named rightly, from all azimuths
        "degrees": ("e",),  # elevations: untrained ones, and 50
        "right": ("e",),  # number of pairs that are named rightly
        "n": (1,),  # number of pairs at each elevation
    },
    "features": {  # the features of a sample of training pairs, as in core.analysis.novelty.FeatureSample
        "mean": ("f",),
        "precision": ("f", "f"),
        "distances": ("n",),
    },
    "answers": {  # which samples of the test split are answered correctly
        "bits": ("b",),  # packed by numpy.packbits, in the order of the split
        "n": (1,),  # number of samples
    },
    "given": {  # what the network answers to each held-out text of a user's file
        "given": ("n",),  # indices of the classes, in the order of the split
    },
    "mistakes": {  # texts of a user's file that the network gets wrong, those that rest most on one word first
        "texts": ("n",),  # their indices in the held-out part
        "certainty": ("n",),  # probability of the wrong answer
        "word": ("n",),  # index of the word without which this probability falls furthest, or rises least
        "named": ("n",),  # this word
        "without": ("n",),  # probability of the wrong answer with this word masked
        "then": ("n",),  # index of the class that is answered then
        "n_wrong": (1,),  # number of wrong answers; more than n if only some were looked at
    },
    "examples": {  # what the network answers on the examples of its page
        "names": ("n",),  # names of the examples
        "probabilities": ("n", "k"),  # of the classes
    },
    "split": {  # what the network answers on its test split
        "counts": ("k", "k"),  # numbers of texts [true class, predicted class]
        "certainties": (20,),  # histogram of the probabilities of the predicted classes, 0 to 1
        "limit": (1,),  # number of texts that were asked for; 0 for all
    },
    "selections": {  # the words that the layers of an AGT select in the test sentences
        "attention": ("a", 20),  # histogram of each layer's scaled attention to words, 0 to 1 in 20 bins
        "gates": ("g", 20),  # histogram of each layer's gate components, for layers 1 and above
        "lengths": ("a", 8),  # number of phrases of 1, 2, .., 8 or more words in each layer
        "top_words": ("a", 10),  # the words that each layer selects most often
        "top_counts": ("a", 10),  # how often it selects them
        "sentences": (1,),  # number of sentences
    },
    "units": {  # what the units of a network take and do: capsules, parts, layers or components
        "numbers": ("u",),  # numbers of the units, from 1: the 64 that matter most, or all
        "words": ("w",),  # the frequent words, in lower case
        "counts": ("w",),  # how often they occur
        "lift": ("u", "w"),  # half precision: amount that a unit takes, 1 for an average word of its text
        "texts": ("u", 10, 3),  # numbers of texts in each tenth of the unit's activation, the lowest first
        "top": ("u", 10, 3, 4, 2),  # spans of the words that the unit takes most of in them; -1 where there are fewer
        "effect": ("u", "k"),  # mean probability of each class with the unit minus that without it
        "effect_low": ("u", "k"),  # 95% interval of it
        "effect_high": ("u", "k"),
        "matters": ("u",),  # mean change of the answer's probability without the unit
        "flips": ("u",),  # share of texts whose answer becomes another class
        "idle": ("u",),  # share of texts in which the removal changes no probability by 0.001
        "evenness": ("u",),  # entropy of what it takes, as a part of that of equal amounts
        "between": ("u",),  # share of the amounts' variance that lies between texts; 0 for a static unit
        "selective": ("u",),  # share of words of which it takes at least twice the average
        "activation": ("u", 11),  # quantiles of its activation, from the least to the largest
        "active": ("u", "b"),  # texts in which its activation is in the highest quarter, packed by numpy.packbits
        "cosine": ("v", "v"),  # mean cosine of two units' vectors; v is 0 if units have none
        "overlap": ("u", "u"),  # correlation of what two units take from the words
        "names": ("u",),  # name made by a rule; "" if no rule holds
        "rules": ("u",),  # name of the rule that fits best
        "aims": ("u",),  # what the rule predicts: "takes" a word, or "active" in a text
        "alike": ("u",),  # numbers from 1 of the other units that the same rule fits best
        "accuracy": ("u",),  # of the rule, on the half of the texts that it was not chosen on
        "base": ("u",),  # of always giving the most frequent answer
        "low": ("u",),  # 95% interval of the difference
        "high": ("u",),
        "n": (1,),  # number of texts
    },
    "stability": {  # the units of other trainings by the same recipe that are matched with those of "units"
        "numbers": ("u",),  # numbers of the units, as in "units"
        "seeds": ("s",),  # of the other trainings
        "partner": ("s", "u"),  # numbers of the matched units; 0 for a unit that is not matched
        "correlation": ("s", "u"),  # of what both take from the words; nan for a unit that is not matched
        "others": ("s", "u"),  # mean correlation with the units there that it is not matched with
        "by_chance": ("s", "u"),  # correlation below which 95% of the matches stay if the words are shuffled
    },
    "views": {  # from where the scores of the parts of a network of toys are high, and what their poses follow
        "numbers": ("u",),  # numbers of the parts, from 1
        "elevations": ("e",),  # of the measured views, in degrees
        "azimuths": ("a",),
        "score": ("u", "e", "a"),  # mean score a over toys and lights; the activation f(a) is its logistic
        "range": ("u", 2),  # least and largest score
        "share": (3, "u", "h"),  # half precision: share of the variance within a toy that was left out, of each
        "low": (3, "u", "h"),  # component of the pose, that azimuth, elevation and light explain; 95% interval
        "high": (3, "u", "h"),
        "own": (3, "u", "h"),  # the same from each toy's own curve
        "chance": (3, "u"),  # 95% quantile of the largest share of a part's components with shuffled curves
        "strongest": (
            "u",
        ),  # index of the component that the azimuth explains best, of those that follow it if any does
        "curve": ("u", "k", "a"),  # it, by class: standard deviations from a toy's mean
        "shown": ("p", 5),  # views with pictures: category, instance, light from 1, azimuth and elevation in degrees
        "tenths": ("u", 10),  # the shown view that stands for each tenth of the score, the lowest first
        "tenth_score": ("u", 10),  # score of the part in it
        "pictures": ("b",),  # left pictures of the shown views, by core.pictures.thumbnails; none of photographs
        "average": ("c",),  # left pictures: mean of the tenth with a part's highest scores, minus that of all
        "n_toys": (1,),
        "n": (1,),  # number of pairs
    },
    "shown": {  # the texts of a user that the tenths of "units" show
        "numbers": ("n",),  # their numbers, as in "texts" of "units"
        "texts": ("n",),  # long ones are cut
    },
    "constituents": {  # whether selected phrases of two words or more are constituents: each layer, then all together
        "n": ("r",),  # number of these phrases
        "share": ("r",),  # share of constituents
        "by_chance": ("r",),  # the same for runs of the same lengths at random places in the same sentences
        "low": ("r",),  # 95% interval of the difference
        "high": ("r",),
        "selected": ("a",),  # mean number of words that each layer selects in a sentence
        "length": ("a",),  # mean number of words in a phrase
        "length_by_chance": ("a",),  # the same if as many words were selected at random
    },
}
ARRAYS["reading"] = ARRAYS["units"]  # the same on the sentences that come with the program
STATED = ".stated"  # end of a quantity that the archive of a network states, and that was not measured here
ARRAYS |= {f"{quantity}{STATED}": ARRAYS[quantity] for quantity in ("units", "reading")}


def read(quantity: str, name: str) -> dict[str, ndarray] | None:
    """Read a measurement of a checkpoint; None if there is none, it is damaged or it belongs to other weights.

    Args:
        quantity: a key of ``ARRAYS``.
        name: name of the checkpoint.

    Returns:
        The arrays, and under "data" a phrase for the samples they were measured on.
    """
    return read_in(folders()[name], quantity, describe(name).sha256) if name in folders() else None


def read_in(folder: Path, quantity: str, sha256: str, beginning: str = "") -> dict[str, ndarray] | None:
    """``read`` from a folder.

    Args:
        folder: folder of the file.
        quantity: as in ``read``.
        sha256: checksum of the checkpoint's weights.
        beginning: characters before the quantity in the file's name.
    """
    try:
        content = io.BytesIO((folder / f"{beginning}{quantity}.npz").read_bytes())  # NumPy leaves a damaged file open
        with np.load(content, allow_pickle=False) as file:
            arrays = {array: file[array] for array in (*ARRAYS[quantity], "data", "sha256")}
        is_valid = are_valid(arrays, ARRAYS[quantity])
    except Exception:  # a damaged archive makes NumPy raise nearly anything
        return None
    return arrays if is_valid and str(arrays["sha256"]) == sha256 else None


def stamp_in(folder: Path, quantity: str) -> tuple[str, int]:
    """The path of a measurement in a checkpoint's folder and the time it was written, in nanoseconds; 0 if none."""
    return _stamp(folder / f"{quantity}.npz")


def check_keeps(quantity: str, name: str) -> None:
    """Raise OSError if a measurement cannot be written. Called before measuring, which can take hours."""
    check_writable(_path(quantity, name))


def save(quantity: str, name: str, arrays: dict[str, ndarray], sha256: str) -> Path:
    """Write a measurement next to the weights it was made with, and return its path.

    Args:
        arrays: arrays as in ``read``.
        sha256: checksum of the weights when they were measured.

    Raises:
        ValueError: the checkpoint has been retrained in the meantime.
    """
    if describe(name).sha256 != sha256:
        raise ValueError(f"{name} has been retrained in the meantime")
    return save_in(folders()[name], quantity, arrays, sha256)


def save_in(folder: Path, quantity: str, arrays: dict[str, ndarray], sha256: str, beginning: str = "") -> Path:
    """``save`` to a folder, such as that of a checkpoint that is not listed yet. beginning: as in ``read_in``."""
    content = io.BytesIO()
    chosen = {array: arrays[array] for array in (*ARRAYS[quantity], "data")}
    np.savez_compressed(content, allow_pickle=False, sha256=np.array(sha256), **chosen)
    path = folder / f"{beginning}{quantity}.npz"
    write(path, content.getvalue())
    return path


def read_sweep(name: str) -> "pandas.DataFrame | None":
    """The table of a sweep, one row per training; None if there is none."""
    import pandas as pd  # takes half a second to import, which the first picture need not wait for

    path = SWEEPS / f"{name}.parquet"
    return pd.read_parquet(path) if path.is_file() else None


def stamp_of_sweep(name: str) -> tuple[str, int]:
    """The path of a sweep's table and the time it was written, in nanoseconds; 0 if there is none."""
    return _stamp(SWEEPS / f"{name}.parquet")


def _path(quantity: str, name: str) -> Path:
    return folders()[name] / f"{quantity}.npz"


def _stamp(path: Path) -> tuple[str, int]:
    """A file's path and the time it was written, as a key for caches."""
    return str(path), path.stat().st_mtime_ns if path.is_file() else 0


def are_valid(arrays: dict[str, ndarray], shapes: dict[str, tuple[int | str, ...]]) -> bool:
    """Whether arrays from a file have these shapes, where each letter is one size, and are text or finite."""
    sizes: dict[str, int] = {}
    for name, shape in shapes.items():
        array = arrays[name]
        if array.ndim != len(shape) or not (array.dtype.kind == "U" or np.isfinite(array).all()):
            return False
        for expected, size in zip(shape, array.shape, strict=True):
            if size != (sizes.setdefault(expected, size) if isinstance(expected, str) else expected):
                return False
    return True
