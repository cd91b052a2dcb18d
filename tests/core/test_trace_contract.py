"""The names and axes of every kind of network's trace, and what its arrays mean."""

import json

import numpy as np
import pytest
import torch

import core
from core import zoo
from core.trace import FIELDS
from core.tracers import MOST_WINDOWS
from tests.conftest import save_tiny_cccaps
from tests.core.samples import REVIEW, SENTENCE, pair


def test_names_and_axes_are_the_contract(tiny):
    """Pages, scripts and saved traces rely on these names. Extend the list; rename nothing."""
    em = {
        "gate": "t i",
        "coupling": "t i j",
        "benefit": "t j",
        "cost": "t j",
        "scores": "t j",
        "activation": "t j",
        "capsules": "t j h",
        "variances": "t j h",
    }
    assert {
        "dragg": {
            "layers": [
                {
                    "coupling": "t i j",
                    "logits": "t i j",
                    "agreement": "t i j",
                    "capsules": "t j h",
                    "activation": "t j",
                }
            ],
            "extra": {"normalize": "", "known": "i"},
        },
        "dragg-documents": {
            "layers": [
                {"coupling": "t i j", "logits": "t i j", "agreement": "t i j", "activation": "t s j"},
                {
                    "coupling": "t s j",
                    "logits": "t s j",
                    "agreement": "t s j",
                    "capsules": "t j h",
                    "activation": "t j",
                },
            ],
            "extra": {"normalize": "", "known": "i", "sentence_of": "i", "effect": "s k"},
        },
        "cccaps": {
            "layers": [{"coupling": "t i j", "logits": "t i j", "capsules": "t j h", "activation": "t j"}],
            "extra": {"routing": "", "embedding": "", "parts": "n i d", "codes": "n q e", "known": "n"},
        },
        "em-sst": {
            "layers": [em, em | {"effect": "t i j"}],
            "extra": {"backbone": "", "n_layers": "", "pieces": "n", "token_of": "n", "credit": "t i k"},
        },
        "em-smallnorb": {
            "layers": [em, em | {"effect": "t i j"}],
            "extra": {"grid": "", "centres": "", "credit": "t i k"},
        },
        "agt": {
            "layers": [],
            "extra": {"attention": "a i", "scores": "a i", "gates": "g h", "features": "t h", "known": "i"},
        },
        "drnn": {
            "layers": [],
            "extra": {
                "window": "",
                "unit": "",
                "pooling": "",
                "components": "",
                "wins": "t i",
                "evidence": "t i k",
                "known": "i",
            },
        },
    } == FIELDS


def check_sizes(trace, fields, sizes):
    """Every array has its name and the axes that the contract says."""
    assert trace.steps is trace.layers[0]
    for layer, names, size in zip(trace.layers, fields["layers"], sizes, strict=True):
        wanted = {name: tuple(size[a] for a in axes.split()) for name, axes in names.items()}
        assert {name: a.shape for name, a in layer.items()} == wanted
    assert trace.extra.keys() == fields["extra"].keys()
    assert trace.probabilities.shape == (trace.n_iters, 5)


def test_dynamic_routing_keeps_the_contract(tiny):
    trace = core.explain(tiny, SENTENCE, n_iters=4)
    check_sizes(trace, FIELDS["dragg"], [{"t": 4, "i": 8, "j": 3, "h": 4}])


def test_documents_keep_the_contract(tiny_documents):
    trace = core.explain(tiny_documents, REVIEW, n_iters=4)
    sizes = {"t": 4, "i": 13, "s": 3, "j": 3, "h": 4}
    check_sizes(trace, FIELDS["dragg-documents"], [sizes, sizes])
    assert trace.extra["sentence_of"] == [0] * 4 + [1] * 5 + [2] * 4
    assert [REVIEW[a:b] for a, b in trace.spans] == trace.tokens
    assert trace.first(2).extra == trace.extra


def test_class_capsules_keep_the_contract(tiny_cccaps):
    trace = core.explain(tiny_cccaps, SENTENCE, n_iters=4)
    check_sizes(trace, FIELDS["cccaps"], [{"t": 4, "i": 3, "j": 5, "h": 3}])
    assert np.array_equal(trace.probabilities, trace.steps["activation"])
    assert np.array(trace.extra["parts"]).shape == (8, 3, 2)
    codes = np.array(trace.extra["codes"])
    assert codes.shape == (8, 2, 3)
    np.testing.assert_allclose(codes.sum(2), np.tile(trace.extra["known"], (2, 1)).T, rtol=1e-6)
    assert trace.first(2).extra == trace.extra


