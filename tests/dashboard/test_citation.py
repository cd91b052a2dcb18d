"""Citations of pictures: captions, methods, BibTeX, and lines that link to the live page."""

import io
import re
import zipfile

import pytest
import streamlit as st

from core import explain, zoo
from core.papers import PAPERS
from core.provenance.seal import read
from core.stored import BY_KIND
from dashboard.runs import checkpoints
from dashboard.screen import export
from dashboard.screen.citation import cite, escape_latex, live_address
from dashboard.screen.export_files import BrowserState
from dashboard.screen.proof import ExportedRun
from tests.dashboard.app import download_labels, open_app

TEXT = "100% *good* film & \\input{x} http://a.org"
STATE = BrowserState({"iteration": 2, "picked": 3}, "iteration", True, {"t": 2})


@pytest.fixture(scope="module")
def run():
    return ExportedRun(explain(zoo.load("dragg-reversed-sst5"), TEXT, edits=["drop:film"]), TEXT)


def cited(run, with_text=True):
    return cite(
        "Shares",
        [run],
        STATE,
        with_text,
        "A **share** is\nno cause.",
        "figure",
    )


def test_a_caption_says_network_iteration_badge_and_limits(run):
    caption = cited(run).caption
    assert caption.startswith(
        f"Shares: {checkpoints.title('dragg-reversed-sst5')}. dragg-reversed-sst5, iteration 2 of 3"
    )
    assert "edited: without “film”" in caption
    assert "finds the words that matter (86% to 90% of a direct test, 3 trainings)" in caption
    assert re.search(r"costs the answer [\d.]+ points more .* \(95% interval [\d.]+ to [\d.]+, 2,210 texts\)", caption)
    assert caption.endswith("What the picture does not show: A share is no cause.")


def test_the_text_is_cited_only_if_the_user_wants_it(run):
    forms = [(form, cited(run, wanted)) for wanted in (True, False) for form in ("to_latex", "to_markdown", "to_link")]
    assert ["100" in getattr(citation, form)().replace("1000", "") for form, citation in forms] == [True] * 3 + [
        False
    ] * 3


def test_methods_name_what_others_need_to_repeat_the_run(run):
    methods = cited(run).methods
    trace = run.trace
    for part in (trace.model, trace.weights, "Routescope 0.1.0", "3 routing iterations", "edited: without “film”"):
        assert part in methods
    assert re.search(r"test accuracy is 51\.7% \(95% interval [\d.]+% to [\d.]+%, n = 2,210\)", methods)


def test_latex_and_markdown_show_a_text_as_typed(run):
    latex, markdown = cited(run).to_latex(), cited(run).to_markdown()
    assert r"100\% *good* film \& \textbackslash{}input\{x\}" in latex
    assert r"\cite{gong2018,routescope}" in latex
    assert latex.count("\\input") == 0
    assert run.trace.weights[:8] + r"\allowbreak " + run.trace.weights[8:16] in latex  # else the line is too long
    assert r"\*good\*" in markdown
    assert "http://a.org" not in markdown
    assert escape_latex("a_b^c~d #1 {x} $y$ “q”\x07") == (
        r"a\_b\textasciicircum{}c\textasciitilde{}d \#1 \{x\} \$y\$ ``q''"
    )


def test_a_link_has_the_settings_and_the_step_of_the_page():
    class Given(dict):
        def get_all(self, key):
            return self[key]

    given = Given(capsule=["2"], text=["secret"], edit=["drop:1", "drop:2"])
    link = live_address("http://a.org/routing?x=1", given, {"t": 2, "checkpoint": "m"})
    assert link == "http://a.org/routing?capsule=2&edit=drop%3A1&edit=drop%3A2&t=2&checkpoint=m"


def test_the_caption_is_about_the_picture_on_screen(monkeypatch):
    monkeypatch.setattr(export, "scrubbed", lambda *_: 1)
    app = open_app("routing")
    app.query_params["shown"] = "Effect of cutting each"
    app.session_state["export"], app.session_state["export cite"] = True, "Markdown"
    app.run()
    assert not app.exception
    (text,) = [code.value for code in app.code if "**Methods.**" in code.value]
    assert text.startswith("![What “negative” loses when a share is cut")


def test_every_kind_of_network_has_a_paper():
    papers = {trace.paper for kind, trace in BY_KIND.items() if trace.is_of_network and kind != "toy"}
    assert papers == PAPERS.keys() == {paper.key for paper in PAPERS.values()}
    for paper in PAPERS.values():
        assert paper.bibtex.count("{") == paper.bibtex.count("}")


@pytest.mark.parametrize("page", ["routing", "smallnorb", "compare"])
def test_one_click_saves_the_figure_with_its_citation(monkeypatch, page):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make=None, *_, **__: files.update({label: make}))
    monkeypatch.setattr(export, "scrubbed", lambda *_: 1)
    app = open_app(page)
    app.session_state["export"], app.session_state["export cite"] = True, "LaTeX"
    app.run()
    assert not app.exception
    for label, endings in (("LaTeX, zip", ("pdf", "tex", "bib")), ("Markdown, zip", ("svg", "md", "bib"))):
        with zipfile.ZipFile(io.BytesIO(files[label]())) as archive:
            contents = {name.rpartition(".")[2]: archive.read(name) for name in archive.namelist()}
            names = archive.namelist()
        assert tuple(contents) == endings
        assert not read(contents[endings[0]], names[0]).changes
        assert names[0].encode() in contents[endings[1]]
        assert b"What the picture does not show" in contents[endings[1]]
        assert b"@software{routescope" in contents["bib"]
    (code,) = [block.value for block in app.code if "begin{figure}" in block.value]
    assert code.startswith(r"\begin{figure}")


def test_a_picture_of_measurements_is_cited_by_its_networks():
    title = checkpoints.title("cccaps-ag")
    citation = cite("Units", [], STATE, True, "", "figure", "cccaps-ag")
    assert citation.caption.startswith(f"Units: {title}. Badge of cccaps-ag: ")
    paper, weights = PAPERS[citation.keys[0]].short, zoo.describe("cccaps-ag").sha256
    assert citation.methods.startswith(f"The numbers on cccaps-ag (after {paper}), a network for ")
    assert f"Its weights have the sha256 {weights}. Its test accuracy is " in citation.methods
    assert "checkpoint=cccaps-ag" in citation.link


def test_a_picture_without_a_network_is_cited_by_the_program_alone():
    citation = cite("Lab", [], STATE, True, "", "figure")
    assert (citation.caption, citation.keys) == ("Lab.", ())
    assert "\\cite{routescope}" in citation.to_latex()
    assert "checkpoint" not in citation.link


@pytest.mark.parametrize("page", ["units", "evidence", "ledger", "lab"])
def test_every_page_with_an_export_menu_cites_its_picture(page):
    assert "LaTeX, zip" in download_labels(open_app(page))
