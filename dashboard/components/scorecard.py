"""A table of replies to questions, with a sentence at the end of each row."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from dashboard.components.component import Component

_scorecard = Component("scorecard", follows=False)


@dataclass(frozen=True)
class ReplyCell:
    """A reply to a question.

    Args:
        reply: "yes", "partly", "no" or "not tested".
        small: numbers behind it, in small print.
    """

    reply: str
    small: str


@dataclass(frozen=True)
class ScorecardRow:
    """A row: its subject, such as a routing, and the replies on it.

    Args:
        name: name of the subject.
        small: remark below the name, in small print.
        replies: one reply per question.
        sentence: sentence that these replies allow.
    """

    name: str
    small: str
    replies: Sequence[ReplyCell]
    sentence: str


def scorecard(key: str, first: str, questions: Sequence[str], say: str, rows: Sequence[ScorecardRow]) -> None:
    """Draw a scorecard.

    Args:
        key: key of the component.
        first, say: titles of the first and of the last column.
        questions: titles of the columns between them.
        rows: rows from top to bottom.
    """
    data = {"first": first, "questions": list(questions), "say": say, "rows": [asdict(row) for row in rows]}
    _scorecard(key=key, data=data)
