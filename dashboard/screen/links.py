"""The scripts of the pages, and the page of each checkpoint."""

from pathlib import Path

from dashboard.runs import checkpoints

PAGES = Path(__file__).parents[1] / "pages"  # not next to the main script, where Streamlit would list it itself


def page_file(folder: str) -> Path:
    """The script of the page in a folder."""
    return PAGES / folder / "page.py"


def page_of(name: str) -> Path:
    """The script of the page that shows a checkpoint."""
    return page_file(checkpoints.record_of(name).page)
