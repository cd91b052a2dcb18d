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
        place = f"chart-{uuid4().hex}"
        draw = f"vegaEmbed({to_json('#' + place)}, {to_json(self.to_dict())}, {to_json(NO_NETWORK)});"
        return {"text/html": f'<div id="{place}"></div>\n<script>{library()}</script>\n<script>{draw}</script>'}


def together(titled: Mapping[str, Figure], chosen: Mapping[str, int] | None = None) -> Chart:
    """A sheet of figures as a chart, with the arguments of ``sheet``; raises if one breaks Vega-Lite's schema."""
    return Chart.from_dict(sheet(titled, chosen=chosen))
