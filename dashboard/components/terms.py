"""Words that open their explanation."""

from collections.abc import Sequence

from dashboard.components.component import Component

_terms = Component("terms", follows=False)


def words_that_explain(key: str, terms: Sequence[dict[str, str]], lead: str = "") -> None:
    """Draw a line of words, each of which opens its explanation.

    Args:
        key: key of the component.
        terms: for each word, its "name", its "symbol" or "", and the sentence that it "says".
        lead: text before the words.
    """
    _terms(key=key, data={"terms": list(terms), "lead": lead})
