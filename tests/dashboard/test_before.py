"""Outlines of the picture before an edit, over the picture after it."""

import numpy as np
import pytest

from dashboard.figures.before import BEFORE, SEEN, outline_before
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.kinds import family_of
from dashboard.runs import texts

TEXT = "The acting is superb, but the plot is not."
DOCUMENT = "I went in with low hopes. It is slow. Then the film wakes up."
EDITS = {  # an edit of each network, and the column of its picture's numbers
    "dragg-reversed-sst5": ("couple:1,4=0", "c"),
    "dragg-imdb": ("drop:1", "c"),
    "cccaps-ag": ("drop:2", "c"),
    "em-sst5": ("drop:1", "c"),
    "agt-sst5": ("drop:0", "a"),
    "drnn-ag": ("drop:1", "n"),
}


def run(name, *edits):
    """A trace of the text with these edits, with three iterations if the network has any."""
    text = DOCUMENT if name == "dragg-imdb" else TEXT
    return texts.run(name, "cpu", text, None if name in ("agt-sst5", "drnn-ag") else 3, edits)


def picture(trace):
    """The main picture of a trace."""
    return family_of(trace).draw_main(trace)


@pytest.mark.parametrize(("name", "edit", "column"), [(name, *row) for name, row in EDITS.items()])
def test_outlines_are_where_a_number_changed_and_nowhere_else(name, edit, column):
    before, after = run(name), run(name, edit)
    figure = outline_before(picture(after), before, after)
    cells, outline = figure.spec["layer"][:2]
    scale = cells["encoding"]["color"]["scale"]
    assert outline["encoding"]["stroke"]["scale"] == scale | {"clamp": True}
    assert cells["encoding"]["color"]["title"][-1].endswith("outline: before your edit)")
    old, new = (picture(trace).data[column].to_numpy() for trace in (before, after))
    outlined = figure.data[BEFORE].to_numpy(zero_copy_only=False)
    seen = abs(old - new) > SEEN * (scale["domain"][-1] - scale["domain"][0])
    assert seen.any()
    assert not seen.all()
    np.testing.assert_allclose(outlined[seen], old[seen], rtol=1e-6)
    assert np.isnan(outlined[~seen]).all()
    sheet_as_chart({"figure": figure})  # raises if the figure breaks Vega-Lite's schema


@pytest.mark.parametrize(("edit", "place"), [("replace:3=", 6), ("replace:3=very dull", 8)])
def test_words_are_aligned_after_one_was_replaced(edit, place):
    """place: index of “plot” after the edit; it was 7."""
    before, after = run("dragg-reversed-sst5"), run("dragg-reversed-sst5", edit)
    data = outline_before(picture(after), before, after).data
    outlined = [row for row in data.select(["t", "i", "j", BEFORE]).to_pylist() if row[BEFORE] is not None]
    assert after.tokens[place] == "plot"
    coupling = before.inputs_to_capsules.coupling[:, 7]
    shares = [(row[BEFORE], coupling[row["t"] - 1, row["j"]]) for row in outlined if row["i"] == place]
    assert shares
    assert all(drawn == pytest.approx(share) for drawn, share in shares)
    assert "dull" not in {after.tokens[row["i"]] for row in outlined}


def test_pictures_with_other_rows_or_steps_have_no_outlines():
    before, after = run("drnn-ag"), run("drnn-ag", "drop:1").first(7)
    figure = picture(after)
    assert outline_before(figure, before.first(5), after) is figure
    assert outline_before(figure, after, after) is figure
    after = run("dragg-reversed-sst5", "drop:1")
    figure = picture(after)
    assert outline_before(figure, run("dragg-reversed-sst5").first(2), after) is figure
