"""A record of what a page draws, for its export menu."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import pandas as pd
import streamlit as st

from core.trace import Trace
from dashboard.components.scrubber import scrubber
from dashboard.figures.figure import Figure
from dashboard.figures.standalone import Part
from dashboard.runs.kept import replay
from dashboard.screen.inputs import count_click, pick_number
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import side_by_side

if TYPE_CHECKING:
    import plotly.graph_objects as go

P = ParamSpec("P")
# Streamlit moves the first and the last label of every axis inwards, and one pixel out again: rows lose their even
# distances, and the last number of an axis its last digit.
ON_SCREEN = {"axis": {"labelFlushOffset": -3}, "axisDiscrete": {"labelFlush": False}}


@dataclass
class Shown:
    """Draws figures and keeps them, with the tables behind them, for the export menu.

    Attributes:
        figures: by title, in the order in which they were drawn.
        tables: what makes each table, by title. Nothing is made before somebody wants to see it.
        in_space: figures in space by title.
        by_model: what was drawn of one of several models that stand side by side.
        sliders: the page's scrubbers.
        parts: what follows them beside the figures: the classes, the finding, the shaded text.
    """

    figures: dict[str, Figure] = field(default_factory=dict)
    in_space: dict[str, "go.Figure"] = field(default_factory=dict)
    tables: dict[str, Callable[[], pd.DataFrame]] = field(default_factory=dict)
    by_model: dict[str, "Shown"] = field(default_factory=dict)
    sliders: list[Part] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def of(self, trace: Trace) -> "Shown":
        """The record of what is drawn of this trace's model alone."""
        return self.by_model.setdefault(trace.model, Shown())

    def draw_scrubber(self, slider: Part) -> None:
        """Draw a slider that drives figures and parts."""
        self.sliders.append(slider)
        scrubber(slider)

    def add(self, part: Part) -> None:
        """Add a part that was drawn."""
        self.parts.append(part)

    def draw_heatmap(
        self,
        title: str,
        figure: Figure,
        key: str,
        alt: str | None = None,
        picks: dict[str, str] | None = None,
        opens: str | None = None,
    ) -> None:
        """Draw a heat map at its own width, without its title.

        Args:
            alt: for screen readers; the title unless given.
            picks: which input takes a clicked cell's column ("i") and row ("j").
            opens: the tab that a click opens; the open one stays unless given.
        """

        def pick() -> None:
            chosen = st.session_state[key].selection["cell"]
            if not chosen:
                return
            count_click()
            for index, name in (picks or {}).items():
                pick_number(int(chosen[0][index]), name)
            if opens:
                st.session_state.tab = opens

        self.figures[title] = figure
        select = {"on_select": pick, "selection_mode": "cell"} if picks else {}
        width = "stretch" if figure.spec.get("width") == "container" else "content"
        draw_figure(figure, key=key, width=width, alt=alt or title, **select)

    def draw_chart(self, title: str, figure: Figure, alt: str | None = None) -> None:
        """Draw a chart as wide as its column, without its title. alt: for screen readers; the title unless given."""
        self.figures[title] = figure
        draw_figure(figure, alt=alt or title)

    def draw_charts(self, titled: dict[str, Figure], columns: int) -> None:
        """Draw small charts in rows of so many, each under its title."""
        for k, (title, figure) in enumerate(titled.items()):
            if k % columns == 0:
                row = st.columns(columns)
            with row[k % columns]:
                st.markdown(f"**{escape(title)}**")
                self.draw_chart(title, figure)

    def draw_in_space(self, title: str, figure: "go.Figure", key: str, alt: str) -> None:
        """Draw a figure that can be turned, without its title. alt: for screen readers."""
        self.in_space[title] = figure
        st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False})

    def add_table(self, title: str, make: Callable[[], pd.DataFrame]) -> None:
        """Add a table, made when it is wanted."""
        self.tables[title] = make

    def include(self, other: "Shown") -> None:
        """Add what was recorded elsewhere."""
        self.figures |= other.figures
        self.in_space |= other.in_space
        self.tables |= other.tables

    def draw_tables(self, traces: list[Trace]) -> None:
        """Draw every table of each model; those that belong to no single model stand with the first."""
        for trace in side_by_side(traces):
            for title, make in self.tables_of(trace, traces).items():
                st.caption(title)
                st.dataframe(make(), hide_index=True, height=280)

    def tables_of(self, trace: Trace, traces: list[Trace]) -> dict[str, Callable[[], pd.DataFrame]]:
        """The tables of one of the traces; those that belong to no single model are the first one's."""
        return self.of(trace).tables | (self.tables if trace is traces[0] else {})

    def all_figures(self) -> dict[str, Figure]:
        """Every figure that was drawn, by title, those of models first.

        A title that figures of several models have names its model too.
        """
        counts = Counter(title for of_model in self.by_model.values() for title in of_model.figures)
        drawn: dict[str, Figure] = {}
        for name, of_model in self.by_model.items():
            named = {title: f"{title}, {name}" if counts[title] > 1 else title for title in of_model.figures}
            drawn |= {named[title]: figure for title, figure in of_model.figures.items()}
        return drawn | self.figures


def draw_figure(figure: Figure, **how: Any) -> Any:
    """Draw a figure so that no label on an axis leaves its place or the picture.

    Args:
        how: as ``st.vega_lite_chart`` takes it, and returns what it returns.
    """
    return st.vega_lite_chart(figure.data, figure.spec | {"config": ON_SCREEN}, **how)


def draw_once(section: Callable[Concatenate[Shown, P], None]) -> Callable[Concatenate[Shown, P], None]:
    """A section of measured values that is drawn for the first user, and sent as it is to all others.

    It may hold no input. What it draws depends on its arguments after ``shown`` alone, the stamp of the file that it
    reads among them.
    """

    @replay
    @wraps(section)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Shown:
        shown = Shown()
        section(shown, *args, **kwargs)
        return shown

    def draw(shown: Shown, *args: P.args, **kwargs: P.kwargs) -> None:
        shown.include(drawn(*args, **kwargs))

    return draw
