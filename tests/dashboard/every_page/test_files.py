"""The files of every page's export menu."""

import io
import json
import re
import zipfile
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pytest
import streamlit as st

from core.provenance.seal import read
from core.provenance.verify import SAME, verify
from dashboard.components import scrubber
from dashboard.runs import checkpoints
from dashboard.screen import export
from tests.dashboard.app import ROOT, names_a_folder, open_app, texts
from tests.dashboard.every_page.pages import every_page, every_text_page, fill_in


def exported(app, monkeypatch, step):
    """The name and the maker of each file in the export menu, by label, if every scrubber is at this step."""
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, name, *_, **__: files.update({label: (name, make)}))
    monkeypatch.setattr(export, "scrubbed", lambda *_: step)
    app.session_state["export"] = True
    app.run()
    assert not app.exception
    return files


@every_page
def test_the_notebook_draws_the_main_picture(app, page, monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: files.update({label: make}))
    app.session_state["export"] = True
    app.run()
    cells = json.loads(files["Notebook"]())["cells"]
    assert [cell["cell_type"] for cell in cells] == ["markdown", "code", "code", "code", "code"]
    *sources, last = ("".join(cell["source"]) for cell in cells[1:])
    scope = {}
    for source in sources:
        exec(source, scope)
    chart = eval(last, scope).to_dict()  # raises if the figure breaks Vega-Lite's schema
    alt = "What a score is made of" if page.folder == "smallnorb" else fill_in(page.charts, app)[0]
    (proto,) = [chart.proto for chart in app.get("vega_lite_chart") if chart.proto.alt == alt]
    on_the_page = pd.DataFrame(pa.ipc.open_stream(proto.data.data).read_all().to_pylist())
    in_the_notebook = pd.DataFrame(chart["datasets"][chart["data"]["name"]])
    pd.testing.assert_frame_equal(in_the_notebook, on_the_page, check_dtype=False, rtol=1e-4, atol=1e-6)


@every_page
def test_every_file_begins_at_the_shown_step_and_names_its_run(app, page, monkeypatch):
    files = exported(app, monkeypatch, step=1)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name, _ in files.values())
    unit = {"agt": "layer", "drnn": "window"}.get(page.folder, "iteration")
    name, make = files["SVG"]
    assert name == f"{page.checkpoint}-{unit}-1.svg"
    assert f"{page.checkpoint}, {unit} 1 of " in make().decode()
    assert checkpoints.title(page.checkpoint) in make().decode()
    assert "step=1" in files["Notebook"][1]().decode()
    html = files["HTML"][1]()
    assert f"{page.checkpoint}, {unit} 1 of " in html
    kinds = ["scrubber", "verdict", "finding", *(["shading"] if page.example else [])]
    assert all(f'class="rs-{kind}"' in html for kind in kinds)
    assert '"start": 1,' in html
    for _, make in files.values():
        content = make()
        assert not names_a_folder(content if isinstance(content, str) else content.decode(errors="replace"), ROOT)
    for label, (_, make) in files.items():
        if label.startswith("CSV"):
            assert make().splitlines()[0].isascii(), label


@every_text_page
def test_the_text_is_in_the_files_only_if_the_user_wants_it(app, page, monkeypatch):
    beginning = page.example[:20]
    for wanted in (False, True):
        app.session_state["export text"] = wanted
        files = exported(app, monkeypatch, step=1)
        assert any(beginning in text for text in texts(files["SVG"][1]().decode())) == wanted
        assert (f"<p>{beginning}" in files["HTML"][1]()) == wanted


@every_page
def test_every_file_proves_itself(app, page, monkeypatch, tmp_path):
    app.session_state["export text"] = True
    for label, (name, make) in exported(app, monkeypatch, step=1).items():
        if label.startswith(("CSV", "PNG")) or name.endswith(".zip"):
            continue
        path, content = tmp_path / name, make()
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        outcome = verify(path)
        assert outcome.code == SAME, outcome.sentence
        assert outcome.sentence.startswith("the same: " if page.example else "numbers intact")


@pytest.mark.parametrize(("page", "cut"), [("routing", "share"), ("sentiment_capsules", "capsule")])
def test_the_effects_of_cuts_are_computed_again(page, cut, monkeypatch, tmp_path):
    app = open_app(page)
    app.query_params["shown"], app.session_state["export text"] = "Effect of cutting each", True
    files = exported(app, monkeypatch, step=1)
    path = tmp_path / "figure.svg"
    path.write_bytes(files["SVG"][1]())
    outcome = verify(path)
    assert outcome.code == SAME, outcome.sentence
    assert f"log-odds lost without each {cut}" in outcome.sentence


def test_the_files_of_a_page_without_a_run_are_intact(monkeypatch):
    for page in ("lab", "units", "evidence", "ledger"):
        for label, (name, make) in exported(open_app(page), monkeypatch, step=1).items():
            if not label.startswith(("CSV", "PNG")):
                content = make()
                content = content if isinstance(content, bytes) else content.encode()
                figure, content = _the_figure_in(content) if label.endswith("zip") else (name, content)
                assert not read(content, figure).changes, (page, label)


def _the_figure_in(archive):
    """The name and the content of the figure in the archive of a citation."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        (name,) = [name for name in files.namelist() if name.endswith((".pdf", ".svg"))]
        return name, files.read(name)


@pytest.mark.parametrize("text", ["A warm film.", "A qwertyish film."])
def test_dots_below_words_are_explained_in_the_files(monkeypatch, text):
    app = open_app("routing")
    app.query_params["text"] = text
    files = exported(app, monkeypatch, step=1)
    has_dots = "qwertyish" in text
    assert ("Dotted: not among the words" in " ".join(texts(files["SVG"][1]().decode()))) == has_dots
    assert ("<p>Dotted: not among the words" in files["HTML"][1]()) == has_dots


def test_the_exported_page_of_an_edited_run_names_its_edits(monkeypatch):
    app = open_app("routing")
    app.query_params["edit"] = ["couplings:uniform"]
    files = exported(app, monkeypatch, step=1)
    html = files["HTML"][1]()
    assert "dragg-reversed-sst5, iteration 1 of 10: predicts" in html
    assert "edited: equal shares" in html
    assert "couplings:uniform" in files["Notebook"][1]().decode()


@pytest.mark.parametrize(
    ("sent", "step"), [(2, 2), (2.0, 2), (None, None), ("x", None), ([1], None), (-9, None), (float("nan"), None)]
)
def test_only_steps_of_a_scrubber_are_accepted(monkeypatch, sent, step):
    monkeypatch.setattr(scrubber, "_scrubbed", lambda **_: SimpleNamespace(step=sent))
    assert scrubber.scrubbed("a", "iteration", 1) == step
    slider = scrubber.slider(2)
    monkeypatch.setattr(export, "scrubbed", lambda *_: 3)
    assert export._ask_browser(SimpleNamespace(sliders=[slider]), "a").values == {"iteration": 2}
