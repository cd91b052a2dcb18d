"""Imports point one way: pages -> runs -> core, pages -> figures. Read with ast, nothing is imported."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
APP = {"streamlit", "plotly", "altair", "dashboard"}
ABOVE_MODELS = {"core.trace", "core.traces", "core.kinds", "core.zoo", "core.training", "core.datasets"}
CLOSED = {  # folder or file: what it must not import
    "core": APP,
    "core/routing": APP | ABOVE_MODELS | {"core.models", "core.layers"},
    "core/models": APP | ABOVE_MODELS,
    "core/analysis": APP | {"torch", "core.trace", "core.traces", "core.kinds", "core.zoo", "core.models"},
    "dashboard/figures": {"streamlit", "torch", "core", "dashboard.runs", "dashboard.pages", "dashboard.widgets"},
    "dashboard/pages": {"torch", "core"},
    "dashboard/runs": {"torch", "core.training", "core.sweep"},  # slow to import, and nobody waits for a training
    "dashboard/widgets.py": {"torch", "core"},
    "dashboard/components": {"torch", "core"},
    "streamlit_app.py": {"torch", "core"},
}


def files(place):
    path = ROOT / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("place", CLOSED)
def test_doors_stay_closed(place):
    assert files(place)
    for path in files(place):
        for name in imports(path):
            for closed in CLOSED[place]:
                assert not f"{name}.".startswith(f"{closed}."), f"{path.relative_to(ROOT)} imports {name}"


def test_only_runs_calls_core():
    callers = {p for p in files("dashboard") if any(n.split(".")[0] == "core" for n in imports(p))}
    assert callers
    assert callers <= set(files("dashboard/runs"))


def test_only_runs_caches():
    cached = {p for p in files("dashboard") if "st.cache" in p.read_text(encoding="utf-8")}
    assert cached <= set(files("dashboard/runs"))


def test_only_the_manifest_knows_pretrained():
    knows = [p for p in files("core") if '"pretrained"' in p.read_text(encoding="utf-8")]
    assert knows == [ROOT / "core/manifest.py"]


def test_no_markup_and_no_pickle():
    for place in ("core", "dashboard", "streamlit_app.py"):
        for path in files(place):
            code = path.read_text(encoding="utf-8").replace("safetensors.torch.load(", "")
            assert "unsafe_allow_html" not in code
            assert "pickle" not in {name.split(".")[0] for name in imports(path)}
            assert code.count("torch.load(") == code.count("weights_only=True")
    for path in (ROOT / "dashboard").rglob("*.js"):
        assert "innerHTML" not in path.read_text(encoding="utf-8")
