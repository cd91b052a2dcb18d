"""Checks of every page, one row of ``PAGES`` per page."""

import json
import re
from dataclasses import dataclass
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pytest
import streamlit as st

from dashboard.components import scrubber
from dashboard.runs import checkpoints
from dashboard.screen import export
from tests.dashboard.app import (
    ROOT,
    component,
    download_labels,
    leaks,
    names_a_folder,
    open_app,
    open_section,
    open_tab,
    shown_as_markdown,
    text_in_box,
    texts,
    titles,
    type_text,
)

NONSENSE = ["<script>", "inf", "-inf", "1e400", "nan", "-1", "99999", "", "²"]
NOTHING_TO_READ = ["", "   ", "\x00\x01", "\u200b\u200d"]
ODD_TEXTS = [
    "x" * 10_000,
    "👩‍👩‍👧 🎬 😀",
    "مرحبا بالعالم שלום",
    "a\x00b\x1b[31mc",
    "<script>alert(1)</script>",
    "**b** [a](http://x) $x^2$ :material/home: `c`",
    "a",
]


@dataclass(frozen=True)
class Page:
    """The content of a page without a measured sweep.

    Attributes:
        folder: name of the page's folder in dashboard/pages.
        checkpoint: name of the shown checkpoint.
        kind: kind of the checkpoint if it is a tiny network; None if it is shipped.
        charts: titles of the charts on the first screen and in the first tab, or their texts for a screen reader;
            {part} is replaced by the selected part.
        tables: titles of the tables in the export menu, with {part} replaced likewise.
        in_space: figures in space, which the export menu offers as separate pages.
        inputs: a value that is not the first, for every input that the address keeps.
        example: the beginning of the first example; None if the page reads no text.
        longest: the largest number of words that the page reads.
        shades: whether the first shaded text is the whole text that the network read.
    """

    folder: str
    checkpoint: str
    charts: list[str]
    tables: list[str]
    inputs: dict[str, str]
    example: str | None = None
    longest: str = "400"
    shades: bool = True
    kind: str | None = None
    in_space: tuple[str, ...] = ()


PAGES = {
    "routing": Page(
        folder="routing",
        checkpoint="dragg-reversed-sst5",
        charts=[
            "Coupling coefficients of dragg-reversed-sst5",
            *("Class if routing stopped here", "Length of each capsule"),
            *("Entropy of each capsule's intake (bold: mean)", "Change since the last iteration"),
        ],
        tables=["cells", "iterations"],
        inputs={
            "checkpoint": "dragg-sst2",
            "iterations": "7",
            "word": "2",
            "capsule": "3",
            "example": "Plain",
            "beside": "true",
            "inspect": "Change it",
            "shown": "Effect of cutting each",
        },
        example="The acting is superb",
    ),
    "documents": Page(
        folder="routing",
        checkpoint="tiny-documents",
        kind="dragg-documents",
        charts=[
            "Coupling coefficients of tiny-documents",
            "Coupling coefficients of the words, tiny-documents",
        ],
        tables=["cells", "iterations", "sentences", "words"],
        inputs={"iterations": "5", "sentence": "2", "capsule": "3", "review": "Mixed"},
        example="The trailer promised a thriller.",
        longest="2,000",
    ),
    "kmeans": Page(
        folder="kmeans",
        checkpoint="cccaps-ag",
        charts=[
            "Coupling coefficients of cccaps-ag",
            *("Entropy of each capsule's share (bold: mean)", "Length of each class capsule"),
            *("Clustering loss (eq. 8) before each iteration", "Shares of feature capsule {part}"),
        ],
        tables=["cells", "iterations", "contributions"],
        inputs={
            "checkpoint": "cccaps-dynamic-ag",
            "iterations": "5",
            "feature": "7",
            "word": "2",
            "tab": "Code",
            "words": "1,000",
            "example": "Final",
            "beside": "true",
        },
        example="The president said talks",
    ),
    "sentiment_capsules": Page(
        folder="sentiment_capsules",
        checkpoint="em-sst5",
        charts=[
            "Credit of each word for each class, through both routings",
            *("Class if routing stopped here", "Entropy of each word's share (bold: mean)"),
            "Change since the last iteration",
        ],
        tables=["credit", "part {part}", "parts", "classes"],
        inputs={
            "checkpoint": "em-sst2",
            "iterations": "7",
            "word": "2",
            "part": "9",
            "tab": "One part",
            "show": "D_ign",
            "example": "Plain",
        },
        example="A dull, lifeless thriller",
    ),
    "agt": Page(
        folder="agt",
        checkpoint="agt-sst5",
        charts=[
            "Attention of every layer to every word, scaled to its layer's largest",
            "Prediction from each layer",
        ],
        tables=["attention", "composed", "layers", "gates"],
        inputs={"checkpoint": "agt-sst5", "threshold": "0.7", "word": "2", "changed": "3", "example": "Not so much"},
        example="There is not one honest",
    ),
    "drnn": Page(
        folder="drnn",
        checkpoint="drnn-ag",
        charts=["How many components of the pooled vector each position wins, by window", "Class by window"],
        tables=["windows", "positions"],
        inputs={"checkpoint": "drnn-ag", "most": "7", "word": "2", "example": "Final"},
        example="The president said talks",
    ),
    "smallnorb": Page(
        folder="smallnorb",
        checkpoint="tiny-em-smallnorb",
        kind="em-smallnorb",
        charts=[
            *("What a part takes in", "The views, left eye above right eye"),
            *(f"Pose vector {v}" for v in range(1, 5)),
        ],
        tables=["classes", "places", "views", "plane", "space", "pose vectors", "turned"],
        in_space=("space",),
        inputs={
            "iterations": "7",
            "category": "airplane",
            "toy": "3",
            "light": "2",
            "turned": "elevation",
            "azimuth": "80°",
            "view": "6",
            "part": "2",
            "over": "What a class's score is made of",
            "class": "human",
            "quantity": "cosine",
        },
    ),
}
NO_SINGLE_RUN = {"compare", "corpus", "evidence", "lab", "ledger", "models", "start"}  # pages with tests of their own
TEXT_PAGES = [name for name, page in PAGES.items() if page.example]


