"""Helpers for tests of the smallNORB page: what it shows, its inputs, and files for it."""

import json
from io import BytesIO
from itertools import product

import numpy as np
import pyarrow as pa
from PIL import Image

from core import zoo
from core.datasets import binary, smallnorb
from core.measured import store
from dashboard.runs import pictures as picture_runs
from tests.dashboard.app import component, open_tab, tables

NAME = "tiny-em-smallnorb"
STRIP = "The views, left eye above right eye"
FIRST_CHARTS = ["What a score is made of", STRIP]  # on the first screen
PARTS = "D_use of every part for every class"
OVER_ITERATIONS = ["Class if routing stopped here", "Bang per bit of each class"]
SINGLE_VIEW_CHARTS = [*FIRST_CHARTS, PARTS, *OVER_ITERATIONS]
MAP, PLANE = "The whole pose in each view, in a plane", "The pose vectors of every view in a plane"
CHARTS = [MAP, *FIRST_CHARTS, PARTS, *(f"Pose vector {v}" for v in range(1, 5)), PLANE, *OVER_ITERATIONS]
CHART_TABS = ("One part", "Turning", "Plane", "Iterations", "Measured")
METRICS = {"parameters": 1, "test": {"accuracy": 0.25}, "paper": {"accuracy": 0.5}}


def count_views(app):
    """The number of views that the scrubber steps through; 1 without such a scrubber."""
    actual = {c["param"]: c["n"] for c in component(app, "scrubber")}
    return actual.get("view", 1)


def charts(app):
    """The data of each chart on the first screen and in every tab, by its description for screen readers."""
    actual = {}
    for name in CHART_TABS:
        protos = [chart.proto for chart in open_tab(app, name).get("vega_lite_chart")]
        assert not app.exception
        actual |= {proto.alt: pa.ipc.open_stream(proto.data.data).read_pandas() for proto in protos}
    return actual


def chart(app, alt):
    """The rows behind one chart; the tabs are opened in turn until one of them has it."""
    for name in (None, *CHART_TABS):
        protos = [chart.proto for chart in (open_tab(app, name) if name else app).get("vega_lite_chart")]
        assert not app.exception
        for proto in protos:
            if proto.alt == alt:
                return pa.ipc.open_stream(proto.data.data).read_pandas()
    raise AssertionError(f"no chart {alt}")


def titles(app):
    """The descriptions of the charts on the first screen and in every tab."""
    return list(charts(app))


def space(app):
    """The specification of the figure in space."""
    (chart,) = app.get("plotly_chart")
    return json.loads(chart.proto.spec)


def first_view(app):
    """The picture of the first view in the strip."""
    return chart(app, STRIP)["url"].iloc[0]


def device(app):
    """The chosen device."""
    app.session_state["settings"] = True  # opens the menu
    return app.run().selectbox(key="device").value


def press(app, key, value):
    """Choose one of a few options."""
    return app.button_group(key=key).set_value(value).run()


def pick(app, key, value):
    """Choose one of many options."""
    return app.selectbox(key=key).set_value(value).run()


def save_measured(arrays, quantity="poses"):
    """Save arrays as a measurement of the tiny network."""
    return store.save(quantity, NAME, arrays, zoo.describe(NAME).sha256)


def enter(app, key, value):
    """Enter a number."""
    return app.number_input(key=key).set_value(float(value)).run()


def see(app, number):
    """Choose a view by its number, as the slider does."""
    app.query_params["view"] = str(number)
    return app.run()


def write_official(folder, n_azimuths=18):
    """Write a human in one light from all azimuths at 30 degrees, and from azimuth 0 at all elevations."""
    folder.mkdir(parents=True)
    seen = [(0, 2 * a) for a in range(n_azimuths)] + [(e, 0) for e in range(1, 9)]
    elevation, azimuth = np.array(seen).T
    n = len(seen)
    order = np.random.default_rng(0).permutation(n)  # smallNORB's files are not sorted by direction
    info = np.stack([np.zeros(n), elevation, azimuth, np.zeros(n)], 1).astype(np.int32)[order]
    images = np.random.default_rng(1).integers(0, 256, (n, 2, 40, 40), np.uint8)
    matrices = {"dat": images, "cat": np.ones(n, np.int32), "info": info}
    for what, matrix in matrices.items():
        binary.write_matrix(folder / f"{smallnorb.TEST}-{what}.mat", matrix)


def random_poses():
    """Arrays "poses" of the 25 test toys, with random numbers."""
    generator = np.random.default_rng(0)
    toys = np.array(list(product(range(5), [0, 1, 2, 3, 5])))
    return {
        "toys": toys,
        "azimuth": generator.normal(size=(25, 18, 4, 4)),
        "elevation": generator.normal(size=(25, 9, 4, 4)),
        "data": np.array("a *test*"),
    }


def readout_arrays(states=NAME):
    """Arrays "readout" with a random R2 for every network, features, method, category, direction and toy.

    Args:
        states: beginning of the names of networks saved during a training.
    """
    sources = [
        ("none", "pixels"),
        *product((NAME, f"{states}-0.25", f"{states}-1", "other", f"{NAME}-views"), ("poses", "last convolution")),
    ]
    methods = ("linear", "nearest neighbours", "small MLP")
    rows = [
        (*source, *rest)
        for source, *rest in product(sources, methods, smallnorb.CLASSES, ("azimuth", "elevation"), (0, 1, 2, 3, 5))
    ]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    names = ("network", "features", "method", "category", "direction", "toy")
    r2 = np.random.default_rng(0).uniform(-0.4, 1, len(rows))
    return dict(zip(names, columns, strict=True)) | {"r2": r2, "data": np.array("a *test*")}


def png(seed=0, y=96, x=96):
    """A PNG file of random grey pixels."""
    out = BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (y, x), np.uint8)).save(out, "PNG")
    return out.getvalue()


def pixels(content):
    return np.asarray(Image.open(BytesIO(content)))


def shows_scores(app, pair):
    """Whether the page's table of classes shows the scores of this pair."""
    expected = picture_runs.run_pair(NAME, device(app), pair).first(3).parts_to_classes.scores
    return tables(app)["classes"]["scores"].to_numpy().tolist() == expected.ravel().tolist()
