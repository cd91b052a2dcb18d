"""Causal maps, which cut all couplings in batches, compared with one run."""

import numpy as np

import core
from core import zoo
from tests.benchmarks.figure import Figure, median_seconds

SENTENCE = (
    "A wonderful and moving film that never once loses its nerve , though the plot is thin and the ending is a little "
    "too neat"
)
REVIEW = " ".join((SENTENCE.split() * 14)[:342])  # 342 words
DOSES = np.linspace(0, 1, 21)  # one for each position of the page's slider


def cuts(device: str) -> list[Figure]:
    """The time to cut every coupling of DR-AGG and every part of an EM network, and to give one coupling 21 doses."""
    dragg, em = (zoo.load(name, device) for name in ("dragg-sst5", "em-sst5"))
    seconds = {
        name: median_seconds(run, device)
        for name, run in {
            "run": lambda: core.explain(dragg, SENTENCE),
            "cells": lambda: core.cuts(dragg, SENTENCE),
            "cells of a review": lambda: core.cuts(dragg, REVIEW),
            "parts of a review": lambda: core.cuts(em, REVIEW, by="capsule"),
            "doses": lambda: core.doses(dragg, SENTENCE, "couple:3,1=0", DOSES),
            "run of em-sst5": lambda: core.explain(em, SENTENCE),
            "parts": lambda: core.cuts(em, SENTENCE, by="capsule"),
        }.items()
    }
    cells, parts = seconds["cells"] / seconds["run"], seconds["parts"] / seconds["run of em-sst5"]
    return [
        Figure("all 125 couplings of 25 words cut one by one", seconds["cells"], 1, "s"),
        Figure("all 125 couplings of 25 words cut one by one / one run", cells, 125, "times"),
        Figure("all 1,710 couplings of 342 words cut one by one", seconds["cells of a review"], 3, "s"),
        Figure("each of em-sst5's 64 parts cut, 342 words", seconds["parts of a review"], 3, "s"),
        Figure("21 doses of a coupling / one run", seconds["doses"] / seconds["run"], 21, "times"),
        Figure("each of em-sst5's 64 parts cut, 25 words", seconds["parts"], 5, "s"),
        Figure("each of em-sst5's 64 parts cut, 25 words / one run", parts, 64, "times"),
    ]
