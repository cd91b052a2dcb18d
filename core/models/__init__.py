"""Networks, one per file. Each file also has the frozen dataclass of the network's hyper-parameters."""

from core.models.agt import AGT, AGTConfig
from core.models.cccaps import CCCaps, CCCapsConfig
from core.models.documents import DocumentDRAgg
from core.models.dragg import DRAgg, DRAggConfig
from core.models.drnn import DRNN, DRNNConfig
from core.models.em_smallnorb import EMSmallNORB, EMSmallNORBConfig
from core.models.em_sst import EMSST, EMSSTConfig
from core.models.pooled import Pooled, PooledConfig

__all__ = [
    "AGT",
    "DRNN",
    "EMSST",
    "AGTConfig",
    "CCCaps",
    "CCCapsConfig",
    "DRAgg",
    "DRAggConfig",
    "DRNNConfig",
    "DocumentDRAgg",
    "EMSSTConfig",
    "EMSmallNORB",
    "EMSmallNORBConfig",
    "Pooled",
    "PooledConfig",
]
