"""The dashboard without a browser, shared by the tests of its pages."""

import json
from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

ROOT = Path(__file__).parents[2]


def open_app(page: str) -> AppTest:
    """The dashboard on one of its pages, not run yet."""
    app = AppTest.from_file(str(ROOT / "dashboard" / "server" / "router.py"), default_timeout=60)
    app._page_hash = calc_hash(page)  # switch_page would take the name of the file for the page's address
    return app


def open_numbers(app: AppTest) -> AppTest:
    """Opens every expander of numbers and downloads, which are empty until then, and runs the page again."""
    for expander in app.expander:
        if expander.label == "Numbers and downloads":
            key = expander.proto.id.split("-", 2)[2]
            app.session_state[key] = True
    return app.run()


def download_labels(app: AppTest) -> list[str]:
    """The download buttons, the expanders that hold them opened."""
    return [b.proto.label for b in open_numbers(app).get("download_button")]


def tables(app: AppTest) -> dict[str, pd.DataFrame]:
    """The tables of the downloads by title, of the only model."""
    titles = [label.removeprefix("CSV, ") for label in download_labels(app) if label.startswith("CSV, ")]
    shown = [table.value for table in app.dataframe][-len(titles) :]  # behind what the page shows itself
    return dict(zip(titles, shown, strict=True))


def component(app: AppTest, name: str) -> list[dict]:
    """What was handed to each component of a kind."""
    found = [c.proto for c in app.get("bidi_component") if c.proto.component_name == f"routescope_{name}"]
    return [json.loads(c.json) for c in found]


def typed(app: AppTest, text: str) -> AppTest:
    return app.text_area(key="text").set_value(text).run()


def shown_as_markdown(app: AppTest) -> list[str]:
    return [shown.value for shown in (*app.markdown, *app.caption, *app.info, *app.warning)]


def titles(app: AppTest) -> list[str]:
    """The charts in the order of the screen: their titles, or what a screen reader says instead."""
    return [chart.proto.alt for chart in app.get("vega_lite_chart")]
