"""Colours and sizes of all figures, and the style of the pages."""

import base64
from collections.abc import Iterable
from itertools import count
from pathlib import Path

# Read once, because every run of every user sends them.
_HERE = Path(__file__).parent
ICON = f"data:image/svg+xml;base64,{base64.b64encode((_HERE / 'icon.svg').read_bytes()).decode()}"
STYLE = f"<style>{(_HERE / 'style.css').read_text(encoding='utf-8')}</style>"

# Cividis, from low to high: readable in grey and by the colour-blind.
SHARES = [
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
    "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838",
]  # fmt: skip
# ColorBrewer's PuOr reversed, purple below 0 and orange above: colour-blind people can distinguish them.
SIGNED = [
    "#542788", "#8073ac", "#b2abd2", "#d8daeb", "#f7f7f7",
    "#fee0b6", "#fdb863", "#e08214", "#b35806",
]  # fmt: skip
# Viridis without its ends, which vanish on a dark or a light page: for lines.
VIEWS = ["#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b"]
# CARTO's Safe: categories that colour-blind people can distinguish.
SERIES = [
    "#88ccee", "#cc6677", "#ddcc77", "#117733", "#332288", "#aa4499",
    "#44aa99", "#999933", "#882255", "#661100", "#888888",
]  # fmt: skip
TOYS = [SERIES[k] for k in (5, 6, 1, 0, 7)]  # colours of the first toy, the second, ..
FRAME = "#e4572e"
GREY = "#808a94"  # visible on a light page and on a dark one
TWO_RUNS = [GREY, "#3f86d0"]  # colours of A and B, the same as of their class bars
RANKINGS = {  # colour of each ranking of words
    "the picture's ranking": FRAME,
    "the network's other ranking": SERIES[6],
    "integrated gradients": SERIES[0],
    "drop-one": SERIES[2],
    "random": SERIES[5],
}
CELL = 32  # pixels, side of a heat map's cell
HEIGHT = 300  # pixels, height of a line chart with its legend and axis
MAX_LABEL = 18  # characters of a word on an axis


def make_unique(names: Iterable[str]) -> list[str]:
    """Append (2), (3), ... to repeated names."""
    taken: dict[str, None] = {}
    for name in names:
        numbered = (name + (f" ({k})" if k > 1 else "") for k in count(1))
        taken[next(free for free in numbered if free not in taken)] = None
    return list(taken)


def shorten(word: str, longest: int = MAX_LABEL) -> str:
    """The word, or its beginning and an ellipsis."""
    return word if len(word) <= longest else word[: longest - 1] + "…"
