"""Reads and checks the edits of a run."""

from collections.abc import Sequence
from functools import partial

from numpy import ndarray

from core.checkpoint import Checkpoint
from core.edits import DropInput, Edit, ReplaceWord, RoutingEdit, SetCoupling, describe, kind_of, parse_edit
from core.networks.base import network_of
from core.networks.reading import replace_words
from core.sentences.naming import UnknownNameError

INPUT_EDITS = (DropInput, ReplaceWord, SetCoupling)
ONE_SAMPLE_ERROR = "{edit} names an input of one sample, and a split has many: leave it out."
UNITS = ("capsule", "feature", "part", "layer")  # a configuration has their numbers, such as n_capsules


def admit_edits(
    checkpoint: Checkpoint, edits: Sequence[Edit | str] | None, sample: str | ndarray | None = None
) -> list[Edit]:
    """Parse the edits that are text, and check that the network has them.

    Edits that replace words are parsed first, because the others can name the new words.

    Args:
        sample: sample whose words edits can name; None for edits of many samples.

    Raises:
        TypeError: edits is one edit instead of a list.
        ValueError: a text is not an edit, the network does not have an edit, or an edit names something that is not
            there.
    """
    if isinstance(edits, str | Edit):
        raise TypeError(f"edits is {edits!r}, wanted a list of edits, such as [{str(edits)!r}]")
    if edits is None:
        return []
    network = network_of(checkpoint)
    read: dict[int, Edit] = {}
    for n in sorted(range(len(edits)), key=lambda n: not _replaces(edits[n])):
        edit = edits[n]
        if not issubclass(kind_of(edit) if isinstance(edit, str) else type(edit), network.edits):
            forms = ", ".join(type_.form for type_ in network.edits) or "none"
            raise ValueError(f"{edit} is not an edit of {checkpoint.name}, which has {forms}.")
        if isinstance(edit, str):
            things = partial(_things, checkpoint, sample, list(read.values()))
            try:
                edit = parse_edit(edit, network.record.naming, things)
            except UnknownNameError:
                if sample is None and 0 not in network.shared_inputs and kind_of(edit) in INPUT_EDITS:
                    raise ValueError(ONE_SAMPLE_ERROR.format(edit=edit)) from None
                raise
        if isinstance(edit, RoutingEdit) and (edit.routing or 0) >= network.n_routings:
            raise ValueError(f"routing is {edit.routing} in {edit}, and {checkpoint.name} has only routing 0.")
        read[n] = edit
    return [read[n] for n in range(len(edits))]


def describe_with_form(checkpoint: Checkpoint, edit: Edit) -> str:
    """Describe an edit of many samples in words, and add its form in brackets."""
    return f"{describe(edit, network_of(checkpoint).record.naming, {'class': checkpoint.classes})} ({edit})"


def _replaces(edit: Edit | str) -> bool:
    return isinstance(edit, ReplaceWord) or str(edit).startswith("replace:")


def _things(checkpoint: Checkpoint, sample: str | ndarray | None, edits: Sequence[Edit]) -> dict[str, list[str]]:
    """The names that the other edits of a run can use, by unit, after ``edits`` have replaced words in its text."""
    network, config = network_of(checkpoint), checkpoint.model.config
    counts = {unit: getattr(config, f"n_{unit}s") for unit in UNITS if hasattr(config, f"n_{unit}s")}
    things = {"class": list(checkpoint.classes)}
    if isinstance(sample, str):
        text = replace_words(
            sample, edits, lambda text: [word for words in network.words(checkpoint, text) for word in words]
        )
        sentences = network.words(checkpoint, text)
        things["word"] = [word.text for words in sentences for word in words]
        counts["sentence"] = len(sentences)
    return things | {unit: [f"{unit} {n}" for n in range(1, count + 1)] for unit, count in counts.items()}
