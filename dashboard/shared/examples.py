"""Example texts, written for this program, for networks of several pages."""

from collections.abc import Mapping

from dashboard import runs


def texts_for(corpus: str) -> tuple[Mapping[str, str], str]:
    """Example texts by name for a network trained on this corpus, and the key that tells them from other examples."""
    own = runs.corpus_of(corpus)
    record = own if own and own.examples else runs.CORPORA["ag_news"]
    return record.examples, record.one
