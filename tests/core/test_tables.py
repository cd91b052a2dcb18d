"""Traces as pandas tables and xarray datasets."""

import sys

import numpy as np
import pytest

import core
from core.traces.em import EMPictureTrace
from tests.core.samples import REVIEW, pair

COLUMNS = {  # of a trace's table, by the fixture of the network
    "tiny": ("iteration", "word", "capsule", "coupling"),
    "tiny_documents": ("iteration", "sentence", "capsule", "coupling"),
    "tiny_cccaps": ("iteration", "feature", "class", "coupling"),
    "tiny_agt": ("layer", "word", "attention"),
    "tiny_drnn": ("window", "word", "class", "evidence"),
    "tiny_em": ("iteration", "word", "class", "credit"),
    "tiny_em_smallnorb": ("iteration", "place", "class", "credit"),
}


@pytest.mark.parametrize("fixture", COLUMNS)
def test_a_trace_becomes_a_table_and_a_dataset(request, fixture):
    checkpoint = request.getfixturevalue(fixture)
    trace = core.explain(checkpoint, pair(40, 40) if "smallnorb" in fixture else REVIEW)
    frame, cells = trace.to_frame(), trace.cells
    assert tuple(frame.columns) == COLUMNS[fixture]
    assert len(frame) == cells.values.size
    assert frame.iloc[-1].iloc[0] == len(cells.values)
    assert frame.iloc[-1].tolist()[1:-1] == [names[-1] for names in cells.names.values()]
    assert frame.iloc[-1].iloc[-1] == cells.values.ravel()[-1]
    dataset = trace.to_xarray()
    for name, axes, value in trace.arrays():
        assert dataset[name].dims == axes
        np.testing.assert_array_equal(dataset[name], value)
    assert dataset.t.values.tolist() == list(range(1, trace.n_steps + 1))
    assert dataset.classes.values.tolist() == trace.classes
    assert dataset.attrs["tokens"] == trace.tokens
    if isinstance(trace, EMPictureTrace):
        assert trace.by_place().to_frame().equals(frame)


def test_a_repeated_word_has_numbered_names(tiny):
    frame = core.explain(tiny, "good film, good").to_frame()
    assert frame.word.unique().tolist() == ["good#1", "film", ",", "good#2"]
    shares = frame[frame.iteration == 3].groupby("word").coupling.sum()
    np.testing.assert_allclose(shares, 1, rtol=1e-6)


def test_a_missing_xarray_is_named_in_one_sentence(tiny, monkeypatch):
    trace = core.explain(tiny, "good")
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ImportError, match=r"needs the package xarray, which is not installed: pip install xarray$"):
        trace.to_xarray()
