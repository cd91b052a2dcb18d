"""One file per kind of network, each a subclass of ``core.networks.base.Network``, and code that all kinds share."""

from importlib import import_module
from pkgutil import iter_modules

from core.added import import_added
from core.networks.base import NETWORKS, Network, network_of

__all__ = ["NETWORKS", "Network", "network_of"]
for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
import_added("network")
