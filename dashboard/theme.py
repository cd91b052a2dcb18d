"""The one table of colours and sizes: of figures, components and styles, on a light page and on a dark one.

CSS and the browser's own drawing use a colour by its name, ``var(--rs-picked)``, which follows the page's theme. Files
have no page around them: ``paint`` gives them the light colours.
"""

import base64
import json
import re
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

Pair = tuple[str, str]  # the colour on a light page and on a dark one
COLOURS: dict[str, Pair] = {
    "page": ("#ffffff", "#12161c"),
    "panel": ("#f1f4f8", "#1d242e"),
    "ink": ("#16202c", "#eef2f7"),
    "soft": ("#4b5866", "#b4bfcb"),  # text that is read second
    "line": ("#d5dbe3", "#333c48"),  # borders, which carry no meaning
    "accent": ("#00508c", "#8fc1ff"),
    "shadow": ("#000000", "#000000"),
    "picked": ("#d63f10", "#ff7a45"),
    "before": ("#697380", "#98a3af"),  # and whatever else is not the subject: random orders, the other texts
    "for": ("#d67c1c", "#a25a10"),  # the ends of the diverging ramp
    "against": ("#9876d1", "#7a58ba"),
    # Ordered classes, from very negative to very positive.
    "class-0": ("#a3142a", "#e0495c"),
    "class-1": ("#de6a57", "#f5a79a"),
    "class-2": ("#697380", "#98a3af"),
    "class-3": ("#3f8fd6", "#93c5fd"),
    "class-4": ("#1c4f9c", "#4a8ae0"),
    # Categories, which differ in hue and in lightness for the colour-blind. The page's colour is readable on each.
    "series-0": ("#2171b5", "#5aa9f5"),
    "series-1": ("#00574b", "#8ff0d8"),
    "series-2": ("#a81c66", "#ff8fc4"),
    "series-3": ("#7a7000", "#d8c93f"),
    "series-4": ("#43269b", "#9d84f0"),
    "series-5": ("#5e2f14", "#c79a6b"),
    "series-6": ("#0d7f95", "#37bccc"),
    "series-7": ("#16294f", "#e6ebf2"),
    # Capsules, wherever a hue stands for one: none is a class's, or what is picked.
    "capsule-0": ("#5b36a8", "#c08af9"),
    "capsule-1": ("#00817c", "#4fe0e0"),
    "capsule-2": ("#857000", "#d8b54a"),
    "capsule-3": ("#8a1550", "#e88bb4"),
    "capsule-4": ("#1c562c", "#9de89f"),
}
LIGHT_SHARES = [
    "#ffffff", "#eaf2fc", "#d5e6f9", "#c0d9f5", "#abccf1",
    "#96bfed", "#81b2e9", "#6ca5e5", "#5598e0", "#3d8bdb",
]  # fmt: skip
DARK_SHARES = [
    "#12161c", "#17202c", "#1c2a3c", "#20344d", "#253f5f",
    "#294a71", "#2d5584", "#326098", "#366cac", "#3a78c0",
]  # fmt: skip
LIGHT_SIGNED = [
    "#9876d1", "#b39cdf", "#d2c5ee", "#ebe6f8", "#fcfbfe",
    "#fefbf9", "#fae8da", "#f1c9a9", "#e4a26a", "#d67c1c",
]  # fmt: skip
DARK_SIGNED = [
    "#7a58ba", "#5a458a", "#3a3159", "#232235", "#151820",
    "#16181d", "#2a2220", "#4a3222", "#76471f", "#a25a10",
]  # fmt: skip
# The other ramp: readable in grey and by the colour-blind.
CIVIDIS = [
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
    "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838",
]  # fmt: skip
FOR_AND_AGAINST = ("for", "against")  # names of the ends of the diverging ramp
INK_TURNS = 0.47  # position on the ramp above which text has the colour on-high, and below on-low
PALETTES: dict[str, dict[str, Pair]] = {  # ramps of shares, and the text on them
    "Blue": {f"share-{k}": pair for k, pair in enumerate(zip(LIGHT_SHARES, DARK_SHARES, strict=True))}
    | dict.fromkeys(("on-low", "on-high"), (COLOURS["ink"][0], "#ffffff")),
    "Cividis": {f"share-{k}": (step, step) for k, step in enumerate(CIVIDIS)}
    | {"on-low": ("#ffffff", "#ffffff"), "on-high": ("#000000", "#000000")},
}

