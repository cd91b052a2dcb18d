"""The package: the files and names in its wheel, and its commands after installation."""

import ast
import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import tomllib

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

from core.__main__ import main
from core.zoo import folders
from tests.benchmarks.visitor import visit
from tests.browser.server import dashboard
from tests.commands import MAINS
from tests.imports import ROOT, files

spec = importlib.util.spec_from_file_location("rename", ROOT / ".ci/wheel/rename.py")
rename = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rename)
PACKAGES = ("core", "dashboard")
OTHERS = (".ci", ".streamlit", ".gitignore", "LICENSE", "README.md", "pyproject.toml", "streamlit_app.py")
SENTENCE = "A warm, funny and deeply moving film."


@pytest.fixture(scope="module")
def wheel():
    """The path of every file in the wheel, and its path in the checkout."""
    return {file.distribution_path: file.relative_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}


def test_the_wheel_is_one_package_with_all_its_files(wheel):
    assert {path.split("/")[0] for path in wheel} == {"routescope"}
    modules = {f"routescope/{path.relative_to(ROOT)}" for place in PACKAGES for path in files(place)}
    weights = {f"routescope/pretrained/{name}/weights.safetensors" for name in folders()}
    others = {f"routescope/{name}" for name in ("__init__.py", "__main__.py", "py.typed", ".streamlit/config.toml")}
    assert modules | weights | others <= set(wheel)
    assert not [path for path in wheel if "tests" in path or path.endswith((".png", ".gif", ".pyc"))]


def test_nothing_in_the_wheel_is_called_core_or_dashboard(wheel):
    for path in wheel.values():
        text = rename.renamed(ROOT, path) or ""
        assert "python -m core" not in text, path
        for node in ast.walk(ast.parse(text)) if path.endswith(".py") else ():
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] in PACKAGES], path


@pytest.mark.parametrize(
    ("source", "renamed"),
    [
        ("import core", "from routescope import core"),
        ("import core as models", "from routescope import core as models"),
        ("import core.files", "import routescope.core.files; from routescope import core"),
        ("import core.files as f", "import routescope.core.files as f"),
        ("from core.files import (\n    write,\n)", "from routescope.core.files import (\n    write,\n)"),
        ("from dashboard import runs", "from routescope.dashboard import runs"),
        ("import corelib, json", "import corelib, json"),
        ("'“'; core.explain(x); 'core.lab'", "'“'; core.explain(x); 'routescope.core.lab'"),
        ("f'core.{name}', f'{core.files.A} of'", "f'routescope.core.{name}', f'{core.files.A} of'"),
        ("Job('core', a, '-m')", "Job('routescope.core', a, '-m')"),
        ("'tests/core/test_run.py, ../core/run.py'", "'tests/core/test_run.py, ../core/run.py'"),
        ("'from dashboard import runs'", "'from routescope.dashboard import runs'"),
        ("'one for each core. Two'", "'one for each core. Two'"),
        ("'`python -m core explain A`'", "'`routescope explain A`'"),
        ("'python -m core.training A'", "'routescope training A'"),
        ("'python -m core.datasets.toyrig A'", "'routescope datasets.toyrig A'"),
        ("'python -m core.training.head A'", "'python -m routescope.core.training.head A'"),
        ("'streamlit run streamlit_app.py, or python -m dashboard.serve'", "'routescope, or routescope serve'"),
        (
            "'from core import lab\\nfrom core.lab import a'",
            "'from routescope import lab\\nfrom routescope.core.lab import a'",
        ),
    ],
)
def test_a_reference_is_renamed(tmp_path, source, renamed):
    for module in ("core/training/__main__.py", "core/datasets/toyrig/__main__.py", "core/__main__.py"):
        (tmp_path / module).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / module).touch()
    (tmp_path / "core/training/head.py").touch()
    (tmp_path / "module.py").write_text(source, encoding="utf-8")
    assert rename.renamed(tmp_path, "module.py") == (None if source == renamed else renamed)


@pytest.mark.parametrize(
    "source",
    [
        "import core, json",
        "a = f'{str(core.files)}'",
        "a = ROOT / 'core'",
        "a = b == 'core'",
        "a = 'python -m ' 'core explain'",
        "a = 'python -m core.none'",
    ],
)
def test_an_ambiguous_reference_stops_the_build(tmp_path, source):
    (tmp_path / "module.py").write_text(source)
    with pytest.raises(ValueError, match=r"^module\.py: "):
        rename.renamed(tmp_path, "module.py")


def test_no_two_commands_have_the_same_name():
    names = {path.parent.name for path in files("core") if path.name == "__main__.py"} - {"core"}
    assert not names & {*MAINS["core"], "serve"}


def test_the_package_allows_the_tested_versions():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    tested = {line.name: line for line in map(Requirement, (line for line in lines if line and line[0] != "#"))}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    allowed = {requirement.name: requirement for requirement in map(Requirement, project["dependencies"])}
    assert allowed.keys() == tested.keys()
    for name, requirement in tested.items():
        (exact,) = requirement.specifier
        assert allowed[name].specifier.contains(exact.version), name
        assert str(allowed[name].marker) == str(requirement.marker)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which a wheel with the weights of one checkpoint was installed."""
    sources, target = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("installed")
    for name in (*PACKAGES, *OTHERS):
        (sources / name).symlink_to(ROOT / name)
    (sources / "pretrained").mkdir()
    for name in ("dragg-sst5", "sweeps"):
        (sources / "pretrained" / name).symlink_to(ROOT / "pretrained" / name)
    (built,) = WheelBuilder(str(sources)).build(directory=str(sources / "dist"), versions=["standard"])
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--target", target, built], check=True)
    return target


USE = """
import json, sys
import routescope
assert not {"core", "dashboard", "torch"} & set(sys.modules)
assert dir(routescope) == sorted([*routescope.__all__, "__version__"])
from routescope.dashboard.figures.export import to_notebook
title, *cells = json.loads(to_notebook("A title", "dragg-sst5", repr(TEXT), 3, "'coupling', step=2"))["cells"]
assert "where Routescope is installed" in "".join(title["source"])
names = {}
for cell in cells:
    exec("".join(cell["source"]), names)
import core
assert core.IS_MINE and "dashboard" not in sys.modules
print(names["trace"].to_json())
from routescope.__main__ import main
sys.argv[1:] = ["explain", "dragg-sst5", TEXT, "--json", "--device", "cpu"]
sys.exit(main())
"""


def test_the_installed_package_runs(installed, tmp_path, capsys):
    assert sorted(path.name for path in installed.iterdir() if path.suffix != ".dist-info") == ["bin", "routescope"]
    (tmp_path / "core.py").write_text("IS_MINE = True")  # the user's own module with the name of our package
    environment = os.environ | {"PYTHONPATH": str(installed), "HOME": str(tmp_path), "OMP_NUM_THREADS": "1"}

    def run(*command):
        command = [sys.executable, *command]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert main(["explain", "dragg-sst5", SENTENCE, "--json", "--device", "cpu"]) == 0
    here = capsys.readouterr().out
    with dashboard(tmp_path, env=environment, program=["routescope"]) as server:
        (shipped,) = json.loads(run(installed / "bin/routescope", "models", "--json"))
        assert shipped["name"] == "dragg-sst5"
        assert run("-c", f"TEXT = {SENTENCE!r}{USE}").endswith(here + here)

        async def open_first_page():
            async with visit(server.url) as visitor:
                await visitor.open()
                return visitor.texts

        assert any("capsule" in text for text in asyncio.run(open_first_page()))
