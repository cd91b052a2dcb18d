"""The page Units on a network of toys: pictures of each tenth, directions and poses."""

import numpy as np
import pytest

from core.measured import store
from core.measured.__main__ import main
from core.sentences.unit_views import say_score
from dashboard.figures import unit_views as figures
from dashboard.figures.chart import sheet_as_chart
from dashboard.pages.units.texts import NO_PICTURES, PICTURES, TENTHS
from dashboard.pages.units.views import VIEWS_TAB
from dashboard.runs import checkpoints
from dashboard.runs.unit_views import views_of
from dashboard.runs.units import units_of
from dashboard.screen.markdown import escape
from tests.core.measured.views import split, write_split
from tests.dashboard.app import download_labels, open_app, shown_as_markdown, titles

NAME = "tiny-em-smallnorb"


@pytest.fixture
def toys(add_model, tmp_path, monkeypatch):
    """A function that measures the units of a tiny network of pictures, and opens their page."""
    add_model("em-smallnorb")
    monkeypatch.setattr("core.measured.units.N_PAIRS", 10)

    def open_measured(rendered=True):
        write_split(tmp_path, split(), rendered)
        for quantity in ("units", "views"):
            assert main([quantity, NAME, "--data", str(tmp_path), "--device", "cpu"]) == 0
        checkpoints.survey.clear()
        app = open_app("units")
        app.query_params |= {"checkpoint": NAME, "unit": "2"}
        return app

    return open_measured


def pictures(app):
    """The list of pictures on the page, as HTML."""
    (shown,) = [html.proto.body for html in app.get("html") if html.proto.body.startswith('<ol class="rs-pictures"')]
    return shown


def test_a_part_shows_views_tenths_and_what_its_pose_follows(toys):
    app = toys().run()
    assert not app.exception
    assert [tab.label for tab in app.tabs] == [VIEWS_TAB, "All units", "Definitions"]
    assert {"Score of part 2 by direction", "What the pose of part 2 follows"} <= set(titles(app))
    units = units_of(NAME)
    views = views_of(units, units.numbers.index(2))
    assert {*map(escape, views.sentences), TENTHS} <= set(shown_as_markdown(app))
    assert pictures(app).count("<img ") == 10
    strongest = views.tenths[0]
    assert strongest.score == views.kept["tenth_score"][views.u].max()
    assert f"{strongest.toy} {say_score(strongest.score)}</span>" in pictures(app)
    assert 'alt="' + strongest.about.split(",")[0] in pictures(app)
    assert "CSV, pose of part 2" in download_labels(app)
    table = views.table()
    row = table[(table["factor"] == "elevation") & (table["component"] == 3)].iloc[0]
    assert row["share"] == views.kept["share"][1, views.u, 2]


def test_photographs_are_named_and_not_shown(toys):
    app = toys(rendered=False).run()
    assert not app.exception
    assert NO_PICTURES in shown_as_markdown(app)
    assert "<img" not in pictures(app)
    assert "toy 1, azimuth " in pictures(app)


def test_damaged_pictures_are_left_out(toys):
    app, kept = toys(), store.read("views", NAME)
    damaged = kept | {"pictures": kept["pictures"][: len(kept["pictures"]) // 2], "average": kept["average"][:9]}
    store.save("views", NAME, damaged, checkpoints.about(NAME).sha256)
    app.run()
    assert not app.exception
    assert "<img" not in pictures(app)


def test_units_that_were_measured_without_views_still_open(toys):
    app = toys()
    (checkpoints.survey().folders[NAME] / "views.npz").unlink()
    app.run()
    assert not app.exception
    assert PICTURES in shown_as_markdown(app)
    assert [tab.label for tab in app.tabs] == ["All units", "Definitions"]


SHARE = np.array([[0.5, -0.2], [0.1, 0.0], [0.0, 0.3]])


@pytest.mark.parametrize(
    "figure",
    [
        figures.score(np.array([[0.1, 0.9], [0.2, 0.3]]), [30, 40], [0, 180]),
        figures.followed(SHARE, SHARE > 0.2, ["azimuth", "elevation", "light"]),
        figures.followed(SHARE, SHARE > 1, ["azimuth", "elevation", "light"]),
        figures.curves(np.eye(2, 18), list(range(0, 360, 20)), ["cat", "dog"]),
    ],
)
def test_every_figure_of_views_is_valid(figure):
    sheet_as_chart({"figure": figure})  # raises if the figure breaks Vega-Lite's schema


def test_components_that_follow_nothing_have_no_dot():
    data = figures.followed(SHARE, SHARE > 0.2, ["azimuth", "elevation", "light"]).data.to_pandas()
    assert data[["component", "factor"]].astype(str).to_numpy().tolist() == [["1", "azimuth"], ["2", "light"]]
    np.testing.assert_allclose(data["share"], [0.5, 0.3])


def test_the_highest_elevation_is_on_top():
    data = figures.score(np.array([[0.1, 0.9], [0.2, 0.3]]), [30, 40], [0, 180]).data.to_pandas()
    top = data[data["j"] == 0]
    assert top["elevation"].tolist() == ["40°", "40°"]
    np.testing.assert_allclose(top.sort_values("i")["c"], [0.2, 0.3])


def test_the_bold_curve_is_the_mean_of_the_classes():
    data = figures.curves(np.array([[1.0, 3], [3, 5]]), [0, 180], ["cat", "dog"]).data.to_pandas()
    assert data[data["who"] == figures.MEAN]["value"].tolist() == [2, 4]
