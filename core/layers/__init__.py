"""Layers that are neither a routing nor a whole network."""

from core.layers.disconnected import UNITS, DisconnectedRNN

__all__ = ["UNITS", "DisconnectedRNN"]