def test_words_parts_make_the_feature_capsules_that_are_routed(tiny_cccaps):
    trace = core.explain(tiny_cccaps, SENTENCE)
    features = torch.tensor(trace.extra["parts"]).sum(0).flatten()
    *_, last = tiny_cccaps.model.route(features[None])
    np.testing.assert_allclose(last.coupling[0], trace.steps["coupling"][-1], rtol=1e-5)
    logits = tiny_cccaps.model(**tiny_cccaps.encode([["a", "good", "film", ",", "is", "n't", "it", "?"]]))
    np.testing.assert_allclose(logits[0], trace.probabilities[-1], rtol=1e-5)


def test_a_plain_table_has_no_codes(tiny_folder):
    folder = save_tiny_cccaps(tiny_folder.parent, "tiny-plain", "dynamic", embedding="plain")
    trace = core.explain(zoo.load_folder(folder, "cpu"), "good film")
    assert trace.extra["codes"] == [[], []]
    assert trace.extra["routing"] == "dynamic"


def test_em_routing_keeps_the_contract(tiny_em):
    trace = core.explain(tiny_em, SENTENCE, n_iters=4)
    pieces = ["A", "good", "film", ",", "isn", "'", "t", "it", "?"]
    assert trace.extra["pieces"] == pieces
    assert trace.extra["n_layers"] == 7
    parts, classes = {"t": 4, "i": 7 * len(pieces), "j": 3, "h": 2}, {"t": 4, "i": 3, "j": 5, "h": 2}
    check_sizes(trace, FIELDS["em-sst"], [parts, classes])
    assert trace.extra["credit"].shape == (4, 7 * len(pieces), 5)


def test_em_routing_over_pictures_keeps_the_contract(tiny_em_smallnorb):
    trace = core.explain(tiny_em_smallnorb, pair(48, 40), n_iters=4)
    assert trace.extra["grid"] == [3, 2]
    assert trace.extra["centres"] == {"first": 14, "step": 8, "field": 29}
    assert trace.tokens == trace.spans == []
    parts, classes = {"t": 4, "i": 3 * 2 * 3, "j": 3, "h": 16}, {"t": 4, "i": 3, "j": 5, "h": 16}
    check_sizes(trace, FIELDS["em-smallnorb"], [parts, classes])
    assert trace.extra["credit"].shape == (4, 3 * 2 * 3, 5)
    assert json.loads(trace.to_json())["extra"]["grid"] == [3, 2]


def test_layers_keep_the_contract(tiny_agt):
    trace = core.explain(tiny_agt, SENTENCE)
    assert (trace.steps, trace.layers, trace.n_iters) == ({}, [], 3)
    assert {name: trace.extra[name].shape for name in ("attention", "scores", "gates", "features")} == {
        "attention": (3, 8),
        "scores": (3, 8),
        "gates": (2, 4),
        "features": (3, 4),
    }
    assert trace.extra["known"] == [True, True, True, False, True, True, False, False]
    np.testing.assert_allclose(trace.extra["attention"].sum(1), 1, rtol=1e-6)
    assert json.loads(trace.to_json())["extra"]["gates"] == trace.extra["gates"].tolist()
    with pytest.raises(ValueError, match="tiny-agt has layers, not iterations"):
        core.explain(tiny_agt, SENTENCE, n_iters=3)


def test_windows_keep_the_contract(tiny_drnn):
    trace = core.explain(tiny_drnn, SENTENCE)
    assert (trace.steps, trace.layers, trace.n_iters) == ({}, [], MOST_WINDOWS)
    about = {name: trace.extra[name] for name in ("window", "unit", "pooling", "components")}
    assert about == {"window": 2, "unit": "gru", "pooling": "max", "components": 6}
    assert trace.extra["wins"].shape == (MOST_WINDOWS, 8)
    assert trace.extra["evidence"].shape == (MOST_WINDOWS, 8, 5)
    assert (trace.extra["wins"].sum(1) <= 6).all()  # a component of which nobody has any is nobody's
    assert trace.first(3).extra["evidence"].shape == (3, 8, 5)
    with pytest.raises(ValueError, match="tiny-drnn has windows, not iterations"):
        core.explain(tiny_drnn, SENTENCE, n_iters=3)
