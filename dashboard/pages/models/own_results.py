"""The progress of a training on a user's own texts, its curves, and what it has come to."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.measured.evidence.badge import badge_of
from core.scores import Score
from core.sentences.words import capital, listed, quote
from dashboard.figures.learning import learning
from dashboard.jobs import own_choices, saved
from dashboard.jobs.own_texts import FitJob, OwnTrained
from dashboard.pages.models.texts import CURVES, MISSING, MISTAKES, NO_SHARES, PAIRED, RESTS_ON, WRONG, WRONG_ONE
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_of
from dashboard.runs.files import packer, size_of
from dashboard.runs.own_file import WrongText
from dashboard.screen.address import link_to
from dashboard.screen.badge import draw_badge
from dashboard.screen.labels import OPENED_LABEL
from dashboard.screen.links import draw_page_link, page_of
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.outputs import draw_numbers
from dashboard.screen.pins import ROW_LINK
from dashboard.screen.shown import draw_figure

REFRESH = 1.0  # seconds
MEGA = 1e6
MAX_LABEL = 90  # characters of a text on a button
N_BUTTONS = 3  # texts with a button; a table has all


def draw_own_results(training: FitJob) -> None:
    """Draw the progress with its curves, refreshed every second, or the trained networks."""
    st.fragment(_draw_progress, run_every=REFRESH if training.runs else None)(training, training.runs)
    known = [one for one in training.trained if one.name in checkpoints.known()]
    if training.comparison:
        _draw_comparison(training)
    elif known:
        _draw_scores(known[0])
    for one in known:
        _draw_trained(one)


def _draw_progress(training: FitJob, ran: bool) -> None:
    """Draw the progress or the error, and the curves. ran: whether the training ran when the page was drawn."""
    if ran and not training.runs:
        st.rerun()  # to update the buttons and show the trained networks
    if training.runs and training.order:
        share, state = training.state
        st.progress(share, escape(f"{training.order.name}: {state}"))
    elif training.failed:
        st.error(escape_error(f"The training stopped early: {training.failed}"), icon=":material/error:")
    if curves := training.curves:
        names = [own_choices.routings()[key] for key in training.order.routings] if training.order else list(curves)
        for column, (quantity, title) in zip(st.columns(3, gap="medium"), CURVES.items(), strict=True):
            with column:
                st.markdown(f"**{title}**")
                figure = learning(curves, quantity, names)
                if len(figure.data):
                    draw_figure(figure, key=f"curve of {quantity}", alt=title)
                else:
                    st.caption(NO_SHARES)


def _draw_scores(one: OwnTrained) -> None:
    """Draw the accuracy of a network next to those of what it is compared with."""
    metrics = checkpoints.about(one.name).metrics
    keep = "save" if saved.may_save() else "download"
    st.info(
        f"{escape(one.name)} is trained, and every page knows it. It is kept for this session only; {keep} it under "
        "Add a model.",
        icon=":material/check:",
    )
    others = [[capital(name), *_score(score)] for name, score in metrics.others.items()]
    rows = [[one.name, *_score(metrics.test)], *reversed(others)]
    draw_numbers(["network or comparison", "accuracy", "95% interval"], rows)
    st.markdown(f"**{escape(metrics.conclusion)}**")


def _score(score: Score) -> tuple[str, str]:
    """An accuracy and its interval as text."""
    low, high = score.interval or (0, 0)
    return f"{score.accuracy or 0:.1%}", f"{low:.1%} to {high:.1%}"


def _draw_comparison(training: FitJob) -> None:
    """Draw the advice, and a row for each routing."""
    titles, names = own_choices.routings(), {one.routing: one.name for one in training.trained}
    if training.missing:
        missing = {"missing": listed([titles[key] for key in training.missing]), "why": training.stopped}
        st.warning(escape_error(MISSING.format(**missing)), icon=":material/warning:")
    if len(names) > 1:
        st.info(escape(training.comparison["advice"]), icon=":material/alt_route:")
    rows = []
    for row in training.comparison["table"]:
        name = names[row["routing"]]
        size = f"{size_of(name) / MEGA:.1f}" if name in checkpoints.known() else ""
        rows.append(
            {
                "routing or simpler model": titles[row["routing"]],
                **_paired(row),
                "training, minutes": f"{row['minutes']:.1f}",
                "parameters": f"{row['parameters']:,}",
                "MB": size,
                "its picture": row["picture"],
            }
        )
    others = [
        {"routing or simpler model": capital(row["model"])} | _paired(row) for row in training.comparison["others"]
    ]
    table = pd.DataFrame([*rows, *others]).fillna("")
    st.dataframe(table, hide_index=True, height="content", alt="The compared routings and simpler models")
    st.caption(PAIRED.replace("\n", " "))


def _paired(row: Mapping[str, Any]) -> dict[str, str]:
    """The cells of a row with its accuracy and its difference from the best routing."""
    (low, high), minus = row["interval"], row["minus best"]
    return {
        "accuracy": f"{row['accuracy']:.1%} ({low:.1%} to {high:.1%})",
        "minus the best, points": f"{100 * minus[0]:+.1f} to {100 * minus[1]:+.1f}" if minus else "the best",
    }


def _draw_trained(one: OwnTrained) -> None:
    """Draw what can be done with a network: its badge, its page, its archive, and texts that it gets wrong."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(f"**{escape(one.name)}**", width="content")
        if badge_of(evidence_of(one.name)).is_measured:
            draw_badge(one.name, key=f"badge of {one.name}")
        draw_page_link(one.name, "Open in its page")
        file = {"data": packer(one.name), "file_name": f"{one.name}.zip", "mime": "application/zip"}
        icon = ":material/download:"
        st.download_button("Download", icon=icon, key=f"download own {one.name}", on_click="ignore", **file)
    n = checkpoints.about(one.name).metrics.test.n or 0
    if not one.n_wrong:
        st.text(f"It gets none of {n:,} test texts wrong.")
        return
    st.text(WRONG.format(n_wrong=one.n_wrong, n=n, them="it" if one.n_wrong == 1 else "one"))
    for k, wrong in enumerate(one.wrong[:N_BUTTONS]):
        shown = wrong.text if len(wrong.text) <= MAX_LABEL else f"{wrong.text[:MAX_LABEL]}…"
        label = WRONG_ONE.format(text=shown, label=wrong.label, answer=wrong.answer)
        if wrong.place is not None:
            label += RESTS_ON.format(certainty=wrong.certainty, word=quote(wrong.word), without=wrong.without)
        icon, key = ":material/open_in_new:", f"wrong {k} of {one.name}"
        if st.button(escape(label), icon=icon, type="tertiary", key=key):
            _open(one.name, wrong)
    if len(one.wrong) > N_BUTTONS:
        _draw_mistakes(one)


