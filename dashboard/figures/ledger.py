"""The number of each paper's claims with each verdict: one row per paper, one bar per verdict."""

from collections.abc import Mapping

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, INK, PAGE, SERIES

ROW = 30  # pixels
# One per verdict: reproduced, does not hold, inconclusive, other conditions, not measured.
COLOURS = [SERIES[0], SERIES[2], SERIES[3], SERIES[4], GREY]
ALL = "all"


def verdicts(counts: pd.DataFrame, papers: Mapping[str, str], order: list[str], paper: str, verdict: str) -> Figure:
    """Draw one row per paper, with one bar per verdict as long as its number of claims. A click picks a bar.

    Args:
        counts: table with the columns paper, verdict and claims.
        papers: name of each paper, from top to bottom.
        order: verdicts from left to right.
        paper, verdict: chosen paper and verdict, or "all"; the others are faint.
    """
    data = counts.assign(place=counts["verdict"].map(order.index), name=counts["paper"].map(papers))
    chosen = " && ".join(
        f"datum.{field} == '{value}'" for field, value in (("paper", paper), ("verdict", verdict)) if value != ALL
    )
    names = {
        "scale": {"domain": list(papers.values())},
        "axis": vega.ALL_LABELS | {"labelPadding": 8, "labelLimit": 200},
    }
    y = vega.nominal("name", title=None, **names)
    x = {"stack": "zero", "title": "claims", "axis": {"grid": False, "tickMinStep": 1, "tickCount": 6}}
    legend = vega.legend_of(order, symbolType="square")
    color = vega.nominal("verdict", scale={"domain": order, "range": COLOURS}, legend=legend)
    shared = {"y": y, "order": vega.quantitative("place"), "detail": [vega.nominal("verdict"), vega.nominal("paper")]}
    tips = [vega.nominal("name", title="paper"), vega.nominal("verdict"), vega.quantitative("claims")]
    bar = {"type": "bar", "cursor": "pointer", "height": {"band": 0.8}}
    opacity = vega.where(chosen or "true", 1, 0.3)
    number = {"text": vega.quantitative("claims"), "color": vega.where(chosen or "true", PAGE, INK)}
    text = {"type": "text", "fontWeight": "bold"}
    layers = [
        {
            "name": "bars",
            **vega.layer(bar, x=vega.quantitative("claims", **x), color=color, opacity=opacity, tooltip=tips, **shared),
        },
        vega.layer(text, x=vega.quantitative("claims", bandPosition=0.5, **x), **number, **shared),
    ]
    select = {"type": "point", "fields": ["paper", "verdict"], "toggle": False}
    spec = {
        "params": [{"name": "cell", "select": select, "views": ["bars"]}],
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": {"step": ROW},
        "layer": layers,
    }
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)
