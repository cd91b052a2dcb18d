"""The start of the server: what it imports, and the run that it shows while PyTorch loads."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core
from core import manifest, zoo
from core.datasets import sst
from dashboard.pages import routing
from dashboard.runs import texts
from dashboard.server import start

PRESET = next(iter(sst.EXAMPLES.values()))


def test_the_first_page_imports_no_pytorch():
    sections = {path.stem for path in Path(routing.__file__).parent.glob("*.py")} - {"page", "__init__"}
    imports = ", ".join(f"dashboard.pages.routing.{section}" for section in sorted(sections))
    script = f"import sys, {imports}; print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"torch", "transformers", "scipy", "sklearn", "altair"} & set(printed.stdout.split())


def test_the_shipped_run_equals_a_new_run():
    shipped = manifest.read_example(start.FIRST)
    live = core.explain(zoo.load(start.FIRST, "cpu"), PRESET)
    assert (shipped.tokens, shipped.spans, shipped.classes) == (live.tokens, live.spans, live.classes)
    assert (shipped.weights, shipped.notices) == (live.weights, live.notices)
    assert (shipped.normalize, shipped.known.tolist()) == (live.normalize, live.known.tolist())
    np.testing.assert_allclose(shipped.probabilities, live.probabilities, atol=1e-5)
    for name, _, values in live.inputs_to_capsules.arrays():
        np.testing.assert_allclose(getattr(shipped.inputs_to_capsules, name), values, atol=1e-4)


@pytest.fixture
def loading(monkeypatch):
    """The state while PyTorch loads: nothing can be run."""
    start.LOADING.set()
    monkeypatch.setattr(texts, "_run", lambda *_: pytest.fail("the model was run"))
    yield
    start.LOADING.clear()


def test_the_preset_is_read_from_the_file_while_pytorch_loads(loading):
    assert texts.run(start.FIRST, "cpu", PRESET, 3).tokens[:2] == ["The", "acting"]


@pytest.mark.parametrize(
    "asked",
    [("cpu", "Another text.", 3, ()), ("cuda", PRESET, 3, ()), ("cpu", PRESET, 7, ()), ("cpu", PRESET, 3, ("drop:1",))],
)
def test_other_requests_are_run(loading, monkeypatch, asked):
    monkeypatch.setattr(texts, "_run", lambda *arguments: arguments)
    assert texts.run(start.FIRST, *asked)[2:] == asked


def test_a_run_of_other_weights_is_not_shown(monkeypatch):
    retrained = replace(manifest.describe(start.FIRST), sha256="another")
    monkeypatch.setattr(manifest, "describe", lambda name: retrained)
    assert manifest.read_example(start.FIRST) is None


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"layers": [], "spans": 3}'])
def test_a_damaged_run_is_not_shown(tiny_folder, content):
    (tiny_folder / "example.json").write_text(content)
    assert manifest.read_example("tiny") is None
