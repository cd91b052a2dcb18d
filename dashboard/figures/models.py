"""The accuracies of the checkpoints compared with their papers, and the history of a training."""

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, NOTE, PICKED, SERIES

ROW = 28  # pixels
LOWEST = 0.4  # accuracy at the left end, unless a checkpoint has a lower one
TRAIN, DEV = "training texts", "dev split"
NARROW = "containerSize()[0] < 640"  # on a phone
RIGHT = 1.14  # right end of the axis, which leaves room for sizes after 100%
RIGHT_END = {"expr": f"{NARROW} ? 1.02 : {RIGHT}"}
COLOURS = [*SERIES, GREY]
REMARK = {"type": "text", "fontSize": NOTE, "color": GREY, "cursor": "pointer"}
SIZE = "format(datum.parameters / 1e6, ',.1f') + ' M · ' + format(datum.megabytes, ',.1f') + ' MB'"
ONLY_WIDE = {"opacity": {"expr": f"{NARROW} ? 0 : 1"}}
LABEL = f"{NARROW} ? split(datum.label, ' · ') : datum.label"  # there in two lines
TIPS = {"ours": "measured here", "low": "95% interval, from", "high": "to", "paper": "the paper's"}
DASHED = {"type": "rule", "strokeWidth": 1, "strokeDash": [3, 3]}


def accuracies(table: pd.DataFrame, chosen: str) -> Figure:
    """Draw one row per checkpoint: our accuracy with its interval, and the paper's. A click picks a row.

    Args:
        table: table with the columns name, title, texts, ours, low, high, paper, stated, stated_low, stated_high,
            parameters and megabytes; NaN for unknown numbers. A stated accuracy, not measured here, has a hollow mark.
        chosen: name of the highlighted checkpoint.
    """
    lowest = min(LOWEST, *(float(table[column].min()) for column in ("low", "paper", "stated", "stated_low")))
    any_stated, any_interval = (bool(table[column].notna().any()) for column in ("stated", "stated_low"))
    ticks = [k / 10 for k in range(11) if k / 10 >= lowest]
    axis = {"format": ".0%", "orient": "top", "grid": True, "values": ticks, "domain": False, "ticks": False}
    tip_titles = TIPS | ({"stated": vega.STATED} if any_stated else {})
    scale = {"domainMin": lowest, "domainMax": RIGHT_END, "nice": False, "zero": False}
    x = {"scale": scale, "axis": axis, "title": None}
    titles = {"domain": table["title"].tolist()}
    y_axis = vega.ALL_LABELS | {"labelLimit": {"expr": f"{NARROW} ? 180 : 420"}, "labelExpr": LABEL, "labelPadding": 8}
    y = vega.nominal("title", scale=titles, title=None, axis=y_axis)
    texts = list(dict.fromkeys(table["texts"]))
    color = vega.nominal("texts", scale={"domain": texts, "range": COLOURS[: len(texts)]}, legend=None)
    tips = [
        vega.nominal("title", title="network"),
        vega.nominal("texts", title="trained on"),
        *(vega.quantitative(field, title=title, format=".1%") for field, title in tip_titles.items()),
        vega.quantitative("parameters", format=","),
    ]
    band = {"type": "bar", "color": GREY, "opacity": {"expr": "0.25"}, "height": {"band": 1}, "clip": True}
    only_chosen = [vega.keep("datum.name == chosen")]
    everywhere = {"x": {"datum": lowest, "type": "quantitative", **x}, "x2": {"datum": RIGHT}, "y": y}
    dot, diamond = {"type": "circle", "size": 110, "opacity": 1}, {"type": "point", "shape": "diamond", "size": 90}
    layers = [
        vega.layer(band, only_chosen, **everywhere),
        # A band under the marks, so that a click anywhere in a row picks it.
        {"name": "rows", **vega.layer({"type": "bar", "opacity": 0, "height": {"band": 1}, "cursor": "pointer"},
                                      **everywhere, tooltip=tips)},
        vega.layer({"type": "rule", "strokeWidth": 3}, x=vega.quantitative("low", **x), x2={"field": "high"}, y=y,
                   color=color),
        vega.layer(dot | {"cursor": "pointer"}, x=vega.quantitative("ours", **x), y=y, color=color, tooltip=tips),
        # No empty layers, because a screen reader names every layer.
        *[vega.layer(DASHED, x=vega.quantitative("stated_low", **x), x2={"field": "stated_high"}, y=y,
                     color=color)] * any_interval,
        *[vega.layer(vega.HOLLOW | {"size": 90, "cursor": "pointer"}, x=vega.quantitative("stated", **x), y=y,
                     color=color, tooltip=tips)] * any_stated,
        vega.layer(diamond | {"color": PICKED, "strokeWidth": 2, "cursor": "pointer"},
                   x=vega.quantitative("paper", **x), y=y, tooltip=tips),
        vega.layer(REMARK | {"align": "left", "dx": 4}, [vega.keep("datum.ours == null && datum.stated == null")],
                   x=everywhere["x"], y=y, text={"value": "not measured here"}),
        vega.layer(REMARK | {"align": "right", "dx": -6} | ONLY_WIDE, [vega.calculate(SIZE, "size")],
                   x={"datum": RIGHT, **x}, y=y, text=vega.nominal("size")),
    ]  # fmt: skip
    pick = {"name": "cell", "select": {"type": "point", "fields": ["name"], "toggle": False}, "views": ["rows"]}
    spec = {
        "params": [pick, {"name": "chosen", "value": chosen}],
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": {"step": ROW},
        "layer": layers,
    }
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)


def history(table: pd.DataFrame, quantity: str) -> Figure:
    """Draw loss or accuracy over the steps of a training, on the training texts and on the dev split.

    Args:
        table: one row per evaluation, with the columns step, train_loss, dev_loss, train_accuracy and dev_accuracy.
        quantity: "loss" or "accuracy".
    """
    series = {f"train_{quantity}": TRAIN, f"dev_{quantity}": DEV}
    data = table.melt("step", list(series), "series", "value").assign(series=lambda rows: rows["series"].map(series))
    scale = {"domain": [TRAIN, DEV], "range": [GREY, SERIES[0]]}
    best = table.loc[table["dev_accuracy"].idxmax(), "step"]
    number = {"format": ".1%"} if quantity == "accuracy" else {"format": ".2f"}
    x = vega.quantitative("step", title="training step", axis={"grid": False, "format": ",d", "tickCount": 6})
    y = vega.quantitative("value", title=quantity, scale={"zero": False, "nice": True}, axis=number)
    tips = [vega.nominal("series"), vega.quantitative("step", format=",d"), vega.quantitative("value", **number)]
    color = vega.nominal("series", title=None, scale=scale, legend=vega.legend_of([TRAIN, DEV]))
    rule = {"data": {"values": [{"step": float(best)}]}, **vega.layer(vega.CURRENT, x=vega.quantitative("step"))}
    line = {"type": "line", "point": True}
    spec = {"params": [], "height": 220, "layer": [vega.layer(line, x=x, y=y, color=color, tooltip=tips), rule]}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)
