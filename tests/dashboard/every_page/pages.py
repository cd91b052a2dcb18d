"""The pages that show a run, a row of ``PAGES`` each, and the parametrizations of their tests."""

from dataclasses import dataclass

import pytest

from dashboard.runs import checkpoints
from tests.dashboard.app import component


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


PAGES = {
    "routing": Page(
        folder="routing",
        checkpoint="dragg-reversed-sst5",
        charts=[
            "Coupling coefficients of {network}",
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
            "Coupling coefficients of {network}",
            "Coupling coefficients of the words, {network}",
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
            "Coupling coefficients of {network}",
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
            "The whole pose in each view, in a plane",
            *("What a score is made of", "The views, left eye above right eye"),
            *("Class if routing stopped here", "Bang per bit of each class"),
        ],
        tables=["classes", "places", "views", "plane", "space", "pose vectors", "turned"],
        inputs={
            "iterations": "7",
            "category": "airplane",
            "toy": "3. twin",
            "light": "2",
            "turned": "elevation",
            "azimuth": "80°",
            "part": "2",
            "over": "What a score is made of",
            "class": "human",
            "tab": "Turning",
            "quantity": "cosine",
        },
    ),
}
NO_SINGLE_RUN = {
    "compare",
    "corpus",
    "evidence",
    "lab",
    "ledger",
    "models",
    "start",
    "units",
}  # pages with tests of their own
TEXT_PAGES = [name for name, page in PAGES.items() if page.example]

every_page = pytest.mark.parametrize("page", PAGES, indirect=True)
every_text_page = pytest.mark.parametrize("page", TEXT_PAGES, indirect=True)


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


def fill_in(titles, app):
    """The titles, with {part} replaced by the selected part, and {network} by the chosen network's title."""
    signals = component(app, "scrubber")[0]["signals"]
    network = checkpoints.title(app.selectbox(key="checkpoint").value)
    return [title.format(part=signals.get("picked", 0) + 1, network=network) for title in titles]