@pytest.fixture
def page(request):
    return PAGES[request.param]


@pytest.fixture
def app(page, no_sweeps, add_model):
    """The page, with no measurements except those that are shipped with its checkpoint."""
    app = open_app(page.folder)
    if page.kind:
        add_model(page.kind)
        app.query_params["checkpoint"] = page.checkpoint
    return app


def sampled(pages, name, values, one_in):
    """Parametrize a test by page and value: every ``one_in``-th pair runs always, the others are marked as slow.

    The pairs that always run include every value and every page.
    """
    return pytest.mark.parametrize(
        ("page", name),
        [
            pytest.param(page, value, marks=() if (i + j) % one_in == 0 else pytest.mark.slow)
            for i, page in enumerate(pages)
            for j, value in enumerate(values)
        ],
        indirect=["page"],
    )


every_page = pytest.mark.parametrize("page", PAGES, indirect=True)
every_text_page = pytest.mark.parametrize("page", TEXT_PAGES, indirect=True)


def test_every_page_has_a_row_or_its_own_tests():
    folders = {path.parent.name for path in (ROOT / "dashboard" / "pages").glob("*/page.py")}
    assert folders == {page.folder for page in PAGES.values()} | NO_SINGLE_RUN


def fill_in_part(titles, app):
    """The titles, with {part} replaced by the selected part."""
    signals = component(app, "scrubber")[0]["signals"]
    return [title.format(part=signals.get("picked", 0) + 1) for title in titles]


@every_page
def test_first_screen(app, page):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == page.checkpoint
    assert titles(app) == fill_in_part(page.charts, app)
    assert not any("None" in shown for shown in shown_as_markdown(app))
    tables = [f"CSV, {table}" for table in fill_in_part(page.tables, app)]
    pages = ["HTML", *(f"HTML, {figure}" for figure in page.in_space)]
    assert download_labels(app) == ["SVG", "PDF", "PNG, 300 dpi", *pages, *tables, "JSON", "npz", "Notebook"]
    if page.example:
        assert text_in_box(app).startswith(page.example)
    assert not leaks(app, ROOT)


@every_page
def test_a_page_says_what_it_does_not_show_and_has_the_card(app, page):
    shown = shown_as_markdown(open_tab(app, "Card"))
    assert len([text for text in shown if text.startswith("**What it does not show.** ")]) == 1
    if page.kind:
        assert "This checkpoint has no card." in shown
    else:
        assert any("What it is not for" in text for text in shown)


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
    alt = "What a part takes in" if page.folder == "smallnorb" else fill_in_part(page.charts, app)[0]
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


def exported(app, monkeypatch, step):
    """The name and the maker of each file in the export menu, by label, if every scrubber is at this step."""
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, name, *_, **__: files.update({label: (name, make)}))
    monkeypatch.setattr(export, "scrubbed", lambda *_: step)
    app.session_state["export"] = True
    app.run()
    assert not app.exception
    return files


@pytest.mark.parametrize(
    ("sent", "step"), [(2, 2), (2.0, 2), (None, None), ("x", None), ([1], None), (-9, None), (float("nan"), None)]
)
def test_only_steps_of_a_scrubber_are_accepted(monkeypatch, sent, step):
    monkeypatch.setattr(scrubber, "_scrubbed", lambda **_: SimpleNamespace(step=sent))
    assert scrubber.scrubbed("a", "iteration", 1) == step
    slider = scrubber.slider(2)
    monkeypatch.setattr(export, "scrubbed", lambda *_: 3)
    assert export._ask_browser(SimpleNamespace(sliders=[slider]), "a").values == {"iteration": 2}


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
    assert titles(app) == fill_in_part(page.charts, app)


@sampled(TEXT_PAGES, "text", ODD_TEXTS, one_in=3)
def test_odd_texts_are_shown_as_typed(app, page, text):
    type_text(app.run(), text)
    assert not app.exception
    assert text_in_box(app) == text
    assert titles(app)[0] == page.charts[0]
    if page.shades:
        assert text.startswith("".join(piece for piece, _ in component(app, "shading")[0]["segments"]))
    assert len(text) == 1 or not any(text in shown for shown in shown_as_markdown(app))


@sampled(TEXT_PAGES, "text", NOTHING_TO_READ, one_in=2)
def test_a_text_without_words_gives_one_sentence(app, page, text):
    type_text(app.run(), text)
    assert not app.exception
    assert [info.value for info in app.info] == ["There is no word in this text. Type a sentence."]
    assert text_in_box(app) == text


@every_text_page
def test_a_hundred_thousand_words_are_cut_with_a_notice(app, page):
    type_text(app.run(), "good film " * 50_000)
    assert not app.exception
    assert f"Only the first {page.longest} words" in app.warning[0].value
    assert len(text_in_box(app)) == 500_000
