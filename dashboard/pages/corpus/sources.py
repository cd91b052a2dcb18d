"""The choice of texts: a test split, or a user's file."""

from collections.abc import Callable

import streamlit as st

from core.datasets import corpus_of
from dashboard.jobs import corpus
from dashboard.pages.corpus.texts import FILE, PRIVATE, SPLIT
from dashboard.runs import checkpoints, sources
from dashboard.runs.sources import Source
from dashboard.screen.inputs import BARE, choose_option
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.network_menu import choose_network
from dashboard.sessions.uploads import read_upload

NONE, NO_SECOND = "none", "No second model"
MAX_MEGABYTES = 20  # largest size of a file
# Names of columns that probably hold the true classes.
LIKELY_TRUTH = ("label", "class", "truth", "sentiment", "category", "target")


def choose_source(name: str) -> Callable[[], Source] | None:
    """Let the user choose texts, and return a function that reads them; None until they have chosen.

    Args:
        name: name of the checkpoint.
    """
    about = checkpoints.about(name)
    known_corpus = corpus_of(about.corpus)
    kind = choose_option([SPLIT, FILE] if known_corpus else [FILE], "Texts", "texts")
    if kind == FILE or known_corpus is None:
        return _choose_file(name)
    title = known_corpus.title_in(len(about.classes))
    if not sources.has_test_split(name):
        help = f"Choose “{FILE}”, or ask whoever runs the server."
        st.caption(escape(f"{title} is not on this server."), help=help, width="content")
        return None
    st.caption(escape(f"{title}, official test split"), width="content")
    return lambda: sources.read_test_split(name)


def _choose_file(name: str) -> Callable[[], Source] | None:
    """Let the user upload a file and choose its columns."""
    how = {"help": PRIVATE, "width": 300, "max_upload_size": MAX_MEGABYTES}
    upload = st.file_uploader("Your file", key="upload", **how)  # accepts any type, and explains what is wrong
    if upload is None:
        return None
    try:
        path = corpus.workspace().upload.keep(upload.file_id, upload.name, read_upload(upload, MAX_MEGABYTES))
        columns = sources.column_names(path)
        if not columns:
            raise ValueError(f"{path.name} has no column.")
        likely = columns.index(sources.likely_column(path, columns))
    except (ValueError, OSError) as error:
        st.error(escape_error(error), icon=":material/error:")
        return None
    column = st.selectbox("Column of the texts", columns, likely, width=180)
    others = [NONE, *(other for other in columns if other != column)]
    first = next((k for k, other in enumerate(others) if other.lower() in LIKELY_TRUTH), 0)
    truth = st.selectbox("Column of the true classes", others, first, width=200)
    classes = checkpoints.about(name).classes
    chosen = columns[0] if column is None else column
    return lambda: sources.read_file(path, chosen, None if truth in (NONE, None) else truth, classes)


def choose_second(name: str) -> list[str]:
    """Let the user choose a second network, and return a list with its name; the list is empty without one."""
    second = choose_network("Second model", sources.same_classes(name), "second", NO_SECOND, width=360, **BARE)
    return [second] if second else []
