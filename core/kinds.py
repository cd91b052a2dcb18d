"""The table of networks. A new kind is its file in models/, its file in traces/, a row here, a recipe and a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

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
    parse_edit,
)
from core.inputs.readers import DocumentReader, ImageReader, Reader, TransformerReader, WordReader
from core.models.agt import AGT, AGTConfig
from core.models.cccaps import CCCaps, CCCapsConfig
from core.models.documents import DocumentDRAgg
from core.models.dragg import DRAgg, DRAggConfig
from core.models.drnn import DRNN, DRNNConfig
from core.models.em_smallnorb import EMSmallNORB, EMSmallNORBConfig
from core.models.em_sst import EMSST, EMSSTConfig
from core.trace import Trace
from core.traces import agt, cccaps, dragg, drnn, em, reruns
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
    n_routings: int = 1
    same_inputs: tuple[int, ...] = ()

    def names_an_input_of_one_sample(self, edit: Edit) -> bool:
        """Whether an edit names a word, or another input that each sample has for itself."""
        if not isinstance(edit, DropInput | SetCoupling):
            return isinstance(edit, ReplaceWord)
        return (0 if self.n_routings == 1 else edit.routing) not in self.same_inputs


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


def admitted(checkpoint: Checkpoint, edits: Sequence[Edit | str]) -> list[Edit]:
    """The edits, read where they are text.

    Raises:
        ValueError: a text that is not an edit, or an edit that this network does not have.
    """
    read = [parse_edit(edit) if isinstance(edit, str) else edit for edit in edits]
    for edit in read:
        kind = KINDS[checkpoint.kind]
        if not isinstance(edit, kind.edits):
            forms = ", ".join(type_.form for type_ in kind.edits) or "none"
            raise ValueError(f"{edit} is not an edit of {checkpoint.name}, which has {forms}.")
        if isinstance(edit, RoutingEdit) and (edit.routing or 0) >= kind.n_routings:
            raise ValueError(f"routing is {edit.routing} in {edit}, and {checkpoint.name} has routing 0 alone.")
    return read
