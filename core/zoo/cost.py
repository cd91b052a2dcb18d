"""What a run of a network takes, by its sizes alone: a few bytes of config.json can ask for years of work."""

from collections.abc import Callable
from math import ceil
from typing import Any, NamedTuple

from core.models import AGTConfig, CCCapsConfig, DRAggConfig, DRNNConfig, EMSmallNORBConfig, EMSSTConfig
from core.models.em_smallnorb import STEP, STRIDES

WORDS = 1000
SENTENCES = 200  # of a document, which is read sentence by sentence
SIDE = 128  # pixels of a picture
ITERATIONS = 10  # at least, as pages show what more of them than in training do


class Cost(NamedTuple):
    """What a run of 1,000 words takes, or of a pair of large pictures, to the nearest tenth or so.

    Attributes:
        products: multiplications.
        numbers: kept at once.
        cells: of the largest picture that a page draws, over all steps.
    """

    products: int
    numbers: int
    cells: int


MOST = Cost(products=50 * 10**9, numbers=100 * 10**6, cells=10**6)  # a second or two, 400 MB, and what a browser draws
WHAT = Cost("multiplications", "numbers in memory", "cells of a picture")


def check_cost(kind: str, sizes: Any) -> None:
    """Raise ValueError if a run of a network takes more than a server can give to one visitor.

    Args:
        kind: of the network.
        sizes: its configuration.
    """
    for cost, most, what in zip(COSTS[kind](sizes), MOST, WHAT, strict=True):
        if cost > most:
            of = "two pictures" if kind == "em-smallnorb" else f"{WORDS:,} words"
            raise ValueError(f"a run of {of} takes {cost:,} {what}, wanted at most {most:,}")


def _iterations(config: Any) -> int:
    return max(ITERATIONS, config.n_iters)


def _dragg(c: DRAggConfig) -> Cost:
    t, n_routed = _iterations(c), c.n_capsules * c.d_capsule
    encoded = 8 * c.d_hidden * (c.d_word + c.d_hidden) + c.d_piece * c.d_word
    classified = t * c.d_mlp * (n_routed + c.n_classes)
    products = WORDS * (encoded + 2 * (c.d_hidden + t) * n_routed) + classified
    cells = t * WORDS * c.n_capsules
    return Cost(products, WORDS * (n_routed + 8 * c.d_hidden) + 3 * cells, cells)


def _documents(c: DRAggConfig) -> Cost:
    of_words, n_routed = _dragg(c), c.n_capsules * c.d_capsule
    encoded = SENTENCES * 8 * c.d_hidden * (n_routed + c.d_hidden)
    numbers = SENTENCES * _iterations(c) * n_routed  # each sentence after each iteration
    return of_words._replace(products=2 * of_words.products + encoded, numbers=2 * of_words.numbers + numbers)


def _cccaps(c: CCCapsConfig) -> Cost:
    t, h, n_codewords = _iterations(c), c.d_hidden, ceil(c.n_words ** (1 / c.n_books)) + 1
    codes = c.n_books * n_codewords if c.embedding != "plain" else 1
    encoded = 6 * h * (c.d_word + h) + 18 * h * h + (codes + c.d_piece) * c.d_word
    cells = t * c.n_features * c.n_classes
    votes = c.n_features * c.n_classes * c.d_capsule
    return Cost(WORDS * encoded + votes * (c.d_feature + 2 * t), WORDS * (codes + 8 * h) + votes + 3 * cells, cells)


def _em(t: int, n_inputs: int, n_parts: int, n_classes: int, d_inp: int, d_capsule: int) -> Cost:
    """Of both routings; d_inp: rows of an input's matrix that a vote multiplies; d_capsule: components of a vote."""
    votes = (n_inputs * n_parts + n_parts * n_classes) * d_capsule
    couplings = t * (n_inputs * n_parts + n_parts * n_classes)
    return Cost(votes * (d_inp + 6 * t), votes + 2 * couplings + n_inputs * d_inp, 0)


def _em_sst(c: EMSSTConfig) -> Cost:
    t, n_inputs = _iterations(c), WORDS * c.n_layers
    routed = _em(t, n_inputs, c.n_parts, c.n_classes, c.d_detect, c.d_part)
    products = routed.products + n_inputs * c.d_hidden * c.d_detect
    return Cost(products, routed.numbers + n_inputs * c.d_hidden, t * WORDS * max(c.n_layers, c.n_classes))


def _em_smallnorb(c: EMSmallNORBConfig) -> Cost:
    t, side, pixels = _iterations(c), SIDE, 0
    for stride in STRIDES:
        side //= stride
        pixels += side**2
    places = (SIDE // STEP) ** 2
    routed = _em(t, places * c.n_detected, c.n_parts, c.n_classes, c.d_pose, c.d_pose**2)
    convolved = 9 * pixels * c.n_channels**2 + places * c.n_channels * c.n_detected * (1 + c.d_pose**2)
    numbers = routed.numbers + SIDE**2 * c.n_channels
    return Cost(routed.products + convolved, numbers, t * places * max(c.n_classes, 1))


def _agt(c: AGTConfig) -> Cost:
    attended = c.n_attending * c.d_hidden * (c.d_hidden + 2) + c.d_word * c.d_hidden + c.d_piece * c.d_word
    numbers = WORDS * c.d_hidden * (2 * c.n_attending + 1) + 3 * c.n_layers * c.d_hidden
    layers = c.n_layers * (3 * c.d_hidden**2 + c.d_mlp * (c.d_hidden + c.n_classes))
    return Cost(WORDS * attended + layers, numbers, c.n_layers * max(WORDS, c.n_classes))


def _drnn(c: DRNNConfig) -> Cost:
    read = 4 * c.window * c.d_hidden * (c.d_word + c.d_hidden) + c.d_piece * c.d_word
    pooled = c.window * c.d_hidden * (c.d_mlp + 1) + c.d_mlp * c.n_classes
    cells = c.window * WORDS * c.n_classes
    return Cost(WORDS * (read + pooled), WORDS * c.window * (c.d_hidden + c.d_mlp) + cells, cells)


COSTS: dict[str, Callable[[Any], Cost]] = {
    "dragg": _dragg,
    "dragg-documents": _documents,
    "cccaps": _cccaps,
    "em-sst": _em_sst,
    "em-smallnorb": _em_smallnorb,
    "agt": _agt,
    "drnn": _drnn,
}
