"""The state of pages in their addresses."""

import pytest
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.testing.v1.element_tree import ElementTree
from streamlit.util import calc_hash

from dashboard.screen.address import link_to
from tests.dashboard.app import choose_example, open_app, text_in_box, type_text


def go(app, page, **params):
    """Open another page in the same session, as a click in the sidebar or on a link does."""
    app._page_hash = calc_hash(page)
    app._tree = ElementTree()  # a browser says nothing about the widgets of the page that it leaves
    app._tree._runner = app
    app.query_params.clear()
    for key, value in params.items():
        app.query_params[key] = value
    return app.run()


def address(app):
    return {key: app.query_params[key] for key in app.query_params}


@pytest.fixture
def app():
    """The Routing page, whose address differs from the defaults."""
    app = open_app("routing")
    for key, value in {"checkpoint": "dragg-reversed-sst5", "iterations": "4", "word": "2"}.items():
        app.query_params[key] = value
    return app.run()


def test_each_page_keeps_its_own_address(app):
    before = address(app)
    go(app, "agt")
    assert app.selectbox(key="checkpoint").value == "agt-sst5"
    assert not address(app)
    go(app, "routing")
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "dragg-reversed-sst5"
    assert [app.number_input(key=key).value for key in ("iterations", "word")] == [4, 2]
    assert address(app) == before


def test_another_text_has_another_first_cell(app):
    go(app, "agt")
    type_text(app, "superb superb superb film")
    go(app, "routing")
    assert not app.exception
    assert app.number_input(key="word").value != 2


def test_a_link_brings_its_own_address(app):
    go(app, "agt")
    go(app, "routing", **link_to({"checkpoint": "dragg-sst2", "word": "3.0"}))
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "dragg-sst2"
    assert [app.number_input(key=key).value for key in ("iterations", "word")] == [10, 3]


def test_a_link_cannot_set_streamlit_s_own_parameters(app):
    go(app, "agt")
    go(app, "routing", **link_to({"embed": "true", "EMBED_OPTIONS": "x", "checkpoint": "dragg-sst2"}))
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "dragg-sst2"


def test_a_page_that_stops_at_an_empty_text_keeps_its_address():
    app = open_app("routing")
    app.query_params["checkpoint"], app.query_params["text"] = "dragg-sst2", " "
    app.run()
    go(app, "agt")
    go(app, "routing")
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "dragg-sst2"


def test_whole_numbers_are_whole_in_the_address(app):
    type_text(app, "A dull film.")  # another first cell, which the page writes into its address
    assert set(address(app)) >= {"word", "capsule"}
    assert all(app.query_params[key].isdecimal() for key in ("word", "capsule"))


def test_an_example_can_be_chosen_again_after_a_text_was_typed(app):
    choose_example(app, "Plain")
    plain = text_in_box(app)
    type_text(app, "A dull film.")
    assert "example" not in app.query_params
    choose_example(app, "Plain")
    assert text_in_box(app) == plain


def test_an_address_that_streamlit_refuses_is_not_restored(app, monkeypatch):
    def refuse(*_):
        raise StreamlitAPIException("an entry is bound to a widget of the page before")

    go(app, "agt")
    monkeypatch.setattr(QueryParamsProxy, "from_dict", refuse)
    go(app, "routing")
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "dragg-reversed-sst5"


@pytest.mark.parametrize(
    ("old", "page", "checkpoint"),
    [
        ({"checkpoint": "dragg-reversed-sst5", "word": "2"}, "routing", "dragg-reversed-sst5"),
        ({"iterations": "4", "word": "2"}, "routing", "dragg-sst5"),
        ({"checkpoint": "cccaps-ag"}, "kmeans", "cccaps-ag"),
    ],
)
def test_an_old_address_opens_what_it_named(old, page, checkpoint):
    app = open_app("start")
    for key, value in (old | {"text": "a warm, funny film"}).items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert app.session_state["page"] == page
    assert app.selectbox(key="checkpoint").value == checkpoint
    assert text_in_box(app) == "a warm, funny film"
    assert {key: app.number_input(key=key).value for key in old if key != "checkpoint"} == {
        key: float(value) for key, value in old.items() if key != "checkpoint"
    }


def test_what_is_embedded_opens_at_the_start():
    app = open_app("start")
    app.query_params["embed"] = "true"
    assert not app.run().exception
    assert app.title[0].value == "Routescope"


@pytest.mark.parametrize(
    ("tab", "section"), [("One cell", "This cell"), ("What if", "Change it"), ("Does it hold?", "Test it")]
)
def test_a_tab_of_earlier_versions_opens_its_section(tab, section):
    app = open_app("routing")
    app.query_params["tab"] = tab
    app.run()
    assert not app.exception
    assert app.session_state["inspect"] == section
    assert "tab" not in address(app)
