"""Every page takes its inputs from its address, and ignores nonsense there."""

from tests.dashboard.app import titles
from tests.dashboard.every_page.pages import PAGES, every_page, fill_in, sampled

NONSENSE = ["<script>", "inf", "-inf", "1e400", "nan", "-1", "99999", "", "²"]


@every_page
def test_the_address_sets_every_input(app, page):
    for name, value in page.inputs.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    for name, value in page.inputs.items():
        if name in ("example", "review"):  # the box for the text is no input of Streamlit's
            assert app.query_params[name] == value
            continue
        state = app.session_state[name]
        number = isinstance(state, int | float) and not isinstance(state, bool)
        if number:
            assert f"{state:,g}" == value, name
        else:
            assert str(state) in (value, value.capitalize()), name  # True is "true" in the address


@sampled(PAGES, "value", NONSENSE, one_in=3)
def test_nonsense_in_the_address_is_ignored(app, page, value):
    for name in page.inputs.keys() | {"checkpoint", "t", "layer", "window", "v", "source", "upload"}:
        if name != "checkpoint" or not page.kind:
            app.query_params[name] = value
    app.run()
    assert not app.exception
    assert titles(app) == fill_in(page.charts, app)
