"""Networks, one a file, each with the frozen dataclass of its hyper-parameters beside it."""

from core.models.dragg import DRAgg, DRAggConfig

__all__ = ["DRAgg", "DRAggConfig"]
