"""The curves of trainings that are going on."""

from collections.abc import Mapping, Sequence

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import SERIES

HEIGHT, ENTRY = 160, 28  # pixels of the chart, and of each entry of its legend
FORMATS = {"train_loss": ".2f", "dev_accuracy": ".1%", "evenness": ".1%"}  # by quantity


def learning(curves: Mapping[str, Sequence[Mapping[str, float | None]]], quantity: str, names: Sequence[str]) -> Figure:
    """Draw a quantity after each evaluation, with one line per training.

    Args:
        curves: evaluations of each training by its name.
        quantity: key of ``FORMATS``; evaluations that lack it are left out.
        names: names of all trainings, in the order of their colours.
    """
    rows = [
        {"training": name, "evaluation": float(k), "value": evaluation[quantity]}
        for name, evaluations in curves.items()
        for k, evaluation in enumerate(evaluations, 1)
        if evaluation.get(quantity) is not None
    ]
    data = pd.DataFrame(rows, columns=["training", "evaluation", "value"]).astype({"value": float})
    number, n = {"format": FORMATS[quantity]}, max(map(len, curves.values()), default=1)
    ends = {"domain": [1, max(2, n)], "nice": False, "padding": 8}  # pixels, so that the last label is not cut
    # Vega would move the first and the last label inwards, away from their points.
    counted = {"grid": False, "format": "d", "tickMinStep": 1, "labelFlush": False}
    x = vega.quantitative("evaluation", title="epoch", scale=ends, axis=counted)
    y = vega.quantitative("value", title=None, scale={"zero": False, "nice": True}, axis=number | {"tickCount": 4})
    legend = vega.legend_of(names) if len(names) > 1 else None
    color = vega.nominal("training", title=None, scale={"domain": names, "range": SERIES[: len(names)]}, legend=legend)
    tips = [
        vega.nominal("training"),
        vega.quantitative("evaluation", title="epoch"),
        vega.quantitative("value", format=FORMATS[quantity]),
    ]
    line = {"type": "line", "point": True}
    height = HEIGHT + (ENTRY * len(names) if legend else 0)
    spec = {"params": [], "height": height, "layer": [vega.layer(line, x=x, y=y, color=color, tooltip=tips)]}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)
