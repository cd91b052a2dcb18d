"""The tour of the page Dynamic routing. How it looks and moves is tested in the browser."""

from dashboard.screen.tour import ENTRY, PICTURES, steps_on
from tests.dashboard.app import component, open_app


def test_an_address_starts_the_tour_once():
    assert all(len(steps_on(page)) == 6 for page in PICTURES)
    app = open_app("routing")
    app.query_params[ENTRY] = "1"
    (tour,) = component(app.run(), "tour")
    assert tour["opens"]
    assert [(step["key"], step["says"]) for step in tour["steps"]] == steps_on("routing")
    assert ENTRY not in app.query_params
    app.session_state["touring"] = False  # the user has left it
    assert not component(app.run(), "tour")[0]["opens"]
