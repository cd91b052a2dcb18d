"""Every page before anybody has changed anything."""

import re

import pytest

from dashboard.docs.contents import link_of
from dashboard.runs import checkpoints
from tests.dashboard.app import (
    CITED,
    ROOT,
    component,
    download_labels,
    leaks,
    open_section,
    open_tab,
    shown_as_markdown,
    text_in_box,
    titles,
)
from tests.dashboard.every_page.pages import NO_SINGLE_RUN, PAGES, every_page, fill_in


def test_every_page_has_a_row_or_its_own_tests():
    folders = {path.parent.name for path in (ROOT / "dashboard" / "pages").glob("*/page.py")}
    assert folders == {page.folder for page in PAGES.values()} | NO_SINGLE_RUN


@every_page
def test_first_screen(app, page):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == page.checkpoint
    assert titles(app) == fill_in(page.charts, app)
    assert not any("None" in shown for shown in shown_as_markdown(app))
    tables = [f"CSV, {table}" for table in fill_in(page.tables, app)]
    assert download_labels(app) == ["SVG", "PDF", "PNG, 300 dpi", "HTML", *tables, "JSON", "npz", "Notebook", *CITED]
    if page.example:
        assert text_in_box(app).startswith(page.example)
    assert not leaks(app, ROOT)


@every_page
def test_a_page_says_what_it_does_not_show_and_has_the_card(app, page):
    shown = shown_as_markdown(open_tab(app, "Card"))
    assert len([text for text in shown if text.startswith("**What it does not show.** ")]) == 1
    assert any(f"]({link_of(page.folder)})" in text for text in shown)  # its page of the documentation
    if page.kind:
        assert "This checkpoint has no card." in shown
    else:
        assert any("What it is not for" in text for text in shown)


@every_page
@pytest.mark.parametrize("section", ["Change it", "Test it"])
def test_no_text_has_an_unfilled_placeholder(app, page, section):
    open_section(app, section)
    assert not app.exception
    shown = [*shown_as_markdown(app), *(text.value for text in app.text)]
    assert not any(re.search(r"(?<!\\)\{[a-z_]+\}", text) for text in shown)


@every_page
def test_a_page_opens_at_the_trained_step_however_many_are_run(app, page):
    if "iterations" in page.inputs:
        app.query_params["iterations"] = "7"
    settings = checkpoints.about(page.checkpoint).model
    trained = settings.get("n_iters") or settings.get("window") or settings["n_layers"]
    app.run()
    assert component(app, "scrubber")[0]["n"] >= trained
    assert component(app, "scrubber")[0]["start"] == trained
    assert component(app, "verdict")[0]["start"] == trained
