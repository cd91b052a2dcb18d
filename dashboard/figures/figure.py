"""A figure: a table of numbers and the Vega-Lite sentence that draws it.

Written as Vega-Lite itself: building the same through Altair's classes takes longer than the
model does (30 ms a chart against 0.2). Altair checks every figure against the schema in the
tests, and writes the page that stands alone.
"""

from typing import Any, NamedTuple

import altair as alt
import pandas as pd

NO_NETWORK = {"actions": {"export": True, "source": False, "compiled": False, "editor": False}}


class Figure(NamedTuple):
    """data: one row a mark. spec: Vega-Lite without its data."""

    data: pd.DataFrame
    spec: dict[str, Any]

    def to_altair(self) -> alt.TopLevelMixin:
        """The same as an Altair chart; raises if the spec breaks Vega-Lite's schema."""
        return alt.Chart.from_dict(self.spec | {"data": {"values": self.data.to_dict("records")}})

    def to_html(self) -> str:
        """A page that stands alone, its libraries inside."""
        return self.to_altair().to_html(inline=True, embed_options=NO_NETWORK)


def iteration_param(n_iters: int) -> dict[str, Any]:
    """``iteration``, bound to a range input and at the last one first, so that a chart scrubs in the browser."""
    bind = {"input": "range", "min": 1, "max": n_iters, "step": 1, "name": "iteration "}
    return {"name": "iteration", "value": n_iters, "bind": bind}
