"""The same sentence in several trainings of a network: pictures below each other, with matched capsules."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.words import listed
from core.trace import Trace
from dashboard.components.finding import finding
from dashboard.figures.aligned import DRAWS, correlate, correlate_by_chance, match_main
from dashboard.figures.compare import stacked_pictures, with_title
from dashboard.figures.figure import Figure, begin_at
from dashboard.figures.kinds import Main, family_of
from dashboard.runs.evidence import evidence_of
from dashboard.runs.trainings import runs_of
from dashboard.screen.address import in_address
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import go_on_after_error
from dashboard.screen.shown import Shown

LABEL = "Same sentence, three trainings"
ALL = {2: "Both", 3: "All three", 4: "All four", 5: "All five"}
HELP = "Shows the same text in trainings by the same recipe, which differ only in their random numbers."
ONE = "Only one training of this network was measured."
NO_RUN = """There are kept runs of the examples only. For your own text, make the other trainings yourself:
`python -m core.training {name} --seed 1`, and the same with `--seed 2`."""
THIS = "This training"
MATCHED = """Capsules have no common order in two trainings. Below each capsule of this training stands the most similar
one of another training. Its label is its own number there."""
CHANCE = """A correlation of 1 means equal pictures, up to their scale. Chance alone gives the numbers for shuffled
{unit}: the mean over {draws} random orders."""
STEPS = "Kept runs end at the trained iteration, and stay as they are after it."
NOT_EDITED = "The other trainings read the text without your edits."


def choose_trainings(name: str) -> bool:
    """Let the user ask for the same text in the other trainings of a network."""
    evidence = evidence_of(name)
    has_others = bool(evidence and evidence.trainings)
    help = HELP if has_others else ONE
    is_on = st.toggle(LABEL, disabled=not has_others, help=help, width="content", **in_address("trainings"))
    return is_on and has_others


def stack_trainings(shown: Shown, trace: Trace, device: str, text: str, trained: int, is_edited: bool = False) -> None:
    """Say how alike a network's trainings are on a text, and draw their pictures below each other, on one scale.

    Args:
        shown: record of the page.
        trace: trace of the text in the network on the page, without edits.
        device, text: device of the networks, and text.
        trained: number of iterations in training; 1 without routing.
        is_edited: whether the user has changed the run on screen.
    """
    with go_on_after_error():
        others = runs_of(trace, device, text, trace.n_steps if trained > 1 else None)
        if not others:
            st.caption(NO_RUN.format(name=escape(trace.model)).replace("\n", " "))
            return
        runs = {THIS: trace} | {f"Training with seed {seed}": run for seed, run in others.items()}
        mains = {label: _main_of(run, trained) for label, run in runs.items()}
        own, n_steps = mains[THIS], len(_main_of(trace, trace.n_steps).values)
        step = trained if trace.along == "iteration" else trace.own_step
        answers = {label: run.answers[step - 1] for label, run in runs.items()}
        unit = "classes" if own.unordered == "columns" else f"{own.unit}s"
        sentence = f"{_compare_answers(answers)} {_compare_pictures(own, list(mains.values())[1:], unit)}"
        shown.add(finding("finding-trainings", [sentence], param=trace.along))
        matched = {label: _pad(match_main(own, main), n_steps) for label, main in mains.items()}
        matched[THIS] = _main_of(trace, n_steps)
        drawn = {f"{label} · {answers[label]}": main for label, main in matched.items()}
        for title, figure in stacked_pictures(list(drawn.values()), list(drawn), on_one_scale=True).items():
            _draw_picture(shown, trace, title, figure, min(trained, n_steps))
        shown.of(trace).add_table("trainings", lambda: _table(drawn))
        notes = [MATCHED] * bool(own.unordered) + [CHANCE.format(unit=unit, draws=DRAWS)]
        notes += [STEPS] * any(run.n_steps < trace.n_steps for run in runs.values()) + [NOT_EDITED] * is_edited
        st.caption(" ".join(notes).replace("\n", " "))


def _compare_answers(answers: dict[str, str]) -> str:
    """A sentence on the answers of all trainings, by their labels."""
    if len(set(answers.values())) == 1:
        return f"{ALL.get(len(answers), 'All')} trainings answer {answers[THIS]}."
    listing = [f"{answer} ({label[:1].lower()}{label[1:]})" for label, answer in answers.items()]
    return f"The trainings disagree: they answer {listed(listing)}."


def _compare_pictures(own: Main, others: list[Main], unit: str) -> str:
    """A sentence on how alike the pictures of other trainings are to that of this one."""
    pairs = [(correlate(own, other), correlate_by_chance(own, other)) for other in others]
    known = [(found, chance) for found, chance in pairs if found is not None and chance is not None]
    if not known:
        return "Their pictures have nothing to compare: one of them is the same everywhere."
    found, chance = (listed([f"{value:.2f}" for value in values]) for values in zip(*known, strict=True))
    pictures = "pictures of the others" if len(known) > 1 else "picture of the other"
    s = "s" * (len(known) == 1)
    return f"The {pictures} correlate{s} {found} with this one. With shuffled {unit} it would be {chance}."


def _main_of(run: Trace, n: int) -> Main:
    """The numbers of a run's main picture after its first n iterations; ValueError if it has none."""
    main = family_of(run).main_of(run)
    if main is None:
        raise ValueError("The pictures of this network cannot be put below each other.")
    return replace(main, values=main.values[:n])


def _pad(main: Main, n: int) -> Main:
    """The numbers of a picture at n steps: those of the last one are repeated."""
    values = main.values
    return replace(main, values=np.concatenate([values, np.repeat(values[-1:], n - len(values), 0)]))


def _draw_picture(shown: Shown, trace: Trace, title: str, figure: Figure, start: int) -> None:
    """Draw a picture with its title."""
    if trace.along == "iteration":
        figure = begin_at(figure, trace.along, start)
    label = title.partition(" · ")[0]
    shown.draw_heatmap(f"{LABEL}: {label}", with_title(figure, title), f"trainings {label}", alt=title)


def _table(drawn: dict[str, Main]) -> pd.DataFrame:
    """One row per training, step, column and row of the pictures, counted from 1."""
    tables = []
    for title, main in drawn.items():
        t, i, j = (index.ravel() for index in np.indices(main.values.shape))
        names = {"column": np.array(main.columns, dtype=object)[i], "row": np.array(main.rows, dtype=object)[j]}
        tables.append(pd.DataFrame({"training": title, "step": t + 1, **names, main.quantity: main.values.ravel()}))
    return pd.concat(tables, ignore_index=True)
