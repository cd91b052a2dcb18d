"""Where the pages are, and which one shows a checkpoint."""

from pathlib import Path

from dashboard import runs

PAGES = Path(__file__).parents[1] / "pages"  # not in server/, where Streamlit would take it for its own folder
OF_KIND = {  # the page of each kind of network
    "dragg": "routing",
    "dragg-documents": "routing",
    "cccaps": "kmeans",
    "em-sst": "sentiment_capsules",
    "agt": "agt",
    "drnn": "drnn",
    "em-smallnorb": "smallnorb",
}


WITH_LENGTHS = "cccaps"  # the kind whose classes have lengths of capsules instead of probabilities
TEXT_KINDS = tuple(kind for kind, page in OF_KIND.items() if page != "smallnorb")


def page_file(folder: str) -> Path:
    """The script of the page in a folder."""
    return PAGES / folder / "page.py"


def page_of(name: str) -> Path:
    """The script of the page that shows a checkpoint."""
    return page_file(OF_KIND[runs.about(name).kind])
