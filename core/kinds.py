"""The table of networks. A new kind is its file in models/, its file in traces/, a row here, a recipe and a page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from core.checkpoint import Checkpoint
from core.inputs.readers import DocumentReader, ImageReader, Reader, TransformerReader, WordReader
from core.models.agt import AGT, AGTConfig
from core.models.cccaps import CCCaps, CCCapsConfig
from core.models.documents import DocumentDRAgg
from core.models.dragg import DRAgg, DRAggConfig
from core.models.drnn import DRNN, DRNNConfig
from core.models.em_smallnorb import EMSmallNORB, EMSmallNORBConfig
from core.models.em_sst import EMSST, EMSSTConfig
from core.trace import Trace
from core.traces import agt, cccaps, dragg, drnn, em


@dataclass(frozen=True)
class Kind:
    """A kind of network.

    Args:
        name: as in a checkpoint's config.json, and as its trace class registers itself.
        model: the network's class; its constructor takes a ``config``.
        config: the frozen dataclass of its hyper-parameters.
        reader: converts samples to the arguments of ``model.forward``.
        trace: (checkpoint, sample, n_iters) -> trace; for n_iters None, as many iterations as in training.
    """

    name: str
    model: type[torch.nn.Module]
    config: type[Any]
    reader: type[Reader]
    trace: Callable[[Checkpoint, Any, int | None], Trace]


KINDS = {
    kind.name: kind
    for kind in (
        Kind("dragg", DRAgg, DRAggConfig, WordReader, dragg.trace),
        Kind("dragg-documents", DocumentDRAgg, DRAggConfig, DocumentReader, dragg.trace_document),
        Kind("cccaps", CCCaps, CCCapsConfig, WordReader, cccaps.trace),
        Kind("em-sst", EMSST, EMSSTConfig, TransformerReader, em.trace),
        Kind("em-smallnorb", EMSmallNORB, EMSmallNORBConfig, ImageReader, em.trace_pictures),
        Kind("agt", AGT, AGTConfig, WordReader, agt.trace),
        Kind("drnn", DRNN, DRNNConfig, WordReader, drnn.trace),
    )
}
