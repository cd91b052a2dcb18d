"""The components that each window wins, as a surface that can be rotated.

Plotly is imported when the surface is drawn, because it is slow to import and only one tab needs it.
"""

import math
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from dashboard.theme import on_any_page, shorten

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 560  # pixels
NO_SPACE = "\u200b"  # a character without width, which breaks tags of markup
MAX_LABELS = 40  # words for which an axis has room
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)  # ticks of the colour scale within its domain


def wins_surface(wins: np.ndarray, tokens: list[str], n_components: int) -> "go.Figure":
    """Draw the components won as height over positions and windows, coloured as in ``wins_heatmap``.

    Args:
        wins: components won by the window of size t that ends at word i, [t, i].
        tokens: words. They are escaped, because Plotly reads texts as markup.
        n_components: size of the pooled vector.
    """
    import plotly.graph_objects as go

    n_windows, n_words = wins.shape
    words = [escape(token) for token in tokens]
    highest = max(1, int(wins.max()))
    surface = go.Surface(
        x=np.arange(n_words),
        y=np.arange(1, n_windows + 1),
        z=wins,
        surfacecolor=np.sqrt(wins),
        cmin=0,
        cmax=math.sqrt(highest),
        colorbar=_colour_bar(highest),
        customdata=[words] * n_windows,
        hovertemplate=f"window %{{y}}, ends at “%{{customdata}}”<br>wins %{{z}} of {n_components}<extra></extra>",
        contours={"y": {"show": True, "start": 1, "end": n_windows, "size": 1, "color": on_any_page("before")}},
    )
    figure = go.Figure(surface)
    step = math.ceil(n_words / MAX_LABELS)
    labels = [shorten(token).replace("<", f"<{NO_SPACE}") for token in tokens[::step]]  # axes read tags, not entities
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 0, "r": 0, "t": 0, "b": 60},
        scene={
            "xaxis": {
                "title": "word at which the window ends",
                "tickvals": list(range(0, n_words, step)),
                "ticktext": labels,
            },
            "yaxis": {"title": "window, words"},
            "zaxis": {"title": "components won", "range": [0, highest]},
            "aspectratio": {"x": 1.6, "y": 1.2, "z": 0.6},
            "camera": {"eye": {"x": 0.55, "y": -2.0, "z": 1.1}, "center": {"z": -0.2}},
        },
    )
    return figure


def _colour_bar(highest: int) -> dict:
    """The legend, labelled with numbers of components, although the colour is their square root."""
    ticks = [n for n in TICKS if n < 0.7 * highest] + [highest]  # 0.7 keeps the last two labels from touching
    place = {"orientation": "h", "x": 0.5, "y": 0, "yanchor": "top", "len": 0.6, "thickness": 10}
    title = {"text": "components won (square-root scale)", "side": "top"}
    return {"title": title, "tickvals": [math.sqrt(n) for n in ticks], "ticktext": [str(n) for n in ticks], **place}
