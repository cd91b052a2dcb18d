"""The frame of a page on one text: its title line, its input, and the actions for its run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from core.manifest import Manifest
from core.trace import Trace
from dashboard.components.buttons import pin_button
from dashboard.components.scrubber import slider
from dashboard.runs import checkpoints
from dashboard.runs.edits import TEXT_UNITS, TextRun
from dashboard.screen.checkpoint import choose_checkpoint
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.export import draw_export_menu
from dashboard.screen.formula import draw_formula_with_numbers
from dashboard.screen.inputs import MOVED, enter_text, offer_share_link
from dashboard.screen.lab_links import draw_limits_and_link, draw_link_to_lab
from dashboard.screen.labels import draw_label
from dashboard.screen.loading import wait_for_pytorch
from dashboard.screen.outputs import draw_formula, run_models
from dashboard.screen.pins import pin_run
from dashboard.screen.settings import choose_device
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import Frame, draw_frame
from dashboard.screen.three_trainings import choose_trainings, stack_trainings
from dashboard.screen.tour import draw_tour
from dashboard.screen.unit_link import draw_meaning
from dashboard.whatif.change import Change, change_run
from dashboard.whatif.change_it import draw_change_it
from dashboard.whatif.chips import draw_chips
from dashboard.whatif.inspector import CHANGE, TEST, THIS, draw_inspector
from dashboard.whatif.offers import Subject, nearest_after, place_after, places_before
from dashboard.whatif.predicted import compare_prediction, predict_change


@dataclass
class TextPage:
    """A page on one text.

    Attributes:
        title: title of the page.
        folder: name of the page's folder.
        screen: places of the page.
        device, name: device and name of the checkpoint.
        shown: record of the drawn figures.
        text: text of the run.
        is_gone: whether an edit took the picked word or sentence out of the text.
        with_trainings: whether the user wants to see the network's other trainings as well.
    """

    title: str
    folder: str
    screen: Frame
    device: str
    name: str
    shown: Shown = field(default_factory=Shown)
    text: str = ""
    is_gone: bool = False
    with_trainings: bool = False

    @property
    def about(self) -> Manifest:
        """The description of the checkpoint."""
        return checkpoints.about(self.name)

    def run(
        self, examples: Mapping[str, str], key: str = "example", n_iters: int | None = None, also: Sequence[str] = ()
    ) -> list[Trace]:
        """Let the user choose or type a text, and run it.

        Args:
            examples, key: as in ``enter_text``.
            n_iters: as in ``run_models``.
            also: other checkpoints that run the text.
        """
        with self.screen.input:
            self.text = enter_text(examples, key)
            traces = run_models([self.name, *also], self.device, self.text, n_iters)
            steps = traces[0].answers
            trained = min(self.about.model["n_iters"], len(steps)) if n_iters else traces[0].own_step
            draw_label(self.about, self.text, steps[trained - 1])
        if n_iters and traces[0].n_steps < n_iters:  # the first visitor's run comes from a file
            with self.screen.controls:
                wait_for_pytorch()
        return traces

    def change(self, full: Trace, n_iters: int | None = None) -> Change:
        """Apply the user's edits to a run, and draw them below the picture.

        Args:
            full: trace without edits, with all steps.
            n_iters: as in ``run``.
        """
        run = TextRun(self.name, self.device, self.text, n_iters)
        with self.screen.chips:
            trained = self.about.model["n_iters"] if n_iters else None
            change = predict_change(run, full, trained) or change_run(run, full)
        st.session_state[MOVED] = {
            unit: places_before(names, change.after.things[unit])
            for unit, names in full.things.items()
            if unit in TEXT_UNITS and names != change.after.things[unit]
        }
        with self.screen.chips:
            compare_prediction(change, trained)
            draw_chips(change)
        return change

    def choose_trainings(self) -> None:
        """Let the user ask for the network's other trainings."""
        self.with_trainings = choose_trainings(self.name)

    def stack_trainings(self, trace: Trace, change: Change, trained: int = 1) -> bool:
        """Draw the pictures of the network's trainings, if the user wants them and there are others.

        Args:
            trace: trace without edits, with the steps on screen.
            change: run on screen.
            trained: number of iterations in training; 1 without routing.

        Returns:
            Whether they were drawn.
        """
        if not self.with_trainings:
            return False
        return stack_trainings(self.shown, trace, self.device, self.text, trained, change.is_edited)

    def follow(self, i: int, before: list[str], after: list[str]) -> int:
        """The index of the picked word or sentence after the user's edits.

        If it is gone, this is the index of the one in its place, and the inspector and the formula say so.

        Args:
            i: index before the edits.
            before, after: all words or sentences before and after the edits.
        """
        self.is_gone = place_after(i, before, after) is None
        return nearest_after(i, before, after)

    def draw_scrubber(self, n_iters: int, signals: dict[str, int]) -> None:
        """Draw the slider over the iterations, which starts at the number of training.

        Args:
            n_iters: number of iterations.
            signals: as in ``slider``.
        """
        trained = self.about.model["n_iters"]
        with self.screen.scrubber:
            self.shown.draw_scrubber(slider(n_iters, signals=signals, start=min(trained, n_iters), trained=trained))

    def inspect(self, this_cell: Callable[[], None], subject: Subject, change: Change, unit: int | None = None) -> None:
        """Draw the inspector.

        Args:
            this_cell: function that draws the numbers of the picked cell.
            subject: offers for the picked things.
            change: run on screen.
            unit: index of the picked capsule, part or layer, whose meaning is said; None if none is picked.
        """

        def this() -> None:
            if unit is not None:
                draw_meaning(self.name, unit + 1)
            (_say_gone if self.is_gone else this_cell)()

        sections = {
            THIS: this,
            CHANGE: lambda: draw_change_it(subject, change),
            TEST: lambda: draw_does_it_hold(self.shown, self.name, self.device, self.text),
        }
        draw_inspector(self.screen, sections)

    def draw_formula(
        self, formula: str, source: str, trace: Trace, cell: Sequence[int], step: int | None = None
    ) -> None:
        """Draw the paper's formula, and below it the same with the numbers of the picked cell.

        Args:
            formula, source: as in ``outputs.draw_formula``.
            trace: trace on the screen.
            cell: indices of the cell, as in ``core.worked.work``.
            step: step that is worked out at first, from 1; the trained number of iterations if None.
        """
        draw_formula(formula, source)
        draw_link_to_lab(self.name)
        if self.is_gone:
            _say_gone()
            return
        step = step or min(self.about.model["n_iters"], trace.n_steps)
        st.subheader("The same with the numbers of the picked cell")
        draw_formula_with_numbers(trace, cell, step, self.device, self.text)

    def end(self, traces: list[Trace], not_shown: str, n_iters: int | None = None, settings: str = "") -> None:
        """Draw the limits of the picture, the tour, the share link, the pin and the export menu.

        Args:
            traces: traces on the screen.
            not_shown: sentence on what the picture does not show.
            n_iters, settings: as in ``draw_export_menu``.
        """
        draw_limits_and_link(self.screen.limits, not_shown, self.name)
        with self.screen.actions:
            draw_tour(self.folder)
            offer_share_link({"text": self.text})
            pin_button(lambda address: pin_run(self.folder, self.name, self.text, address))
            texts = [self.text] * len(traces)
            about = {"settings": settings, "texts": texts, "not_shown": not_shown}
            draw_export_menu(self.shown, self.title, traces, repr(self.text), n_iters, **about)


def _say_gone() -> None:
    st.caption("Your edit took this out of the text.")


def open_text_page(title: str, question: str, file: str, first: str) -> TextPage:
    """Draw the title line and the empty places of a page, and let the user choose a checkpoint.

    Args:
        title, question: as in ``draw_screen``.
        file: the page's ``__file__``.
        first: checkpoint at first.
    """
    folder = Path(file).parent
    screen, device = draw_frame(title, question, folder), choose_device()
    with screen.network:
        name = choose_checkpoint(checkpoints.shown_on(folder.name), first)
    return TextPage(title, folder.name, screen, device, name)
