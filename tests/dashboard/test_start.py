"""The start of the server: what the first page imports, and the runs that it shows while PyTorch loads."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import core
from core import manifest, zoo
from core.networks.effects import strongest_cut
from dashboard.loading import LOADING
from dashboard.runs import stories, texts
from dashboard.runs.stories import NETWORK, OPENING
from tests.dashboard.app import ROOT

SLOW = {"torch", "transformers", "scipy", "sklearn", "altair", "pandas"}


def test_the_first_page_imports_no_pytorch():
    script = """if True:
        import sys
        from streamlit.testing.v1 import AppTest
        app = AppTest.from_file("dashboard/server/router.py").run(timeout=60)
        assert not app.exception
        print(*sys.modules)
    """
    command = [sys.executable, "-W", "ignore", "-c", script]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert not SLOW & set(printed.stdout.split())


@pytest.mark.parametrize("file", [manifest.EXAMPLE, manifest.CUT_EXAMPLE])
def test_the_shipped_runs_equal_new_runs(file):
    shipped, checkpoint = manifest.read_example(NETWORK, file), zoo.load(NETWORK, "cpu")
    edits = [f"drop:{strongest_cut(checkpoint, OPENING)}"] if file == manifest.CUT_EXAMPLE else []
    live = core.explain(checkpoint, OPENING, edits=edits)
    assert (shipped.tokens, shipped.spans, shipped.classes) == (live.tokens, live.spans, live.classes)
    assert (shipped.weights, shipped.notices, shipped.edits) == (live.weights, live.notices, live.edits)
    assert (shipped.normalize, shipped.known.tolist()) == (live.normalize, live.known.tolist())
    np.testing.assert_allclose(shipped.probabilities, live.probabilities, atol=1e-5)
    for name, _, values in live.inputs_to_capsules.arrays():
        np.testing.assert_allclose(getattr(shipped.inputs_to_capsules, name), values, atol=1e-4)


@pytest.fixture
def loading(monkeypatch):
    """The state while PyTorch loads: nothing can be run."""
    LOADING.set()
    monkeypatch.setattr(texts, "_run", lambda *_: pytest.fail("the model was run"))
    yield
    LOADING.clear()


def test_the_opening_text_is_read_from_files_while_pytorch_loads(loading):
    for wanted in (3, 7):  # later iterations come when they can be computed
        assert texts.run(NETWORK, "cpu", OPENING, wanted).n_steps == 3
    assert stories.story_of(OPENING).run.tokens[:2] == ["The", "acting"]


@pytest.mark.parametrize(
    "asked",
    [
        ("cpu", "Another text.", 3, ()),
        ("cuda", OPENING, 3, ()),
        ("cpu", OPENING, 3, ("drop:1",)),
    ],
)
def test_other_requests_are_run(loading, monkeypatch, asked):
    monkeypatch.setattr(texts, "_run", lambda *arguments: arguments)
    assert texts.run(NETWORK, *asked)[2:] == asked


def test_runs_of_other_weights_are_not_shown(monkeypatch):
    retrained = replace(manifest.describe(NETWORK), sha256="another")
    monkeypatch.setattr(manifest, "describe", lambda name: retrained)
    assert manifest.read_example(NETWORK) is None
    assert stories.shipped("another") is None


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"layers": [], "spans": 3}'])
def test_a_damaged_run_is_not_shown(tiny_folder, content):
    (tiny_folder / "example.json").write_text(content)
    assert manifest.read_example("tiny") is None
