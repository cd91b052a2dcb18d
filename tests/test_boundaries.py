"""Imports point one way: pages -> runs -> core, pages -> figures, core.analysis, core.traces.

The imports are read with ast; no module is imported.
"""

import re
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.imports import ROOT, files, import_graph, imports

APP = {"streamlit", "plotly", "altair", "dashboard"}
ABOVE_MODELS = {"core.trace", "core.traces", "core.networks", "core.zoo", "core.training", "core.datasets"}
CLOSED = {  # folder or file: what it must not import
    "core": APP,
    "core/routing": APP | ABOVE_MODELS | {"core.models", "core.layers"},
    "core/models": APP | ABOVE_MODELS,
    "core/analysis": APP | {"torch", *ABOVE_MODELS, "core.models", "core.sentences"},
    "core/sentences": APP | {"torch", *ABOVE_MODELS, "core.models"},
    "core/edits.py": APP | {"torch"},
    "dashboard/figures": {"streamlit", "torch", "core", "dashboard.runs", "dashboard.pages", "dashboard.components"},
    "dashboard/pages": {"torch", "core"},
    "dashboard/screen": {"torch", "core", "dashboard.pages"},
    "dashboard/whatif": {"torch", "core", "dashboard.pages"},
    "dashboard/theme.py": {"streamlit", "core", "dashboard"},  # figures import it
    # Trainings and sweeps are slow to import, and no page needs one when it opens.
    "dashboard/runs": {"torch", "core.training", "core.sweep"},
    "dashboard/jobs": {"torch", "core.training", "core.sweep"},
    "dashboard/sessions": {"torch", "core.training", "core.sweep"},
    "dashboard/components": {"torch", "core", "dashboard.pages"},
    "streamlit_app.py": {"torch", "core"},
}
LOOKS_UP = "core/plot.py"  # a trace draws itself: the only file that may import from folders above it
PLOTLY = {"dashboard/figures/trajectories.py", "dashboard/figures/surfaces.py"}  # the only ones that may import it
READABLE = (  # what screens may import from core: it needs neither PyTorch nor a model
    *(
        "core.analysis",
        "core.sentences",
        "core.edits",
        "core.stored",
        "core.trace",
        "core.traces",
        "core.scores",
        "core.ledger",
    ),
    "core.worked",
    *("core.manifest.Manifest", "core.datasets.CORPORA", "core.datasets.corpus_of", "core.datasets.made"),
    *("core.measured.store", "core.measured.evidence.record", "core.measured.evidence.badge"),
    *("core.measured.evidence.scorecard", "core.added", "core.__version__"),
    *("core.provenance.record", "core.provenance.seal", "core.papers"),
)
CALLERS = ("dashboard/runs", "dashboard/jobs", "dashboard/sessions", "dashboard/docs")  # may call core's models
OPEN = {  # exceptions to CLOSED: what a folder may import all the same
    "dashboard/figures": ("core.trace", "core.traces", "core.added"),
    "dashboard/pages": READABLE,
    "dashboard/screen": READABLE,
    "dashboard/whatif": READABLE,
    "dashboard/runs": ("core.sweep.sweeps",),
}


ROOMS = (  # from the bottom up: a room may import itself and the rooms before it
    *(
        "core.types",
        "core.added",
        "core.files",
        "core.version",
        "core.json_files",
        "core.header",
        "core.near",
        "core.archives",
        "core.cli",
        "core.job",
        "core.device",
        "core.engines",
        "core.quantities",
        "core.tables",
        "core.papers",
    ),
    *("core.analysis", "core.sentences", "core.edits"),
    *("core.routing", "core.layers", "core.models"),
    *(
        "core.inputs",
        "core.checkpoint",
        "core.stored",
        "core.trace",
        "core.plot",
        "core.traces",
        "core.worked",
        "core.networks",
    ),
    *("core.lab", "core.client", "core"),
    *("core.scores", "core.datasets", "core.titles", "core.manifest", "core.pictures", "core.zoo", "core.provenance"),
    *(
        "core.measured.store",
        "core.measured.answers",
        "core.measured.carried",
        "core.zoo.archive",
    ),  # files next to the weights, which a training writes too
    *(
        "core.batch",
        "core.training",
        "core.measured",
        "core.sweep",
        "core.fit",
        "core.ledger",
        "core.check",
        "core.commands",
        "core.__main__",
    ),
    *(
        "dashboard",
        "dashboard.loading",
        "dashboard.public",
        "dashboard.sessions",
        "dashboard.theme",
        "dashboard.figures",
        "dashboard.docs.contents",
        "dashboard.runs",
        "dashboard.jobs",
    ),
    *("dashboard.components", "dashboard.docs", "dashboard.screen", "dashboard.whatif"),
    *("dashboard.pages", "dashboard.server", "dashboard.serve"),
    "streamlit_app",
)
INIT_ONLY = {"core", "dashboard"}  # rooms that hold only an __init__.py: the modules below are in other rooms


@cache
def graph():
    """The imports of every module, read when a test first needs them: most test processes never do."""
    return import_graph("core", "dashboard", "streamlit_app.py")


def room_of(module):
    """The room of a module: the longest name in ``ROOMS`` that contains it."""
    rooms = [room for room in ROOMS if module == room or (within(module, room) and room not in INIT_ONLY)]
    assert rooms, f"{module} has no place in ROOMS"
    return max(rooms, key=len)


