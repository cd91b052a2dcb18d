"""The pages of the documentation, and the page that belongs to each screen.."""

import os
from pathlib import Path
from typing import NamedTuple

from core.files import cache_folder

ROOT = Path(__file__).parents[2]
VARIABLE = "ROUTESCOPE_DOCS"  # the folder of a built site
HERE = "dashboard/docs"


class DocPage(NamedTuple):
    """A page of the documentation.

    Attributes:
        address: last part of its address; it is also the name of its file while the site is built.
        title: title in the list of pages.
        source: path of its Markdown in the checkout; "" if it is generated.
    """

    address: str
    title: str
    source: str

    @property
    def path(self) -> Path:
        """The file with its Markdown. It need not be there: a wheel has no README of a folder."""
        return ROOT / self.source


def _written(address: str, title: str) -> DocPage:
    return DocPage(address, title, f"{HERE}/{address}.md")


REFERENCE = DocPage("reference", "Reference of Python", "")
SECTIONS = {
    "": (
        _written("index", "Routescope"),
        _written("first-finding", "The first finding in ten minutes"),
    ),
    "How each routing works": (
        _written("dynamic", "Dynamic routing"),
        _written("kmeans", "k-means routing"),
        _written("em", "EM routing"),
        _written("agt", "Attention by layer (AGT)"),
        _written("drnn", "Windows (DRNN)"),
    ),
    "Use it": (
        DocPage("app", "The dashboard", "dashboard/README.md"),
        DocPage("python", "The command line and Python", "core/README.md"),
        _written("your-own", "Your texts, encoder, routing"),
        DocPage("training", "Training and sweeps", "core/training/README.md"),
        _written("teachers", "For teachers"),
        _written("servers", "For servers"),
    ),
    "Look up": (
        DocPage("commands", "Every command", "core/COMMANDS.md"),
        REFERENCE,
    ),
    "Believe it": (
        _written("measured", "How it was measured"),
        _written("tried", "What was tried and did not work"),
        DocPage("shipped", "What is shipped and measured", "pretrained/README.md"),
        DocPage("toys", "Rendered toys", "core/datasets/toyrig/README.md"),
        DocPage("speed", "Speed", "tests/benchmarks/README.md"),
    ),
    "Take part": (
        _written("changelog", "Changes"),
        _written("contributing", "Contributing"),
        _written("security", "Security"),
        DocPage("tests", "Tests", "tests/README.md"),
    ),
}
PAGES = {page.address: page for pages in SECTIONS.values() for page in pages}
OF_SCREEN = {  # folder of a screen: its page of the documentation, and the heading there
    "start": "first-finding",
    "routing": "dynamic",
    "kmeans": "kmeans",
    "sentiment_capsules": "em",
    "agt": "agt",
    "drnn": "drnn",
    "smallnorb": "em#em-routing-over-pictures",
    "units": "measured#what-a-unit-means",
    "evidence": "measured#whether-a-picture-can-be-believed",
    "ledger": "measured#claims-of-the-papers",
    "compare": "measured#two-runs-compared",
    "corpus": "your-own#your-own-texts",
    "models": "your-own",
    "lab": "teachers",
}


def link_of(screen: str) -> str:
    """The address of a screen's page, relative to the dashboard's first page; the first page for an added screen."""
    address, hash_mark, heading = OF_SCREEN.get(screen, "index").partition("#")
    return f"docs/{address}.html{hash_mark}{heading}"


def site_folder() -> Path:
    """The folder of the built site: ROUTESCOPE_DOCS, or one in the user's cache directory."""
    return Path(os.environ.get(VARIABLE) or cache_folder() / "docs")
