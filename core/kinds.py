"""The table of networks. A new kind is its file in models/, its file in traces/, a row here, a recipe and a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from numpy import ndarray

from core.analysis.naming import UnknownNameError
from core.checkpoint import Checkpoint
from core.edits import (
    OF_COUPLINGS,
    DropAttention,
    DropInput,
    Edit,
    ReplaceWord,
    RoutingEdit,
    SetCoupling,
    SetGate,
    Sharpness,
    ShiftPose,
    describe,
    kind_of,
    parse_edit,
)
from core.inputs.readers import DocumentReader, ImageReader, Reader, TransformerReader, WordReader
from core.inputs.text import Word
from core.models.agt import AGT, AGTConfig
from core.models.cccaps import CCCaps, CCCapsConfig
from core.models.documents import DocumentDRAgg
from core.models.dragg import DRAgg, DRAggConfig
from core.models.drnn import DRNN, DRNNConfig
from core.models.em_smallnorb import EMSmallNORB, EMSmallNORBConfig
from core.models.em_sst import EMSST, EMSSTConfig
from core.trace import BY_KIND, Trace
from core.traces import agt, cccaps, dragg, drnn, em, reruns
from core.traces.base import retyped, words_of
from core.traces.em_inputs import tokens_of
from core.traces.reruns import Reruns


@dataclass(frozen=True)
class Kind:
    """A kind of network.

    Args:
        name: as in a checkpoint's config.json, and as its trace class registers itself.
        model: the network's class; its constructor takes a ``config``.
        config: the frozen dataclass of its hyper-parameters.
        reader: converts samples to the arguments of ``model.forward``.
        trace: (checkpoint, sample, n_iters) -> trace, with a fourth argument of edits where the kind has any; for
            n_iters None, as many iterations as in training.
        edits: those that runs can have.
        reruns: (checkpoint, sample, edits of the text) -> runs of many edits at once; None where no edit has a dose.
        words: (checkpoint, text) -> the words of each sentence, as a trace has them; of pictures there are none.
        n_routings: that edits can name.
        same_inputs: of these, those whose inputs are the same things in every sample, such as parts.
    """

    name: str
    model: type[torch.nn.Module]
    config: type[Any]
    reader: type[Reader]
    trace: Callable[..., Trace]
    edits: tuple[type[Edit], ...] = ()
    reruns: Callable[[Checkpoint, Any, Sequence[Edit]], Reruns] | None = None
    words: Callable[[Checkpoint, str], list[list[Word]]] = words_of
    n_routings: int = 1
    same_inputs: tuple[int, ...] = ()

    def names_an_input_of_one_sample(self, edit: Edit) -> bool:
        """Whether an edit names a word, or another input that each sample has for itself."""
        if not isinstance(edit, DropInput | SetCoupling):
            return isinstance(edit, ReplaceWord)
        return (0 if self.n_routings == 1 else edit.routing) not in self.same_inputs


OF_INPUTS = (DropInput, ReplaceWord, SetCoupling)
OF_ONE_SAMPLE = "{edit} names an input of one sample, and a split has many: leave it out."
UNITS = ("capsule", "feature", "part", "layer")  # a configuration says how many of each a network has
OF_TEXT = (DropInput, ReplaceWord)
OF_ROUTING = (*OF_TEXT, *OF_COUPLINGS)
KINDS = {
    kind.name: kind
    for kind in (
        Kind("dragg", DRAgg, DRAggConfig, WordReader, dragg.trace, OF_ROUTING, reruns.dragg),
        Kind(
            "dragg-documents",
            DocumentDRAgg,
            DRAggConfig,
            DocumentReader,
            dragg.trace_document,
            OF_ROUTING,
            reruns.documents,
            dragg.sentences_of,
            n_routings=2,
        ),
        Kind(
            "cccaps",
            CCCaps,
            CCCapsConfig,
            WordReader,
            cccaps.trace,
            (*OF_ROUTING, Sharpness),
            reruns.cccaps,
            same_inputs=(0,),
        ),
        Kind(
            "em-sst",
            EMSST,
            EMSSTConfig,
            TransformerReader,
            em.trace,
            OF_ROUTING,
            reruns.em_text,
            tokens_of,
            n_routings=2,
            same_inputs=(1,),
        ),
        Kind(
            "em-smallnorb",
            EMSmallNORB,
            EMSmallNORBConfig,
            ImageReader,
            em.trace_pictures,
            (DropInput, *OF_COUPLINGS, ShiftPose),
            reruns.em_pictures,
            n_routings=2,
            same_inputs=(0, 1),
        ),
        Kind("agt", AGT, AGTConfig, WordReader, agt.trace, (*OF_TEXT, SetGate, DropAttention), reruns.agt),
        Kind("drnn", DRNN, DRNNConfig, WordReader, drnn.trace, OF_TEXT),
    )
}


def admitted(
    checkpoint: Checkpoint, edits: Sequence[Edit | str] | None, sample: str | ndarray | None = None
) -> list[Edit]:
    """The edits, read where they are text. Those that replace words come first, wherever they stand among the others.

    Args:
        sample: whose words edits can name; none for edits of many samples.

    Raises:
        TypeError: one edit instead of a list of them.
        ValueError: a text that is not an edit, an edit that this network does not have, or one that names what is not
            there.
    """
    if isinstance(edits, str | Edit):
        raise TypeError(f"edits is {edits!r}, wanted a list of edits, such as [{str(edits)!r}]")
    if edits is None:
        return []
    kind = KINDS[checkpoint.kind]
    read: dict[int, Edit] = {}
    for n in sorted(range(len(edits)), key=lambda n: not _replaces(edits[n])):
        edit = edits[n]
        if not issubclass(kind_of(edit) if isinstance(edit, str) else type(edit), kind.edits):
            forms = ", ".join(type_.form for type_ in kind.edits) or "none"
            raise ValueError(f"{edit} is not an edit of {checkpoint.name}, which has {forms}.")
        if isinstance(edit, str):
            things = partial(_things, checkpoint, sample, list(read.values()))
            try:
                edit = parse_edit(edit, BY_KIND[kind.name].naming, things)
            except UnknownNameError:
                if sample is None and 0 not in kind.same_inputs and kind_of(edit) in OF_INPUTS:
                    raise ValueError(OF_ONE_SAMPLE.format(edit=edit)) from None
                raise
        if isinstance(edit, RoutingEdit) and (edit.routing or 0) >= kind.n_routings:
            raise ValueError(f"routing is {edit.routing} in {edit}, and {checkpoint.name} has routing 0 alone.")
        read[n] = edit
    return [read[n] for n in range(len(edits))]


def in_words_of(checkpoint: Checkpoint, edit: Edit) -> str:
    """An edit of many samples in words, with its form behind it."""
    return f"{describe(edit, BY_KIND[checkpoint.kind].naming, {'class': checkpoint.classes})} ({edit})"


def _replaces(edit: Edit | str) -> bool:
    return isinstance(edit, ReplaceWord) or str(edit).startswith("replace:")


def _things(checkpoint: Checkpoint, sample: str | ndarray | None, edits: Sequence[Edit]) -> dict[str, list[str]]:
    """The names of all that edits of a run can name, after these edits of its text."""
    kind, config = KINDS[checkpoint.kind], checkpoint.model.config
    counts = {unit: getattr(config, f"n_{unit}s") for unit in UNITS if hasattr(config, f"n_{unit}s")}
    things = {"class": list(checkpoint.classes)}
    if isinstance(sample, str):
        text = retyped(sample, edits, lambda text: [word for words in kind.words(checkpoint, text) for word in words])
        sentences = kind.words(checkpoint, text)
        things["word"] = [word.text for words in sentences for word in words]
        counts["sentence"] = len(sentences)
    return things | {unit: [f"{unit} {n}" for n in range(1, count + 1)] for unit, count in counts.items()}
