"""The DRNN page without a browser."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.windows import decisive_words
from core.sweep import windows
from dashboard.jobs import small_sweep
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints, texts
from tests.dashboard.app import component, download_labels, open_app, titles, type_text
from tests.sweeps import save_sweep, unit_rows, windows_table


@pytest.fixture
def app():
    return open_app("drnn")


@pytest.fixture
def no_sweep(no_sweeps):
    """No shipped table, and a small sweep that nobody has started."""
    small_sweep.small_sweep.cache_clear()
    yield
    small_sweep.small_sweep().cancel()
    small_sweep.small_sweep.cache_clear()


def test_the_scrubber_begins_at_the_network_s_own_window(app, no_sweep):
    app.run()
    own = checkpoints.about("drnn-ag").model["window"]
    driven = {
        "label": "Window, words",
        "param": "window",
        "address": "window",
        "follows": "",
        "subject": "",
        "tells": False,
        "play": "Play",
        "signals": {"turn": 0},
        "trained": None,
    }
    assert component(app, "scrubber") == [{"n": 40, "start": own, **driven}]
    (verdict,) = component(app, "verdict")
    trained = [note.startswith(f"Reading {own} words at a time (as trained)") for note in verdict["notes"]]
    assert np.flatnonzero(trained).tolist() == [own - 1]


def test_punctuation_is_not_counted_among_the_words_that_decide(app, no_sweep):
    trace = texts.run("drnn-ag", "cpu", text := "Shares fell , , and fell .")
    type_text(app.run(), text)
    (shading,) = component(app, "shading")
    words = [int(trace.phrasing.is_word[start:end].sum()) for start, end in trace.decisive]
    assert words != [end - start for start, end in trace.decisive]
    notes = [f"Window {k} · {n} word{'s' * (n != 1)}" for k, n in enumerate(words, 1)]
    assert [note for (note,) in shading["notes"]] == notes


def test_without_a_sweep_the_page_names_the_command(app, no_sweep):
    app.query_params["tab"] = "Measured"
    app.run()
    assert any("core.sweep windows" in caption.value for caption in app.caption)


def test_numbers_equal_those_of_the_trace(app, no_sweep):
    text = "Shares fell after the bank said it would cut jobs."
    app.query_params["tab"] = "Numbers"
    type_text(app.run(), text)
    trace = texts.run("drnn-ag", "cpu", text)
    tables = {column: table.value for table in app.dataframe for column in table.value.columns}
    by_window, positions = tables["carried by"], tables["components won"]
    for k, name in enumerate(trace.classes):
        assert by_window[f"P({name})"].tolist() == trace.probabilities[:, k].tolist()
        assert positions[f"evidence for {name}"].tolist() == trace.evidence[..., k].ravel().tolist()
    assert positions["components won"].tolist() == trace.wins.ravel().tolist()
    (verdict,), (finding,), (shading,) = (component(app, name) for name in ("verdict", "finding", "shading"))
    np.testing.assert_allclose(verdict["values"], trace.probabilities, atol=1e-4)
    assert [part["param"] for part in (verdict, finding, shading)] == ["window"] * 3
    assert finding["sentences"][2].startswith("Reading 3 words at a time: ")
    start, end = decisive_words(trace.evidence[2], trace.probabilities[2], 3)
    assert by_window["carried by"][2] == " ".join(trace.tokens[start:end])
    assert np.flatnonzero(shading["shares"][2][0]).tolist() == list(range(start, end))
    assert end - start <= 3


def test_the_largest_window_answers_if_the_network_s_own_is_left_out(app):
    app.query_params["most"] = "7"
    app.run()
    assert component(app, "scrubber")[0]["n"] == component(app, "scrubber")[0]["start"] == 7
    own = checkpoints.about("drnn-ag").model["window"]
    (verdict,) = component(app, "verdict")
    assert verdict["notes"][6] == f"Reading 7 words at a time (trained with {own})"


def test_the_curves_are_shown_once_they_are_measured(app, no_sweep):
    rows = unit_rows({"gru": 15, "rnn": 5, "cnn": 3})
    rows += [(*row[:5], 0.7) for row in unit_rows({"gru": 3}, pooling="mean")]
    rows += unit_rows({"gru": 40}, corpus="sst", size=2500)
    save_sweep("windows", windows_table(rows))
    app.query_params["tab"] = "Measured"
    app.run()
    assert not app.exception
    varied_settings = ["Error by unit, AG's News", "Error by pooling, DGRU on AG's News"]
    assert titles(app)[1:3] == varied_settings
    assert [title.split(",")[0] for title in titles(app)[3:]] == [
        "Error by number of training texts",
        "Error reduction by task",
    ]
    assert "CSV, sweep of windows" in download_labels(app)
    assert any("may differ by 1.2 points by chance alone" in c.value for c in app.caption)
    assert any("we trained the networks of each task on 11,938 texts" in c.value for c in app.caption)


def test_a_small_sweep_starts_shows_its_rows_and_is_cancelled(app, no_sweep, monkeypatch):
    monkeypatch.setattr(small_sweep, "SMALL", {"units": ("cnn",), "windows": (1, 2)})
    app.query_params["tab"] = "Small sweep"
    app.run()
    assert app.button(key="cancel sweep").disabled
    app.button(key="start sweep").click().run()
    assert not app.exception
    assert app.button(key="start sweep").disabled
    app.button(key="cancel sweep").click().run()
    assert not app.exception
    assert not small_sweep.small_sweep().runs
    assert not small_sweep.small_sweep().failed
    row = {"corpus": "made", "unit": "cnn", "pooling": "max", "size": 0, "window": 2, "seed": 0, "test": 0.6}
    pd.DataFrame([row]).to_parquet(small_sweep.small_sweep().table)
    app.run()
    assert not app.exception
    assert titles(app)[-1] == "Test error of the small sweep by window"


def test_a_public_sweep_can_be_cancelled_only_by_its_session(app, no_sweep, monkeypatch):
    monkeypatch.setattr(small_sweep, "SMALL", {"units": ("cnn",), "windows": (1, 2)})
    sweep = small_sweep.small_sweep()
    sweep.start()  # outside of any session
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setattr(small_sweep, "session_id", lambda: "a visitor")
    app.query_params["tab"] = "Small sweep"
    assert app.run().button(key="cancel sweep").disabled
    sweep.cancel()
    assert sweep.runs
    monkeypatch.setattr(small_sweep, "session_id", lambda: "")
    sweep.cancel()
    assert not sweep.runs


def test_a_small_sweep_that_fails_says_so(app, no_sweep, monkeypatch):
    monkeypatch.setattr(small_sweep, "SMALL", {"units": ("none",), "windows": (1,)})
    sweep = small_sweep.small_sweep()
    sweep.start()
    assert sweep.job.wait(180)
    app.query_params["tab"] = "Small sweep"
    app.run()
    assert not app.exception
    assert app.error[0].value.replace("\\", "").startswith("The sweep stopped early: core.sweep: --units has none")


def test_the_small_sweep_uses_options_of_the_command():
    assert set(small_sweep.SMALL) < set(windows.CHOICES)
    assert len(list(windows.grid(1, corpora=("made",), **small_sweep.SMALL))) == small_sweep.N_SMALL
