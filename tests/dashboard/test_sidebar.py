"""The sidebar: pages in groups, the name of the program, its settings, and the window about it."""

from html import escape

import pytest

from core import __version__
from dashboard.runs import loaded
from dashboard.screen.about import list_of_words
from dashboard.screen.glossary import GLOSSARY
from dashboard.screen.sidebar import WORDMARK
from tests.dashboard.app import open_app, shown_as_markdown


def test_the_name_and_the_version_stand_on_top():
    assert "Routescope" in WORDMARK
    assert __version__ in WORDMARK


def test_a_device_is_kept_while_the_menu_is_closed(monkeypatch):
    monkeypatch.setattr(loaded, "devices", lambda: {"cuda": "GPU", "cpu": "CPU"})
    app = open_app("ledger").run()
    assert not [box for box in app.sidebar.selectbox if box.key == "device"]
    app.session_state["settings"] = True
    app.run().selectbox(key="device").set_value("cpu").run()
    app.session_state["settings"] = False
    assert app.run().session_state["device of runs"] == "cpu"
    app.session_state["settings"] = True
    assert app.run().selectbox(key="device").value == "cpu"


def test_the_papers_and_all_words_are_one_click_away():
    app = open_app("ledger").run()
    app.button(key="about").click().run()
    assert not app.exception
    assert "https://arxiv.org/abs/1911.00792" in " ".join(shown_as_markdown(app))
    assert all(escape(name) in list_of_words() for name in GLOSSARY)


@pytest.mark.parametrize(("page", "title"), [("agt", "Attention by layer (AGT)"), ("ledger", "Claims")])
def test_the_tab_of_the_browser_names_the_page(page, title, monkeypatch):
    titles = []
    monkeypatch.setattr("streamlit.set_page_config", lambda *title, **more: titles.append(more.get("page_title")))
    open_app(page).run()
    assert titles[-1] == f"{title} · Routescope"
