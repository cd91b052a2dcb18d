"""The widget of a trace for notebooks, which needs anywidget."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from dashboard.components.notebook import page, static, view_of

NO_ORIGIN = "This trace takes no edits, because it is a copy or comes from a file. Explain the text again."
NO_EDITS_OF_PICTURES = "A widget edits runs of texts. Give the edits of a pair of pictures to explain."


class TraceWidget(anywidget.AnyWidget):
    """A trace with its scrubber, shaded text, classes, and the numbers of a picked cell.

    Attributes:
        trace: trace of the run on the screen, a trait that can be observed.
        picked: indices of the picked cell by unit, from 0, and the step, from 1, as in
            {"word": 2, "capsule": 0, "iteration": 3}; empty until a user has picked one. It can be set.
    """

    _esm = f"const PAGE = {json.dumps(page())};\n{Path(__file__).with_suffix('.js').read_text(encoding='utf-8')}"

    trace = traitlets.Any()
    picked = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    asked = traitlets.List(allow_none=True, default_value=None).tag(sync=True)  # edits that the user wants
    note = traitlets.Unicode().tag(sync=True)  # reason why they could not be made

    def __init__(self, trace: Any):
        self._before, self._origin, self._repeat = trace, trace.origin, None
        super().__init__(trace=trace, view=view_of(trace))

    def open(self) -> None:
        """Connect to the notebook, unless a program runs it, which would keep a widget that does nothing."""
        if _is_watched():
            super().open()

    @property
    def edits(self) -> list[str]:
        """The edits of the run, in their form on the command line. Setting them runs the text again.

        Raises:
            ValueError: an edit does not fit, or the trace takes no edits.
            RuntimeError: the server of a ``Client`` does not answer.
        """
        return list(self.trace.edits)

    @edits.setter
    def edits(self, edits: Sequence[Any]) -> None:
        if self._origin is None:
            raise ValueError(NO_ORIGIN if self.trace.reads == "text" else NO_EDITS_OF_PICTURES)
        self._repeat = self._repeat or self._origin.open()
        after = self._repeat(list(edits))
        with self.hold_sync():
            self.note = ""
            self.trace = after
            self.view = view_of(after, None if after.edits == self._before.edits else self._before)

    @traitlets.observe("asked")
    def _edit(self, change: Any) -> None:
        """Make the edits that the user asked for, or say in one sentence why not."""
        if change.new is None:
            return
        try:
            self.edits = change.new
        except (ValueError, RuntimeError, OSError) as error:
            self.note = (str(error).splitlines() or [type(error).__name__])[0]
        self.asked = None  # so that the same edits can be asked for again

    def _repr_html_(self) -> str:
        """The page without a kernel, which scrubs and picks."""
        return static(self.view)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, and for places without a kernel the page as HTML and the summary as text."""
        others = {"text/html": self._repr_html_(), "text/plain": "\n".join(self.trace.summary())}
        if self.comm is None:
            return others, {}
        bundle, metadata = super()._repr_mimebundle_(**options)
        return bundle | others, metadata


def _is_watched() -> bool:
    """Whether a person may see the widget: in notebooks that a program runs, no cell can ask for input."""
    shell = sys.modules["IPython"].get_ipython()
    kernel = getattr(shell, "kernel", None)
    return kernel is None or kernel.get_parent().get("content", {}).get("allow_stdin", True)


def show(trace: Any) -> TraceWidget:
    """The widget of a trace."""
    return TraceWidget(trace)
