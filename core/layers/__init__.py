"""Layers that are neither a routing nor a whole network."""

from core.layers.compositional import CompositionalEmbedding
from core.layers.disconnected import UNITS, DisconnectedRNN

__all__ = ["UNITS", "CompositionalEmbedding", "DisconnectedRNN"]
