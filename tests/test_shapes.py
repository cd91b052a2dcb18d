"""The shapes in core's signatures hold: a run through everything with jaxtyping and beartype watching every call."""

import subprocess
import sys
from pathlib import Path

WATCHED = """
import numpy as np
import torch
from jaxtyping import install_import_hook
with install_import_hook("core", "beartype.beartype"):
    import core
    from core import zoo
    from core.analysis.places import by_place, taken_from
    from core.analysis.routing import change, entropy
    from core.poses import poses
    from core.training.augment import Looks, shifted, varied
checkpoint = zoo.load("tiny", "cpu")
trace = core.explain(checkpoint, "A good film, isn't it?", 4)
entropy(trace.steps["coupling"]), change(trace.steps["coupling"], "input")
checkpoint.model(**checkpoint.encode([["good"], ["a", "zyx", "film"]]))
pictures = zoo.load("tiny-em-smallnorb", "cpu")
images = np.zeros((3, 2, 40, 48), np.uint8)
trace = core.explain(pictures, images[0], 4)
taken_from(trace.steps["gate"], trace.steps["coupling"], trace.extra["grid"])
by_place(trace.extra["credit"], trace.extra["grid"])
poses(pictures, images)
varied(pictures.encode(images)["images"], Looks())
shifted(torch.from_numpy(images), 4)
try:
    entropy(trace.probabilities)
except Exception as error:
    assert "TypeCheckError" in type(error).__name__, error
else:
    raise AssertionError("the watch is asleep: a wrong shape went through")
"""


def test_shapes_in_signatures_hold(tiny_folder, tiny_em_smallnorb):
    root = Path(__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", WATCHED], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
