"""The dashboard without a browser, shared by the tests of its pages."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pyarrow as pa
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

ROOT = Path(__file__).parents[2]
CITED = ["LaTeX, zip", "Markdown, zip"]  # the last files of a run's export menu


def open_app(page: str) -> AppTest:
    """The dashboard at one of its pages, before its first run."""
    app = AppTest.from_file(str(ROOT / "dashboard" / "server" / "router.py"), default_timeout=180)
    app._page_hash = calc_hash(page)  # not switch_page, which takes the file's name for the page's address
    return app


def open_tab(app: AppTest, name: str) -> AppTest:
    """Open one of the tabs, which closes the others, and rerun the page."""
    app.session_state["tab"] = name
    return app.run()


def open_section(app: AppTest, name: str) -> AppTest:
    """Open a section of the inspector, which closes the others, and rerun the page."""
    app.session_state["inspect"] = name
    return app.run()


def download_labels(app: AppTest) -> list[str]:
    """The labels of the download buttons in the export menu, which is empty until it is opened."""
    app.session_state["export"] = True
    return [button.proto.label for button in app.run().get("download_button")]


def tables(app: AppTest) -> dict[str, pd.DataFrame]:
    """The tables in the tab Numbers, by title."""
    (numbers,) = [tab for tab in open_tab(app, "Numbers").tabs if tab.label == "Numbers"]
    titles = [caption.value for caption in numbers.caption]
    return dict(zip(titles, (table.value for table in numbers.dataframe), strict=True))


def component(app: AppTest, name: str) -> list[dict]:
    """The data of each of our components with this name, in the order of the screen."""
    actual = [c.proto for c in app.get("bidi_component") if c.proto.component_name == f"routescope_{name}"]
    return [json.loads(c.json) for c in actual]


def texts(svg: str) -> list[str]:
    """All texts in a picture, each on one line."""
    nodes = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return [" ".join(node.itertext()) for node in nodes]


def type_text(app: AppTest, text: str) -> AppTest:
    """Type a text and rerun the page."""
    app.session_state["typed"], app.session_state["typed_by_user"] = text, True
    return app.run()


def choose_example(app: AppTest, name: str) -> AppTest:
    """Choose an example by its name in the address, and rerun the page."""
    app.session_state["typed_by_user"] = False
    app.query_params["example"] = name
    return app.run()


def text_in_box(app: AppTest) -> str:
    """The text in the box."""
    return component(app, "text_box")[0]["text"]


def shown_as_markdown(app: AppTest) -> list[str]:
    """The texts on the screen that Streamlit renders as Markdown."""
    return [text.value for text in (*app.markdown, *app.caption, *app.info, *app.warning)]


def leaks(app: AppTest, folder: Path) -> list[str]:
    """The elements on the screen that name this folder, or the home of the server's owner."""
    sent = [str(element.proto) for element in app._tree if getattr(element, "proto", None)]
    return [message for message in sent if names_a_folder(message, folder)]


def names_a_folder(message: str, folder: Path) -> bool:
    """Whether a message names this folder, or the home of the server's owner."""
    private = {folder, folder.resolve(), Path.home()} - {Path("/")}
    return any(str(path) in message.replace("\\", "") for path in private)


def main_picture(app: AppTest) -> tuple[pd.DataFrame, dict]:
    """The data and the specification of the main picture, which is the first chart on the screen."""
    proto = app.get("vega_lite_chart")[0].proto
    return pa.ipc.open_stream(proto.data.data).read_pandas(), json.loads(proto.spec)


def titles(app: AppTest) -> list[str]:
    """The descriptions of the charts for screen readers, in the order of the screen."""
    return [chart.proto.alt for chart in app.get("vega_lite_chart")]