# Vega's names for ranges. Each drawing gives them colours: the browser by the page's theme, files by ``RANGES``.
SHARES, SIGNED = "ramp", "diverging"
RANGES = {"ramp": LIGHT_SHARES, "heatmap": LIGHT_SHARES, "diverging": LIGHT_SIGNED}


def colour(name: str) -> str:
    """A colour of the table as CSS."""
    return f"var(--rs-{name})"


def on_any_page(name: str) -> str:
    """A colour of the table that is visible on a light page and on a dark one, for drawings that know no names."""
    return COLOURS[name][0]


PICKED, GREY, INK, PAGE = (colour(name) for name in ("picked", "before", "ink", "page"))
SERIES = [colour(f"series-{k}") for k in range(8)]
ORDERED = dict(
    zip(
        ("very negative", "negative", "neutral", "positive", "very positive"),
        [colour(f"class-{k}") for k in range(5)],
        strict=True,
    )
)
# Visible on a light page and on a dark one, as Plotly does not know the colours by their names. Views in their order:
VIEWS = ["#7a5fd0", "#4f70d0", "#2f80c0", "#208aa5", "#1f9180", "#3c9560", "#6b9440"]
# Directions all the way round: the colour of 360 degrees is that of 0.
DIRECTIONS = [
    "#c86265", "#c36c36", "#af7c00", "#8b8c14", "#58994a", "#009f7a",
    "#009ca5", "#0093c5", "#5685d4", "#8677ce", "#a86ab6", "#bf6291", "#c86265",
]  # fmt: skip
TOYS = ["#d0508f", "#1f9180", "#8c8420", "#3f86d0", "#a0703c"]  # the first toy, the second, .., also in space
RANKINGS = {  # colour of each ranking of words
    "the picture's ranking": PICKED,
    "the network's other ranking": SERIES[1],
    "integrated gradients": SERIES[0],
    "each one alone": SERIES[3],
    "random": GREY,
}

TWO_RUNS = [SERIES[2], SERIES[0]]  # the first and the second of two runs

TEXT = (22, 16, 14, 12)  # pixels, sizes of text: findings, text, labels, notes
FINDING, BODY, LABEL, NOTE = TEXT
ICON_SIZE, GRID = 20, 8  # pixels
CELL = 32  # pixels, side of a heat map's cell
HEIGHT = 300  # pixels, height of a line chart with its legend and axis
MAX_LABEL = 18  # characters of a word on an axis


def class_colors(classes: Sequence[str]) -> list[str]:
    """The colour of each class: from red through grey to blue if the classes are ordered, otherwise categories."""
    if all(name in ORDERED for name in classes):
        return [ORDERED[name] for name in classes]
    return [SERIES[k % len(SERIES)] for k in range(len(classes))]


def css_variables(palette: str = "Blue") -> str:
    """The table as custom properties of CSS, which follow the theme of the page.

    Args:
        palette: key of ``PALETTES``.
    """
    table = COLOURS | PALETTES[palette]
    lines = [f"--rs-{name}: light-dark({light}, {dark});" for name, (light, dark) in table.items()]
    lines += [f"--rs-text-{k}: {size / 16}rem;" for k, size in enumerate(TEXT, 1)]
    return f":root {{ {' '.join([*lines, f'--rs-icon: {ICON_SIZE / 16}rem; --rs-grid: {GRID}px;'])} }}"


def paint_text(text: str, dark: bool = False) -> str:
    """Replace the names of colours in a text, such as an SVG, by the colours themselves."""
    table = COLOURS | PALETTES["Blue"]
    return re.sub(
        r"var\(--rs-([a-z0-9-]+)\)", lambda found: table[found[1]][dark] if found[1] in table else found[0], text
    )


def paint(drawing: Any, dark: bool = False) -> Any:
    """As ``paint_text``, for a figure made of dictionaries and lists."""
    return json.loads(paint_text(json.dumps(drawing), dark))


# Read once, because every run of every user sends them.
_HERE = Path(__file__).parent
ICON = f"data:image/svg+xml;base64,{base64.b64encode((_HERE / 'icon.svg').read_bytes()).decode()}"
CSS = (_HERE / "style.css").read_text(encoding="utf-8")
LARGE_STYLE = "<style>html { font-size: 24px; }</style>"
STYLE = {palette: f"<style>{css_variables(palette)}\n{CSS}</style>" for palette in PALETTES}


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
