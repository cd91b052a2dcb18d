"""Colours and sizes that every figure shares."""

from plotly.colors import qualitative, sequential

SHARES = sequential.Cividis  # ten stops from low to high, readable in grey and by the colour-blind
SERIES = qualitative.Safe
FRAME = "#e4572e"
CELL = 32  # pixels, side of a heat map's cell
HEIGHT = 300  # pixels, of a line chart with its legend and axis
LONGEST_LABEL = 18  # characters of a word on an axis


def shorten(word: str, most: int = LONGEST_LABEL) -> str:
    """The word, or its beginning and an ellipsis."""
    return word if len(word) <= most else word[: most - 1] + "…"
