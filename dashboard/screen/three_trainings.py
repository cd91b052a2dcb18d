"""The same sentence in several trainings of a network: pictures below each other, with matched capsules."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.words import capital, listed
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
from dashboard.screen.outputs import after_iterations, go_on_after_error
from dashboard.screen.shown import Shown

LABEL = "Same sentence, three trainings"
ALL = {2: "Both", 3: "All three", 4: "All four", 5: "All five"}
HELP = """Shows the same text in trainings by the same recipe with other random numbers. The network's card says if
anything else differed.""".replace("\n", " ")
ONE = "Only one training of this network was measured."
NO_RUN = """The other trainings are not included, only their runs of the examples. So this cannot be shown for your own
text before you make them: `python -m core.training {name} --seed 1`, and the same with `--seed 2`."""
THIS = "This training"
MATCHED = """Capsules have no common order in two trainings. So we pair those that are most alike, one with one, and
draw each below its partner. Its label is its own number."""
CHANCE = """A correlation of 1 means equal pictures, up to their scale. By chance means: on average over {draws} random
orders of the {unit}."""
STEPS = """The runs of the other trainings were stored. They end at the trained iteration: after it, their pictures do
not change."""
NOT_EDITED = "The other trainings read the text without your edits."


def choose_trainings(name: str, label: str = LABEL, help: str = HELP) -> bool:
    """Let the user ask for the same text, or the same toy, in the other trainings of a network.

    Args:
        name: name of the network.
        label: label of the switch.
        help: explanation of the switch, unless there is no other training.
    """
    evidence = evidence_of(name)
    has_others = bool(evidence and evidence.trainings)
    tip = help if has_others else ONE
    is_on = st.toggle(label, disabled=not has_others, help=tip, width="content", **in_address("trainings"))
    return is_on and has_others


def stack_trainings(shown: Shown, trace: Trace, device: str, text: str, trained: int, is_edited: bool = False) -> bool:
    """Say how alike a network's trainings are on a text, and draw their pictures below each other, on one scale.

    Args:
        shown: record of the page.
        trace: trace of the text in the network on the page, without edits.
        device, text: device of the networks, and text.
        trained: number of iterations in training; 1 without routing.
        is_edited: whether the user has changed the run on screen.

    Returns:
        Whether there was another training to draw.
    """
    with go_on_after_error():
        others = runs_of(trace, device, text, trace.n_steps if trained > 1 else None)
        if not others:
            st.info(NO_RUN.format(name=escape(trace.model)).replace("\n", " "), icon=":material/info:")
            return False
        if trace.along == "iteration":
            trained = min(trained, trace.n_steps)  # the user may ask for fewer
        runs = {THIS: trace} | {f"Training with seed {seed}": run for seed, run in others.items()}
        mains = {label: _main_of(run, trained) for label, run in runs.items()}
        own, n_steps = mains[THIS], len(_main_of(trace, trace.n_steps).values)
        step = trained if trace.along == "iteration" else trace.own_step
        answers = {label: run.answers[step - 1] for label, run in runs.items()}
        when = capital(f"{after_iterations(trained)},") if trace.along == "iteration" else "Over all cells,"
        unit = "classes" if own.unordered == "columns" else f"{own.unit}s"
        sentence = f"{_compare_answers(answers)} {_compare_pictures(mains, unit, when)}"
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
        return True
    return False


def _compare_answers(answers: dict[str, str]) -> str:
    """A sentence on the answers of all trainings, by their labels."""
    if len(set(answers.values())) == 1:
        return f"{ALL.get(len(answers), 'All')} trainings answer {answers[THIS]}."
    listing = [f"{answer} ({label[:1].lower()}{label[1:]})" for label, answer in answers.items()]
    return f"The trainings disagree: they answer {listed(listing)}."


def _compare_pictures(mains: dict[str, Main], unit: str, when: str) -> str:
    """A sentence on how alike the pictures of other trainings are to that of this one.

    Args:
        mains: numbers of each picture by label.
        unit: name of the things that are shuffled, in the plural.
        when: phrase for the step that is compared.
    """
    own, *others = mains.values()
    pairs = {
        label.removeprefix("Training with "): (correlate(own, other), correlate_by_chance(own, other))
        for label, other in zip(list(mains)[1:], others, strict=True)
    }
    found = [f"{first:.2f} ({label})" for label, (first, _) in pairs.items() if first is not None]
    chance = [f"{by_chance:.2f}" for _, by_chance in pairs.values() if by_chance is not None]
    if not found or not chance:
        return "Their pictures have nothing to compare: one of them is the same everywhere."
    by_chance = f"by chance, with shuffled {unit}, {listed(chance)}"
    return f"{when} their pictures correlate {listed(found)} with this one; {by_chance}."


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
