"""A record of what a page draws, for its export menu."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec

import pandas as pd
import streamlit as st

from core.provenance.record import DrawnArray
from core.trace import Trace
from dashboard.components.scrubber import scrubber
from dashboard.figures.figure import Figure
from dashboard.figures.standalone import DrawnComponent
from dashboard.figures.vega import TEXT
from dashboard.runs import checkpoints
from dashboard.runs.kept import replay
from dashboard.screen.inputs import count_click, pick_number
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import side_by_side
from dashboard.screen.palette import palette, ranges
from dashboard.screen.unit_link import name_rows
from dashboard.theme import CELL, GRID, NOTE

if TYPE_CHECKING:
    import plotly.graph_objects as go

P = ParamSpec("P")
# Streamlit leaves much room around everything, and moves the first and the last label of every axis inwards, so that
# rows lose their even distances.
ON_SCREEN = {
    "axis": {"labelFlush": False, "labelPadding": GRID, "titlePadding": GRID, **TEXT},
    "axisXQuantitative": {"labelFlush": True, "labelFlushOffset": -2},  # otherwise the last number is cut
    "legend": {"labelPadding": GRID, **TEXT},
    "padding": {"left": 0, "top": 0, "right": GRID, "bottom": GRID // 2},
    "text": {"fontSize": NOTE},
}


ROW_NAMES = 64  # pixels for the names of the rows of a heat map


class Picture(NamedTuple):
    """A picture to export.

    Attributes:
        titles: titles of its figures.
        says: sentences for its caption.
    """

    titles: list[str]
    says: str


@dataclass
class Shown:
    """Draws figures, and records them and their tables for the export menu.

    Attributes:
        figures: figures by title, in the order of drawing.
        tables: functions that make tables, by title. They are called only when a user wants the table.
        in_space: figures in space by title.
        by_model: records of single models that are side by side.
        sliders: scrubbers of the page.
        parts: other followers of the scrubbers: the classes, the finding, the shaded text.
        cuts: effects of cuts that are drawn, for the record of the files.
        pictures: pictures of which the user exports one, by name; the first figure if empty.
    """

    figures: dict[str, Figure] = field(default_factory=dict)
    in_space: dict[str, "go.Figure"] = field(default_factory=dict)
    tables: dict[str, Callable[[], pd.DataFrame]] = field(default_factory=dict)
    by_model: dict[str, "Shown"] = field(default_factory=dict)
    sliders: list[DrawnComponent] = field(default_factory=list)
    parts: list[DrawnComponent] = field(default_factory=list)
    cuts: list[DrawnArray] = field(default_factory=list)
    pictures: dict[str, Picture] = field(default_factory=dict)

    def of(self, trace: Trace) -> "Shown":
        """The record of this trace's model."""
        return self.by_model.setdefault(trace.model, Shown())

    def draw_scrubber(self, slider: DrawnComponent, on_step: Callable[[int], None] | None = None) -> None:
        """Draw and record a slider that drives figures and parts. on_step: as for ``scrubber``."""
        self.sliders.append(slider)
        scrubber(slider, on_step)

    def add(self, part: DrawnComponent) -> None:
        """Record a part that was drawn."""
        self.parts.append(part)

    def draw_heatmap(
        self,
        title: str,
        figure: Figure,
        key: str,
        alt: str | None = None,
        picks: dict[str, str] | None = None,
    ) -> None:
        """Draw a heat map at its own width, without its title.

        Args:
            title: title in the export menu.
            figure: heat map.
            key: key of the chart.
            alt: description for screen readers; the title if None.
            picks: keys of the inputs for a clicked cell's column ("i") and row ("j").
        """

        def pick() -> None:
            chosen = st.session_state[key].selection["cell"]
            if not chosen:
                return
            count_click()
            for index, name in (picks or {}).items():
                pick_number(int(chosen[0][index]), name)

        self.figures[title] = figure
        select = {"on_select": pick, "selection_mode": "cell"} if picks else {}
        width = "stretch" if figure.spec.get("width") == "container" else "content"
        if figure.n_columns:
            _keep_cells_wide(key, figure.n_columns)
        draw_figure(figure, key=key, width=width, alt=alt or title, **select)

    def draw_chart(self, title: str, figure: Figure, alt: str | None = None) -> None:
        """Draw a chart as wide as its column, without its title. alt: description for screen readers."""
        self.figures[title] = figure
        draw_figure(figure, alt=alt or title)

    def draw_charts(self, titled: dict[str, Figure], columns: int) -> None:
        """Draw small charts under their titles, ``columns`` charts per row."""
        for k, (title, figure) in enumerate(titled.items()):
            if k % columns == 0:
                row = st.columns(columns)
            with row[k % columns]:
                st.markdown(f"**{escape(title)}**")
                self.draw_chart(title, figure)

    def draw_in_space(self, title: str, figure: "go.Figure", key: str, alt: str) -> None:
        """Draw a figure that can be rotated, without its title. alt: description for screen readers."""
        self.in_space[title] = figure
        st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False})

    def add_table(self, title: str, make: Callable[[], pd.DataFrame]) -> None:
        """Record a table. make: function that makes it when a user wants it."""
        self.tables[title] = make

    def include(self, other: "Shown") -> None:
        """Add the figures and tables of another record."""
        self.figures |= other.figures
        self.in_space |= other.in_space
        self.tables |= other.tables

    def draw_tables(self, traces: list[Trace]) -> None:
        """Draw every table of each model; those that belong to no single model are with the first one's."""
        for trace in side_by_side(traces):
            for title, make in self.tables_of(trace, traces).items():
                st.caption(title)
                st.dataframe(make(), hide_index=True, height=280)

    def tables_of(self, trace: Trace, traces: list[Trace]) -> dict[str, Callable[[], pd.DataFrame]]:
        """The tables of one of the traces; those that belong to no single model are with the first one's.

        Next to the number of a unit they have its name.
        """
        tables = self.of(trace).tables | (self.tables if trace is traces[0] else {})
        return {title: partial(_named, make, trace.model) for title, make in tables.items()}

    def all_figures(self) -> dict[str, Figure]:
        """All recorded figures by title. Figures of single models come first.

        A title that several models have includes the model's title.
        """
        networks = checkpoints.titles()
        counts = Counter(title for record in self.by_model.values() for title in record.figures)
        drawn: dict[str, Figure] = {}
        for name, record in self.by_model.items():
            named = {
                title: f"{title}, {networks.get(name, name)}" if counts[title] > 1 else title
                for title in record.figures
            }
            drawn |= {named[title]: figure for title, figure in record.figures.items()}
        return drawn | self.figures


