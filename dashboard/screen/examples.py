"""Example texts, written for this program, for networks of several pages."""

from collections.abc import Mapping

from core.datasets import CORPORA, corpus_of


def texts_for(corpus: str) -> tuple[Mapping[str, str], str]:
    """Example texts by name for a network trained on this corpus, and the key that tells them from other examples."""
    own = corpus_of(corpus)
    record = own if own and own.examples else CORPORA["ag_news"]
    return record.examples, record.one
