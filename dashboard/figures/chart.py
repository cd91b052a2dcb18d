"""Figures as an Altair chart for notebooks. Importing Altair takes a third of a second."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import altair as alt

from dashboard.figures.figure import Figure
from dashboard.figures.sheet import sheet
from dashboard.figures.standalone import NO_NETWORK, library, to_json


class Chart(alt.VConcatChart):
    """A chart that a notebook can show offline: the cell's output holds the library that draws it."""

    def _repr_mimebundle_(self, *args: Any, **kwds: Any) -> dict[str, str]:
        element = f"chart-{uuid4().hex}"  # a new name each time, as a notebook may show the chart twice
        draw = f"vegaEmbed({to_json('#' + element)}, {to_json(self.to_dict())}, {to_json(NO_NETWORK)});"
        return {"text/html": f'<div id="{element}"></div>\n<script>{library()}</script>\n<script>{draw}</script>'}


def sheet_as_chart(titled: Mapping[str, Figure], chosen: Mapping[str, int] | None = None) -> Chart:
    """A sheet of figures as one chart. Arguments as in ``sheet``; raises if a figure breaks Vega-Lite's schema."""
    return Chart.from_dict(sheet(titled, chosen=chosen))
