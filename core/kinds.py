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

    name: as config.json of a checkpoint and the class of its traces have it.
    model, config: the network's class, which takes its configuration.
    reader: turns samples into the arguments of the network.
    trace: runs a checkpoint on a sample for a number of iterations, None for its own count.
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
