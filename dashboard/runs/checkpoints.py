"""The checkpoints: their descriptions, titles and folders, and what is measured of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from numpy import ndarray

from core import Trace, manifest
from core.inputs.smollm2 import INSTALL, SMOLLM2, missing_package
from core.measured import store
from core.stored import BY_KIND
from core.titles import titles_of
from dashboard.public import is_public
from dashboard.sessions.models import session_models

REGULARIZATION = ("dropout", "dropout_word", "dropout_encoding")  # settings in which twins may differ
MAX_ITERATIONS = 10  # iterations that a user can ask for


def models(kind: str) -> list[str]:
    """The names of the checkpoints of one kind of network."""
    return [name for name, about in known().items() if about.kind == kind]


def record_of(name: str) -> type[Trace]:
    """The class of a checkpoint's traces, with the facts of its kind of network."""
    return BY_KIND[about(name).kind]


def pages_of_runs() -> set[str]:
    """The folders of the pages that show runs."""
    return {record.page for record in BY_KIND.values()}


def shown_on(page: str) -> list[str]:
    """The names of the checkpoints that a page shows, by the page's folder."""
    return [name for name, about in known().items() if BY_KIND[about.kind].page == page]


def readers_of_text(with_votes: bool = False) -> list[str]:
    """The names of the checkpoints that read texts.

    Args:
        with_votes: whether only checkpoints with votes for the Lab are wanted.
    """
    records = {name: BY_KIND[about.kind] for name, about in known().items()}
    return [name for name, record in records.items() if record.reads == "text" and (record.has_votes or not with_votes)]


def left_out() -> list[str]:
    """One sentence per checkpoint that cannot be used; empty for visitors of a public server."""
    return [] if is_public() else survey().left_out


def waiting() -> tuple[list[manifest.Manifest], str]:
    """The descriptions of networks that cannot run before a package is installed, and the command that does it."""
    return list(survey().waiting.values()), INSTALL


def known() -> dict[str, manifest.Manifest]:
    """The descriptions of all checkpoints by name. Those that this session uploaded come last."""
    shared = survey()
    described = shared.described
    if vanished := {name for name in shared.added if not (manifest.user_folder() / name / manifest.WEIGHTS).is_file()}:
        described = {name: about for name, about in described.items() if name not in vanished}
    uploaded = session_models()
    return described | uploaded.described if uploaded and uploaded.described else described


def is_of_session(name: str) -> bool:
    """Whether only this session has a checkpoint."""
    uploaded = session_models()
    return uploaded is not None and name in uploaded.described


def about(name: str) -> manifest.Manifest:
    """The description of a checkpoint."""
    return known()[name]


def title(name: str) -> str:
    """A checkpoint in plain words. No two checkpoints have the same title. The words may come from an upload."""
    return titles()[name]


def titles() -> dict[str, str]:
    """The titles of all checkpoints by name."""
    shared, described = survey(), known()
    return shared.titles if described is shared.described else titles_of(described)


def folder_of(name: str) -> Path:
    """The folder of a checkpoint; ValueError if there is no such checkpoint."""
    uploaded = session_models()
    if uploaded and name in uploaded.described:
        return uploaded.root / name
    return survey().folders.get(name) or manifest.folder_of(name)


def n_steps(name: str) -> int:
    """The number of iterations that pages compute: at least what users can ask for, and at least the trained number."""
    return max(MAX_ITERATIONS, about(name).model["n_iters"])


def trained_with(names: Iterable[str]) -> set[int]:
    """The numbers of iterations with which those of these checkpoints that route were trained."""
    return {n for name in names if (n := about(name).model.get("n_iters"))}


def started_from(name: str) -> str:
    """The network with the weights from which a training went on: its name; "" if it is not here, or there is none."""
    weights = about(name).metrics.training.get("begins_with")
    return next((other for other, described in known().items() if weights and described.sha256 == weights), "")


def twin(name: str) -> str | None:
    """A checkpoint with the same texts, classes and sizes but the other routing; None if there is none."""
    all_models = known()
    routing_key = BY_KIND[all_models[name].kind].twins_differ_in  # setting that names the routing

    def common(one: manifest.Manifest) -> tuple:
        sizes = {key: value for key, value in one.model.items() if key not in (routing_key, *REGULARIZATION)}
        return one.corpus, one.classes, sizes

    this = all_models[name]
    for other in models(this.kind):
        routings = {one.model.get(routing_key) for one in (all_models[other], this)}  # None if a folder lacks it
        if common(all_models[other]) == common(this) and len(routings) == 2 and None not in routings:
            return other
    return None


def measured(measurement: str, name: str) -> dict[str, ndarray] | None:
    """Arrays measured with a checkpoint's current weights over a whole split; None if there are none.

    Args:
        measurement: name of the measurement, such as "poses".
        name: name of the checkpoint.
    """
    return _measured(measurement, name, stamp_of_weights(measurement, name))


def stamp_of_weights(measurement: str, name: str) -> tuple:
    """A value that changes when the arrays are measured again or the checkpoint is retrained."""
    shared = survey()
    folder = shared.folders.get(name) if name in shared.described else None
    return about(name).version, *(store.stamp_in(folder, measurement) if folder else ())


@st.cache_resource(max_entries=64, show_spinner=False)  # the page Units asks for those of all networks
def _measured(measurement: str, name: str, stamp: tuple) -> dict[str, ndarray] | None:
    return store.read(measurement, name)


def describe_again(name: str) -> None:
    """Read the description of a checkpoint again after its files have changed."""
    uploaded = session_models()
    if uploaded and name in uploaded.described:
        uploaded.describe_again(name)
    else:
        survey.clear()


class Survey(NamedTuple):
    """The checkpoints that all sessions share.

    Attributes:
        described: descriptions by name.
        waiting: those of networks that wait for a package, by name.
        left_out: one sentence per checkpoint that cannot be used.
        added: names of those that are not shipped, whose folders may vanish.
        titles: titles by name.
        folders: folders by name.
    """

    described: dict[str, manifest.Manifest]
    waiting: dict[str, manifest.Manifest]
    left_out: list[str]
    added: list[str]
    titles: dict[str, str]
    folders: dict[str, Path]


@st.cache_resource(ttl=60, show_spinner=False)
def survey() -> Survey:
    """Read the descriptions of all checkpoints that are not a session's own."""
    described, broken = manifest.survey()
    waits = {name for name, about in described.items() if about.reader.get("backbone") == SMOLLM2 and missing_package()}
    waiting = {name: described.pop(name) for name in waits}
    added = [name for name in described if not (manifest.PRETRAINED / name).exists()]
    return Survey(described, waiting, broken, added, titles_of(described), manifest.folders())
