"""Trainings of disconnected recurrent networks, and of their baselines, on whole texts."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from core.inputs.minilm import D_PIECE
from core.models import DRNN, DRNNConfig
from core.traces.drnn import DRNNTrace
from core.training.recipes.batches import similar_length_batches
from core.training.recipes.words import TextTraining
from core.training.schedules import Schedule


@dataclass(frozen=True, kw_only=True)
class DRNNTraining(TextTraining):
    """The training of a DRNN or of a baseline.

    Args:
        window, unit, pooling, dropout, dropout_hidden: as in ``DRNNConfig``.
        d: components of hidden states and of the layers after them.
    """

    window: int = DRNNConfig.window
    unit: str = "gru"
    pooling: Literal["max", "mean", "attentive"] = "max"
    d: int = 150
    min_count: int = 2
    d_cooccurrence: int = 216
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=6, lr=1.5e-3, perturbation=10.0))
    batch: int = 64
    dropout: float = 0.5
    dropout_hidden: float = 0.1

    kind: ClassVar[str] = DRNNTrace.kind
    batches: ClassVar = staticmethod(similar_length_batches)

    def network(self, n_words: int) -> DRNN:
        config = DRNNConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            window=self.window,
            unit=self.unit,
            pooling=self.pooling,
            d_word=D_PIECE + self.d_other,
            d_hidden=self.d,
            d_mlp=self.d,
            d_piece=D_PIECE,
            dropout=self.dropout,
            dropout_hidden=self.dropout_hidden,
        )
        return DRNN(config)