def test_no_import_runs_upwards():
    upwards = [
        f"{module} imports {imported}"
        for module in sorted(graph().keys() - {LOOKS_UP.removesuffix(".py").replace("/", ".")})
        for imported in graph()[module]
        if ROOMS.index(room_of(imported)) > ROOMS.index(room_of(module))
    ]
    assert not upwards


def test_no_import_runs_in_a_circle():
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_the_graph_has_imports_in_functions_but_not_for_types(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        "import a.b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import c\nelse:\n    import d\n"
        "def function():\n    from e import f\n    import_module('g.h')\n"
    )
    assert set(imports(path, of_types=False)) == {"a.b", "typing.TYPE_CHECKING", "d", "e.f", "g.h"}
    assert set(imports(path, of_types=False, in_functions=False)) == {"a.b", "typing.TYPE_CHECKING", "d"}
    assert set(imports(path)) == {"a.b", "typing.TYPE_CHECKING", "c", "d", "e.f", "g.h"}
    assert graph()["core.datasets.toyrig.boxes"] == {"core.datasets.toyrig.hits"}  # a module, not its package


def test_no_folder_imports_what_is_closed_to_it():
    forbidden = [
        f"{path.relative_to(ROOT)} imports {name}"
        for place in CLOSED
        for path in set(files_of(place)) - {ROOT / LOOKS_UP}
        for name in imports(path)
        if any(within(name, closed) for closed in CLOSED[place])
        and not any(within(name, opened) for opened in OPEN.get(place, ()))
    ]
    assert not forbidden


def files_of(place):
    """The files of a place, which must have some."""
    assert files(place), f"{place} holds nothing"
    return files(place)


def test_only_3d_figures_import_plotly_and_only_when_drawn():
    """Plotly is slow to import, and only the tab with such a figure has to wait for it."""
    for path in [ROOT / "streamlit_app.py", *files("dashboard")]:
        if any(within(name, "plotly") for name in imports(path, of_types=False)):
            assert path.relative_to(ROOT).as_posix() in PLOTLY
            assert not any(within(name, "plotly") for name in imports(path, of_types=False, in_functions=False))


def within(name, package):
    """Whether a name is a package or something in it."""
    return f"{name}.".startswith(f"{package}.")


def test_only_runs_jobs_and_sessions_call_core():
    callers = {
        path
        for path in files("dashboard")
        for name in imports(path)
        if within(name, "core") and not any(within(name, opened) for opened in (*READABLE, "core.files"))
    }
    assert callers
    assert callers <= {path for place in CALLERS for path in files(place)}


def test_a_page_is_short_and_imports_nothing_from_another():
    pages = sorted((ROOT / "dashboard" / "pages").glob("*/page.py"))
    assert pages
    assert not [page for page in pages if len(page.read_text(encoding="utf-8").splitlines()) > 80]
    foreign = [
        f"{path} imports {name}"
        for page in pages
        for path in page.parent.glob("*.py")
        for name in imports(path)
        if within(name, "dashboard.pages") and not is_own(name, f"dashboard.pages.{page.parent.name}")
    ]
    assert not foreign


def is_own(name, package):
    """Whether a module is in a page's package and is not the page itself."""
    return within(name, package) and not within(name, f"{package}.page")


def test_no_page_reads_what_an_uploader_returns():
    """Its own buffer is empty, because the file is on the disk (``dashboard.sessions.uploads``)."""
    for path in files("dashboard/pages"):
        code = path.read_text(encoding="utf-8")
        assert "st.file_uploader" not in code or not {".read(", ".getvalue(", ".getbuffer("} & set(
            re.findall(r"\.\w+\(", code)
        )


def test_only_the_folder_runs_has_caches():
    cached = {p for p in files("dashboard") if "st.cache" in p.read_text(encoding="utf-8")}
    assert cached <= set(files("dashboard/runs"))


def test_every_cache_of_pictures_is_bounded():
    decorators = re.findall(r"@st\.cache_\w+[^\n]*", (ROOT / "dashboard/runs/pictures.py").read_text(encoding="utf-8"))
    assert len(decorators) > 5
    assert all("max_entries=" in decorator for decorator in decorators)


def test_only_the_manifest_names_the_folder_pretrained():
    naming = [p for p in files("core") if '"pretrained"' in p.read_text(encoding="utf-8")]
    assert naming == [ROOT / "core/manifest.py"]


def test_no_markup_and_no_pickle():
    for place in ("core", "dashboard", "streamlit_app.py"):
        for path in files(place):
            code = path.read_text(encoding="utf-8").replace("safetensors.torch.load(", "")
            assert "unsafe_allow_html" not in code
            assert "pickle" not in {name.split(".")[0] for name in imports(path)}
            assert code.count("torch.load(") == code.count("weights_only=True")
    for path in (ROOT / "dashboard").rglob("*.js"):
        assert "innerHTML" not in path.read_text(encoding="utf-8")


def test_no_two_classes_have_the_same_name():
    names = Counter(
        name
        for place in ("core", "dashboard")
        for path in files(place)
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert not [name for name, n in names.items() if n > 1]


def test_names_of_tests_have_at_most_65_characters():
    names = {
        name for path in files("tests") for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    }
    assert not [name for name in sorted(names) if len(name) > 65]


def test_no_test_imports_from_a_file_of_tests():
    """Code that several tests need is in a file without tests."""
    lines = [f"{path.relative_to(ROOT)} imports {name}" for path in files("tests") for name in imports(path)]
    assert not [line for line in lines if re.search(r" tests\.([\w.]+\.)?test_", line)]
