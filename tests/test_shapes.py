"""The shapes in core's signatures hold: a run through everything with jaxtyping and beartype watching every call."""

import subprocess
import sys
from pathlib import Path

WATCHED = """
import sys
from io import BytesIO
from pathlib import Path
import numpy as np
import torch
from PIL import Image
from jaxtyping import install_import_hook
import tests.watch
with install_import_hook("core", "tests.watch.watch"):
    import core
    from core import pictures, zoo
    from core.analysis import phrases
    from core.analysis.places import by_place, taken_from
    from core.analysis.routing import change, entropy
    from core.analysis.windows import decisive_words
    from core.datasets import binary, smallnorb, toyrig
    from core.models.words import ReadsWords
    from core.measured import selections
    from core.measured.poses import class_capsules
    from core.training.augment import Looks, shift, vary
    from core.analysis.codes import nearest
    from core.layers import CompositionalEmbedding
    from core.training.losses import sum_of_losses
    from core.training.cooccurrence import cooccurrence_vectors
    from core.training.word_vectors import fit_from_pieces, init_codes, init_from_both
checkpoint = zoo.load("tiny", "cpu")
trace = core.explain(checkpoint, "A good film, isn't it?", 4)
entropy(trace.steps["coupling"]), change(trace.steps["coupling"], "input")
checkpoint.model(**checkpoint.inputs([["good"], ["a", "zyx", "film"]]))
pair = [("a.png", BytesIO()), ("b.png", BytesIO())]
for size, (_, file) in zip((80, 200), pair):
    Image.new("L", (size, 90)).save(file, "PNG")
pictures.read(pair)
for role, shape, dtype in (("dat", (3, 2, 96, 96), "u1"), ("cat", (3,), "i4"), ("info", (3, 4), "i4")):
    binary.write_matrix(Path(sys.argv[1], f"{smallnorb.TEST}-{role}.mat"), np.zeros(shape, dtype))
smallnorb.toy(Path(sys.argv[1]), "test", 0, 0, 0)
matrices = [(path.name, path.open("rb")) for path in Path(sys.argv[1]).glob("*.mat")]
pictures.read(matrices, pictures.toys(matrices)[0])
sees = zoo.load("tiny-em-smallnorb", "cpu")
images = np.zeros((3, 2, 40, 48), np.uint8)
trace = core.explain(sees, images[0], 4)
taken_from(trace.steps["gate"], trace.steps["coupling"], trace.extra["grid"])
by_place(trace.extra["credit"], trace.extra["grid"])
class_capsules(sees, images)
vary(sees.inputs(images)["images"], Looks())
shift(torch.from_numpy(images), 4)
toyrig.photographs(1, 0, [40], [50])
attention = core.explain(zoo.load("tiny-agt"), "A good film").extra["attention"]
chosen = phrases.selected(attention)
phrases.scaled(attention), phrases.lengths(chosen, 3), phrases.phrases(chosen[0])
phrases.most_selected([(phrases.selected_words(["a", "b", "c"], chosen[0]), chosen[:, chosen[0]])], 2)
selections.histogram(attention)
read = core.explain(zoo.load("tiny-drnn"), "A good film")
decisive_words(read.extra["evidence"][0], read.probabilities[0], 1)
routed = core.explain(zoo.load("tiny-cccaps"), "A good film")
every = np.array(routed.extra["codes"])
nearest(every, every[0], 2)
fit_from_pieces(ReadsWords(4, 5, 3, 0.0), torch.randn(4, 3))
init_codes(CompositionalEmbedding(9, 4, 2), torch.randn(9, 6))
sum_of_losses("margin+focal")(torch.rand(2, 3), torch.tensor([0, 2]))
kept = cooccurrence_vectors([["a", "good", "film"]] * 9, ["a", "b", "good", "film"], 2)
init_from_both(ReadsWords(4, 386, 384, 0.0), torch.randn(4, 384), kept)
try:
    entropy(trace.probabilities)
except Exception as error:
    assert "TypeCheckError" in type(error).__name__, error
else:
    raise AssertionError("the watch is asleep: a wrong shape went through")
"""


def test_shapes_in_signatures_hold(tiny_folder, tiny_em_smallnorb, tiny_agt, tiny_drnn, tiny_cccaps, tmp_path):
    root = Path(__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", WATCHED, tmp_path], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