def _named(make: Callable[[], pd.DataFrame], name: str) -> pd.DataFrame:
    """The table, with the names of a network's units next to their numbers."""
    return name_rows(make(), name)


def draw_figure(figure: Figure, **options: Any) -> Any:
    """Draw a figure with unmoved, complete labels on its axes.

    Args:
        figure: figure to draw.
        options: other arguments of ``st.vega_lite_chart``, whose result is returned.
    """
    config = ON_SCREEN | ranges(palette())
    return st.vega_lite_chart(figure.data, figure.spec | {"config": config}, **options)


def _keep_cells_wide(key: str, n_columns: int) -> None:
    """Tell the styles how wide a chart's picture is at least on a phone, where it scrolls."""
    name = re.sub("[^a-zA-Z0-9_-]", "-", key.strip())  # as Streamlit makes the class of a key
    st.html(f"<style>.st-key-{name} {{ --rs-least-width: {CELL * n_columns + ROW_NAMES}px; }}</style>")


def draw_once(section: Callable[Concatenate[Shown, P], None]) -> Callable[Concatenate[Shown, P], None]:
    """Decorate a section with measured values, so that it is drawn once and replayed for all other users.

    The section must not draw inputs. It may depend only on its arguments after ``shown``, one of which is the stamp of
    the file that it reads.
    """

    @replay
    @wraps(section)
    def drawn(colours: str, *args: P.args, **kwargs: P.kwargs) -> Shown:
        shown = Shown()
        section(shown, *args, **kwargs)
        return shown

    def draw(shown: Shown, *args: P.args, **kwargs: P.kwargs) -> None:
        shown.include(drawn(palette(), *args, **kwargs))

    return draw
