"""Colours and sizes that every figure shares."""

import base64
from pathlib import Path

from plotly.colors import diverging, qualitative, sequential

# Read once: every run of every user sends them.
_HERE = Path(__file__).parent
ICON = f"data:image/svg+xml;base64,{base64.b64encode((_HERE / 'icon.svg').read_bytes()).decode()}"
STYLE = f"<style>{(_HERE / 'style.css').read_text(encoding='utf-8')}</style>"

SHARES = sequential.Cividis  # ten stops from low to high, readable in grey and by the colour-blind
SIGNED = diverging.PuOr[-2:0:-1]  # purple below 0, orange above: told apart by the colour-blind
VIEWS = sequential.Viridis[2:9]  # lines, so without the ends that vanish on a dark or a light page
SERIES = qualitative.Safe
FRAME = "#e4572e"
GREY = "#808a94"  # on a light page and on a dark one
CELL = 32  # pixels, side of a heat map's cell
HEIGHT = 300  # pixels, of a line chart with its legend and axis
LONGEST_LABEL = 18  # characters of a word on an axis


def shorten(word: str, most: int = LONGEST_LABEL) -> str:
    """The word, or its beginning and an ellipsis."""
    return word if len(word) <= most else word[: most - 1] + "…"
