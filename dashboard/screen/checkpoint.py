"""The choice of a device and of a network, and descriptions of networks in words."""

from collections.abc import Sequence

import streamlit as st

from core.scores import Metrics, Score
from core.sentences.words import capital
from dashboard.figures.vega import STATED
from dashboard.runs import checkpoints
from dashboard.runs.files import model_files
from dashboard.screen.address import end_page, in_address
from dashboard.screen.badge import draw_badge
from dashboard.screen.inputs import BARE
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.network_menu import choose_network
from dashboard.screen.outputs import draw_card

KEY = "checkpoint"  # entry of the address with the name of the network
MAX_DATA = 500  # characters about the training data


def choose_checkpoint(names: Sequence[str], first: str) -> str:
    """Let the user choose one of these networks. Its badge is next to the menu.

    Args:
        names: names of the checkpoints.
        first: name of the one that is chosen at first.
    """
    names = sorted(names, key=lambda name: name != first)
    if not names:
        st.error("No network fits this page.", icon=":material/error:")
        end_page()
    name = choose_network("Network", names, KEY, **BARE)
    draw_badge(name)
    for sentence in checkpoints.left_out():
        st.warning(escape_error(sentence), icon=":material/warning:")
    return name


def routing_in_title(name: str) -> str:
    """The routing of a network in the words of its title, such as "standard dynamic routing"."""
    words = checkpoints.title(name).partition(" · ")[0]
    return words if words.startswith(("EM", "k-means")) else f"{words[:1].lower()}{words[1:]}"


def draw_about(name: str) -> None:
    """Draw the description and the card of a network."""
    st.markdown(describe_checkpoint(name))
    st.caption(f"Folder: {escape(name)}")
    draw_card(model_files(name))


def choose_twin(name: str) -> list[str]:
    """Let the user compare with the model with the other routing; the list is empty if they do not."""
    twin = checkpoints.twin(name)
    label = f"Compare with {routing_in_title(twin)}" if twin else "Compare with another routing"
    help = "Runs the same text through the model that was trained with the other routing."
    if twin is None:
        help = "No model was trained on these classes with the other routing."
    is_on = st.toggle(label, disabled=twin is None, help=help, width="content", **in_address("beside"))
    return [twin] if is_on and twin else []


def describe_checkpoint(name: str) -> str:
    """Task, accuracy with its interval, the paper's accuracy, size and training data of a checkpoint."""
    task, metrics = checkpoints.about(name).task, checkpoints.about(name).metrics
    sizes = f"{metrics.parameters:,} parameters"
    data = escape(str(metrics.training.get("data", "data that its files do not name"))[:MAX_DATA])
    if metrics.stated is not None and "data" in metrics.training:
        data += ", as the archive states"
    spread = f" {metrics.spread}" if metrics.spread and metrics.stated is None else ""
    return f"{escape(capital(task))}. {sentence_on(metrics)}.{spread} {sizes}.\n\nTrained on {data}."


def sentence_on(metrics: Metrics) -> str:
    """An escaped sentence with the test accuracy, its interval and the paper's accuracy. Stated numbers are marked."""
    stated = metrics.stated if metrics.stated and metrics.stated.test.accuracy is not None else None
    if metrics.test.accuracy is not None:
        note = f", measured here; {stated.test.accuracy:.1%} is {STATED}" if stated else ""
        return f"{_scores(metrics)}{_verdict(metrics)}{note}"
    if stated:
        return f"{STATED.capitalize()}: {_scores(stated)[:1].lower()}{_scores(stated)[1:]}"
    return f"Test accuracy not measured here{_paper_score(metrics.paper)}"


def _scores(metrics: Metrics) -> str:
    """The measured accuracy with its interval, and the paper's accuracy, in words."""
    test = metrics.test
    interval = " (95% interval {:.1%} to {:.1%})".format(*test.interval) if test.interval else ""
    return f"Test accuracy {test.accuracy:.1%}{interval}{_paper_score(metrics.paper)}"


def _paper_score(paper: Score) -> str:
    """The end of a sentence with the paper's accuracy; "" if it is unknown."""
    source = f" ({escape(paper.source)})" if paper.source else ""
    return "" if paper.accuracy is None else f". In the paper: {paper.accuracy:.1%}{source}"


def _verdict(metrics: Metrics) -> str:
    """The end of a sentence with the comparison with the paper; "" if there is none."""
    differs = f" ({escape(metrics.paper.differs)})" if metrics.paper.differs else ""
    return f". Verdict: {metrics.verdict}{differs}" if metrics.verdict else ""
