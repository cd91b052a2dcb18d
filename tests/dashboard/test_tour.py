"""The tour of the page Dynamic routing. How it looks and moves is tested in the browser."""

from dashboard.screen.tour import ENTRY, STEPS
from tests.dashboard.app import component, open_app


def test_an_address_starts_the_tour_once():
    assert len(STEPS) == 6
    app = open_app("routing")
    app.query_params[ENTRY] = "1"
    (tour,) = component(app.run(), "tour")
    assert tour["opens"]
    assert [step["key"] for step in tour["steps"]] == [key for key, _ in STEPS]
    assert ENTRY not in app.query_params
    app.session_state["touring"] = False  # the user has left it
    assert not component(app.run(), "tour")[0]["opens"]
