"""One file per kind of network, each a subclass of ``core.networks.base.Network``, and code that all kinds share."""

from importlib import import_module

from core.networks.base import NETWORKS, Network, network_of

__all__ = ["NETWORKS", "Network", "network_of"]
for _kind in ("dragg", "documents", "cccaps", "em_text", "em_pictures", "agt", "drnn"):
    import_module(f"{__name__}.{_kind}")
