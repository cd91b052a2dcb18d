"""A new network is five files outside core and dashboard, such as ``tests/toy_network``, and then works everywhere."""

import json
import sys

import pyarrow.parquet as pq
import pytest
import streamlit as st

import core
from core import Trace, zoo
from core.__main__ import main
from core.added import import_added
from core.networks import NETWORKS
from core.stored import BY_KIND
from dashboard.figures.aligned import align_runs
from dashboard.figures.compare import DIFFERENCE, three_pictures
from dashboard.figures.kinds import FAMILIES
from dashboard.jobs.corpus import CorpusRun
from dashboard.runs.sources import read_file
from dashboard.server.paths import Paths
from tests.conftest import TINY, WORDS, Tiny
from tests.dashboard.app import open_app, open_section, open_tab, titles

PACKAGE, KIND = "tests.toy_network", "toy-sum"
TEXTS = ["A good film", "", "is n't it bad?"]


@pytest.fixture
def toy(monkeypatch, add_model):
    """A checkpoint of the toy network; only ROUTESCOPE_NETWORKS names its package."""
    monkeypatch.setenv("ROUTESCOPE_NETWORKS", PACKAGE)
    for module in ("trace", "network", "figures"):
        import_added(module)
    monkeypatch.setitem(TINY, KIND, Tiny("toy", {"n_words": len(WORDS), "n_classes": 5}))
    yield zoo.load_folder(add_model(KIND), "cpu")
    del FAMILIES[BY_KIND.pop(KIND)], NETWORKS[KIND]
    for module in [name for name in sys.modules if name.startswith(f"{PACKAGE}.")]:
        del sys.modules[module]


def test_a_new_network_is_run_stored_and_measured(toy, tmp_path, trees, capsys):
    good, refused, bad = core.explain_many(toy, TEXTS)
    assert (good, bad) == (core.explain(toy, TEXTS[0]), core.explain(toy, TEXTS[2]))
    assert "no word" in str(refused)
    assert good.added.shape == (2, 3, 5)
    assert Trace.from_json(good.to_json()) == Trace.from_npz(good.to_npz()) == good
    assert good.to_xarray().added.dims == ("t", "i", "k")
    assert good.plots == ("added", "probabilities")
    del FAMILIES[type(good)]
    assert good.plots == ("probabilities",)  # the only picture of a kind without figures
    FAMILIES[type(good)] = FAMILIES[Trace]

    def command(*arguments):
        assert main([*map(str, arguments)]) == 0
        return capsys.readouterr().out

    assert "very negative" in command("explain", "toy", TEXTS[0])
    assert "toy" in {row["name"] for row in json.loads(command("models", "--json"))}
    assert json.loads(command("evaluate", "toy", "--data", trees, "--json"))["n"] == 4
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS))
    tables = []
    for options in ([], ["--traces"]):  # each runs in new processes, which import the toy themselves
        out = tmp_path / f"out{len(options)}"
        command("batch", "toy", tmp_path / "texts.txt", "--out", out, "--workers", 1, *options)
        tables.append(pq.read_table(out / "table.parquet").drop_columns(["probabilities", "certainty"]))
    assert tables[0] == tables[1]
    command("evidence", "toy", "--data", trees, "--limit", 3, "--workers", 1)
    evidence = json.loads((zoo.folders()["toy"] / "evidence.json").read_text())
    assert list(evidence["rankings"]["removed"]) == ["integrated gradients", "drop-one", "random"]
    with pytest.raises(ValueError, match="cost of a run is not known for networks of kind toy-sum"):
        NETWORKS[KIND].check_for_pages(toy.model.config)


def test_a_new_network_works_on_the_pages(toy, tmp_path, monkeypatch):
    app = open_app("toy_network")
    assert not open_section(app, "Test it").exception
    assert titles(app)[0] == "What each word adds"
    app.session_state["export"], files = True, {}
    with monkeypatch.context() as patch:
        patch.setattr(st, "download_button", lambda label, make, *_, **__: files.update({label: make}))
        app.run()
    *cells, last = ("".join(cell["source"]) for cell in json.loads(files["Notebook"]())["cells"][1:])
    names = {}
    for cell in cells:
        exec(cell, names)
    assert eval(last, names).to_dict()
    app = open_app("models")
    app.query_params["checkpoint"] = "toy"
    table = open_tab(app, "All models").dataframe[0].value.set_index("name")
    assert table["parameters"]["toy"] == 1
    app = open_app("compare")
    app.query_params["checkpoint A"] = app.query_params["checkpoint B"] = "toy"
    assert not app.run().exception
    assert [title.partition(": ")[2] for title in titles(app)] == ["score added of every word"] * 3
    assert Paths().lead_to("/toy_network")
    a, b = core.explain_many(toy, [TEXTS[0], TEXTS[2]])
    assert list(three_pictures(align_runs(a, b), ("A", "B"))) == ["A", "B", DIFFERENCE]
    (tmp_path / "texts.csv").write_text("text\n" + "\n".join(TEXTS[::2]))
    run = CorpusRun(read_file(tmp_path / "texts.csv", "text", None, toy.classes), ["toy"], "cpu")
    assert all(job.wait(120) for job in run._jobs)
    assert not run.failed
    assert run.results()["class"].to_pylist() == [a.answer, b.answer]
    run.close()


def test_a_new_network_has_a_recipe_and_a_card(toy, tmp_path):
    (module,) = import_added("recipe")
    assert module.RECIPE.card(tmp_path).task.startswith("sense")


def test_an_error_names_a_missing_package(monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_NETWORKS", "my_typo")
    with pytest.raises(ImportError, match="ROUTESCOPE_NETWORKS names my_typo, which cannot be imported: No module"):
        import_added("trace")
