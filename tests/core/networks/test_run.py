"""Runs of one input, runs of many pairs of pictures, and the answers of traces."""

import subprocess
import sys

import numpy as np
import pytest

import core
from core import zoo
from core.datasets import Split, read_split
from core.networks import run
from core.training.metrics import answers
from tests.conftest import TINY, save_tiny


def test_pairs_in_batches_equal_a_single_pair(tiny_em_smallnorb, monkeypatch):
    monkeypatch.setattr(run, "BATCH_SIZE", 2)
    images = np.random.default_rng(0).integers(0, 256, (5, 2, 40, 32), np.uint8)
    capsules = run.class_capsules(tiny_em_smallnorb, images)
    assert capsules.probabilities.shape == (5, 5)
    assert capsules.poses.shape == (5, 5, 4, 4)
    trace = core.explain(tiny_em_smallnorb, images[3])
    np.testing.assert_allclose(capsules.probabilities[3], trace.probabilities[-1], rtol=1e-4)
    poses = capsules.poses[3].reshape(5, 16)
    np.testing.assert_allclose(poses, trace.parts_to_classes.capsules[-1], rtol=1e-3, atol=1e-5)


def test_inputs_that_are_not_pictures_are_refused(tiny, tiny_em_smallnorb):
    with pytest.raises(ValueError, match="reads text"):
        run.class_capsules(tiny, np.zeros((1, 2, 40, 40), np.uint8))
    with pytest.raises(ValueError, match="images has shape"):
        run.class_capsules(tiny_em_smallnorb, np.zeros((0, 2, 40, 40), np.uint8))


SAMPLES = [["bad"], ["good", "film"], ["is", "a", "film", "a", "film"], ["a", "bad", "film", "is", "n't", "good"]]


@pytest.mark.parametrize("kind", TINY)
def test_a_trace_has_the_same_answer_as_evaluate(kind, tmp_path, norb):
    """For DRNN this is not the last step, whose window is longer than the trained one."""
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    if kind == "em-smallnorb":
        split = read_split("smallnorb", norb, "test", 5)
        samples = list(split.views.images)
    else:
        words = [[sample] for sample in SAMPLES] if kind == "dragg-documents" else SAMPLES
        split = Split(words, [0] * len(SAMPLES), checkpoint.classes)
        samples = [" ".join(sample) for sample in SAMPLES]
    traces = [core.explain(checkpoint, sample) for sample in samples]
    _, predicted = answers(checkpoint, split)
    assert [trace.answer for trace in traces] == [checkpoint.classes[k] for k in predicted]
    assert [trace.class_probabilities.argmax() for trace in traces] == predicted.tolist()
    if kind == "drnn":
        assert predicted.tolist() != [trace.probabilities[-1].argmax() for trace in traces]


def test_couplings_that_freeze_after_the_last_iteration_are_noticed(tiny):
    late = core.explain(tiny, "a good film", n_iters=3, edits=["freeze:3"])
    assert late.notices == ["freeze:3 changes nothing: the last iteration of this run is 3."]
    assert core.explain(tiny, "a good film", n_iters=3, edits=["freeze:2"]).notices == []


def test_the_answer_is_from_the_last_requested_iteration(tiny_cccaps):
    trace = core.explain(tiny_cccaps, "good film", n_iters=5)
    assert np.array_equal(trace.class_probabilities, trace.probabilities[4])
    assert np.array_equal(trace.first(2).class_probabilities, trace.probabilities[1])


def test_drnn_answers_with_its_trained_window_or_the_nearest_shorter(tiny_drnn):
    trace = core.explain(tiny_drnn, "a bad film")
    assert np.array_equal(trace.class_probabilities, trace.probabilities[1])
    assert np.array_equal(trace.first(1).class_probabilities, trace.probabilities[0])


def test_public_names_exist_after_import_and_are_listed():
    script = "import core; core.zoo.load, core.lab.compare, core.routing.dynamic_routing; print(*dir(core))"
    script += "; import pydoc; print('explain' in pydoc.render_doc(core, renderer=pydoc.plaintext))"
    listed, has_explain = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert set(listed.split()) == {*core.__all__, "__version__"}
    assert has_explain == "True"


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("tiny", "a film"), r"checkpoint is 'tiny', wanted a loaded network, such as core.zoo.load\('dragg-sst5'\)"),
        ((None, ["a film", "bad"]), "a run takes one text: call core.explain_many for a list"),
        ((None, ("a", "film")), "join words with spaces"),
        ((None, 3), "the sample is of type int, wanted a text, or a NumPy array of two pictures"),
    ],
)
def test_arguments_of_other_types_are_refused_in_one_sentence(tiny, arguments, sentence):
    checkpoint, sample = arguments
    with pytest.raises(TypeError, match=r"edits is 'drop:good', wanted a list of edits, such as \['drop:good'\]"):
        core.explain(tiny, "good film", edits="drop:good")
    with pytest.raises(ValueError, match="The number of iterations is '3', wanted 1 to 50"):
        core.explain(tiny, "good film", n_iters="3")
    for function in (core.explain, core.cuts):
        with pytest.raises(TypeError, match=sentence):
            function(checkpoint or tiny, sample)
