"""The section that trains a network on a user's own texts: the file, its columns, the choices and the buttons."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.jobs import own_choices, own_texts, own_upload
from dashboard.jobs.own_choices import FitOrder
from dashboard.jobs.own_texts import FitJob
from dashboard.jobs.own_upload import OwnUpload
from dashboard.pages.models.own_results import draw_own_results
from dashboard.pages.models.texts import IMBALANCE, NO_RATE, OWN, OWN_FILE, OWN_PARTS, TAKES, WHICH
from dashboard.runs.own_file import OwnLook
from dashboard.screen.markdown import escape, escape_error
from dashboard.sessions.uploads import read_upload

MAX_MEGABYTES = 20  # largest size of a file
MAX_NAME = 40  # characters
UNEQUAL = 3  # times that the most frequent label must occur more often than the rarest one to be pointed out
AT_FIRST = ("reversed", "kmeans", "attention")  # routings that are compared unless the user chooses others


def draw_own(device: str) -> None:
    """Draw the upload with a look at its texts, the choices, and what is trained."""
    training, upload = own_texts.fit_job(), own_upload.own_upload()
    if training.take():
        st.rerun()  # to update the menus of checkpoints
    st.text(OWN.replace("\n", " "))
    how = {"help": OWN_FILE, "max_upload_size": MAX_MEGABYTES, "on_change": _keep, "args": (upload,)}
    st.file_uploader("Your texts and labels", key="own texts", **how)  # accepts any type, and explains what is wrong
    if error := st.session_state.get("own error"):
        st.error(escape_error(error), icon=":material/error:")
    above, results, below = (st.container() for _ in range(3))  # progress is next to the button that starts it
    if upload.path is not None:
        with above:
            _draw_file(upload, training, device, below)
    with results:
        draw_own_results(training)


def _keep(upload: OwnUpload) -> None:
    """Keep the uploaded file for this session, or delete it if the user has removed it."""
    file = st.session_state["own texts"]
    st.session_state["own error"] = ""
    try:
        upload.keep(file.name, read_upload(file, MAX_MEGABYTES)) if file else upload.forget()
    except (ValueError, OSError) as error:
        st.session_state["own error"] = str(error)


def _draw_file(upload: OwnUpload, training: FitJob, device: str, below: DeltaGenerator) -> None:
    """Draw the menus of columns, a look at the texts, and the choices; those of a comparison in ``below``."""
    columns = upload.columns
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.text(upload.path.name, width="content")
        first, key = columns.names.index(columns.text), f"of upload {upload.number}"
        text = st.selectbox("Column of the texts", columns.names, first, key=f"texts {key}", width=220)
        others = [name for name in columns.names if name != text]
        first = others.index(columns.label) if columns.label in others else 0
        label = st.selectbox("Column of the labels", others, first, key=f"labels {key}", width=220)
    try:
        with st.spinner("Reading the texts …"):
            look = upload.look(text or columns.text, label or others[0])
    except (ValueError, OSError) as error:
        st.error(escape_error(error), icon=":material/error:")
        return
    _draw_look(look)
    _draw_choices(upload, training, text or columns.text, label or others[0], look, device, below)


def _draw_look(look: OwnLook) -> None:
    """Draw the first rows, the labels with their counts, and the notes."""
    rows, labels = st.columns([3, 1], gap="medium")
    with rows:
        table = pd.DataFrame(look.rows, columns=["text", "label"])
        widths = {"text": st.column_config.TextColumn(width="large"), "label": st.column_config.TextColumn()}
        st.dataframe(table, hide_index=True, height="content", column_config=widths, alt="The first rows")
    with labels:
        table = pd.DataFrame(look.counts.items(), columns=["label", "texts"])
        st.dataframe(table, hide_index=True, height=212 if len(table) > 5 else "content", alt="The labels")
    parts = {"train": look.n_train, "dev": look.n_dev, "test": look.n_test}
    total = {"n": sum(parts.values()), "n_labels": len(look.counts)}
    st.caption(escape(" ".join([OWN_PARTS.format(**parts, **total).replace("\n", " "), *look.notes])))
    frequent = max(look.counts, key=look.counts.__getitem__)
    if look.counts[frequent] >= UNEQUAL * min(look.counts.values()):
        st.text(IMBALANCE.format(label=frequent, share=look.counts[frequent] / total["n"]).replace("\n", " "))


def _draw_choices(
    upload: OwnUpload, training: FitJob, text: str, label: str, look: OwnLook, device: str, below: DeltaGenerator
) -> None:
    """Draw the choices of one training and, in ``below``, of a comparison, and the buttons."""

    def start(*routings: str) -> None:
        order = FitOrder(text, label, routings, encoder, name or "my-network")
        try:
            training.start(upload.path, order, device)
        except (ValueError, OSError) as error:
            st.error(escape_error(error), icon=":material/error:")
            return
        st.rerun()

    titles, button = own_choices.routings(), {"icon": ":material/play_arrow:"}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        help = {"help": _explain(own_choices.clauses())}
        routing = st.selectbox("Routing", list(titles), format_func=titles.get, key="own routing", width=230, **help)
        encoders = own_choices.encoders_of(routing or "reversed")
        titled = {"format_func": own_choices.title_of_encoder, "key": f"encoder of {routing}", "width": 270}
        help = {"help": _explain(own_choices.clauses_of_encoders())}
        encoder = st.selectbox("Encoder", encoders, **titled, **help) or encoders[0]
        name = st.text_input("Name", "my-network", MAX_NAME, key="own name", width=160)
        if st.button("Train", disabled=training.runs or not name, key="train own", **button):
            start(routing or "reversed")
        stop = {"icon": ":material/stop:", "disabled": not training.runs, "on_click": training.cancel}
        st.button("Cancel", key="cancel own", **stop)
    _draw_duration(look, [routing or "reversed"], encoder)
    below.markdown(WHICH.replace("\n", " "))
    with below.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        offered = own_choices.comparable(encoder)
        first = [key for key in AT_FIRST if key in offered]
        titled = {"format_func": titles.get, "key": f"compared over {encoder}", "width": 560}
        compared = st.multiselect("Routings to compare", offered, first, **titled)
        too_few = training.runs or not name or len(compared) < 2
        if st.button("Compare them", disabled=too_few, key="compare own", **button):
            start(*compared)
    if len(compared) > 1:
        with below:
            _draw_duration(look, compared, encoder)


def _explain(clauses: Mapping[str, str]) -> str:
    """A list of choices, each with its plain clause."""
    return "\n".join(f"- **{escape(title)}**: {clause}" for title, clause in clauses.items())


def _draw_duration(look: OwnLook, routings: Sequence[str], encoder: str) -> None:
    """Say how long routings take, and what they and the encoder are in plain clauses if there is one routing."""
    n = look.n_train + look.n_dev + look.n_test
    duration = own_choices.duration(n, look.n_words, routings, encoder)
    takes = TAKES.format(duration=duration) if duration else NO_RATE
    if len(routings) == 1:
        title, of = own_choices.routings()[routings[0]], own_choices.title_of_encoder(encoder)
        routing, by = own_choices.clauses()[title], own_choices.clauses_of_encoders()[of]
        takes = f"{takes} {escape(title)}: {routing}. {escape(of)}: {by}."
    st.caption(takes)
