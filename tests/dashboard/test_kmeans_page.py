"""The k-means page without a browser."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.measured import store
from dashboard import runs
from tests.dashboard.app import component, download_labels, open_app, titles, typed


@pytest.fixture
def app() -> AppTest:
    return open_app("kmeans")


def test_the_page_begins_where_the_network_was_trained_to_stop(app):
    app.run()
    (scrubber,) = component(app, "scrubber")
    assert (scrubber["n"], scrubber["start"]) == (10, 3)
    assert any("after iteration 3" in shown.value and "k-means routing" in shown.value for shown in app.markdown)


def test_k_means_beside_dynamic_routing(app):
    app.run()
    app.sidebar.toggle(key="beside").set_value(True).run()
    assert not app.exception
    assert {f"Coupling coefficients of {name}" for name in ("cccaps-ag", "cccaps-dynamic-ag")} < set(titles(app))
    assert sum("routing." in shown.value and "says" in shown.value for shown in app.markdown) == 2


def test_the_bill_follows_its_slider(app):
    app.run()
    app.select_slider(key="words").set_value(1_000_000).run()
    assert not app.exception
    composed, table, base = runs.parameter_bill(1_000_000, 64, 8)
    assert any(f"**{composed:,}**" in m.value and f"**{table:,}**" in m.value for m in app.markdown)
    assert base == 6


def test_the_nearest_word_by_code_is_the_word_itself(app):
    app.run()
    typed(app, "Shares fell sharply.")
    app.number_input(key="word").set_value(2.0).run()
    assert not app.exception
    near = next(table.value for table in app.dataframe if "overlap" in table.value.columns)
    assert near["word"][0] == "fell"
    assert near["overlap"][0] == pytest.approx(1, abs=1e-5)
    assert (np.diff(near["overlap"]) <= 0).all()


def test_a_word_outside_the_vocabulary_has_no_code(app):
    app.run()
    typed(app, "zyxzyx rose")
    assert not app.exception
    assert any("has no code" in info.value for info in app.info)


def test_the_paper_s_tables_are_shown_once_they_are_measured(app, no_sweeps):
    app.run()
    assert not app.exception
    assert any("core.sweep capsules" in caption.value for caption in app.caption)
    rows = [("cwc", "kmeans", "margin+focal", s, 0.9 + s / 100, 0.9239, 11_938) for s in range(3)]
    names = ["embedding", "routing", "loss", "seed", "test", "paper", "trained_on"]
    store.save_sweep("capsules", pd.DataFrame(rows, columns=names))
    app.run()
    assert not app.exception
    shown = next(table.value for table in app.dataframe if "trainings" in table.value.columns)
    assert (shown["trainings"][0], shown["paper"][0]) == (3, 0.9239)
    np.testing.assert_allclose(shown[["mean", "min", "max"]].to_numpy(), [[0.91, 0.9, 0.92]])
    assert "CSV, tables 4 to 6" in download_labels(app)