def _draw_mistakes(one: OwnTrained) -> None:
    """Draw the texts that a network gets wrong as a table; a click on a row offers to open it."""
    measured = [wrong for wrong in one.wrong if wrong.place is not None]
    n_right = sum(wrong.then == wrong.label for wrong in measured)
    if measured:
        st.text(MISTAKES.format(n=len(measured), n_right=n_right, n_wrong=one.n_wrong).replace("\n", " "))
    table = pd.DataFrame(
        [
            {
                "text": wrong.text,
                "label": wrong.label,
                "answer": wrong.answer,
                **(
                    {
                        "certainty": f"{wrong.certainty:.1%}",
                        "rests on": wrong.word,
                        "certainty without it": f"{wrong.without:.1%}",
                        "answer without it": wrong.then,
                    }
                    if wrong.place is not None
                    else {}
                ),
            }
            for wrong in one.wrong
        ]
    )
    opened = st.container()
    event = st.dataframe(
        table, hide_index=True, height=280, on_select="rerun", selection_mode="single-row",
        key=f"mistakes of {one.name}", alt="The texts that it gets wrong",
    )  # fmt: skip
    if event.selection.rows and event.selection.rows[0] < len(one.wrong):
        wrong = one.wrong[event.selection.rows[0]]
        with opened.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(wrong.text)
            if st.button("Open in its page", icon=":material/open_in_new:", key=f"open mistake of {one.name}"):
                _open(one.name, wrong)


def _open(name: str, wrong: WrongText) -> None:
    """Open a text in the page of its network, with the word that its answer rests on."""
    st.session_state["opened row"] = wrong.text
    st.session_state[OPENED_LABEL] = name, wrong.text, wrong.label
    word = {} if wrong.place is None else {"word": str(wrong.place + 1)}
    st.switch_page(page_of(name), query_params=link_to({"checkpoint": name, ROW_LINK: "1", **word}))
