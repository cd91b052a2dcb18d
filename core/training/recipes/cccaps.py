"""Trainings of compositional coding capsule networks and of their paper's baselines."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from torch import Tensor

from core.inputs.minilm import D_PIECE, word_vectors
from core.inputs.text import Vocabulary
from core.layers import CompositionalEmbedding
from core.models import CCCaps, CCCapsConfig
from core.models.cccaps import Embedding
from core.models.words import ReadsWords
from core.traces.cccaps import CCCapsTrace
from core.training.losses import LENGTH_LOSSES, LOGIT_LOSSES, Loss, sum_of_losses
from core.training.recipes.batches import similar_length_batches
from core.training.recipes.words import TextTraining
from core.training.schedules import Schedule
from core.training.word_vectors import concat_scaled, fit_from_pieces, init_codes, init_table


@dataclass(frozen=True, kw_only=True)
class CCCapsTraining(TextTraining):
    """The training of CCCaps or of a baseline.

    Args:
        embedding, routing, dropout: as in ``CCCapsConfig``.
        loss_of: names in ``core.training.losses``, joined by +.
    """

    embedding: Embedding = "cwc"
    routing: str = "kmeans"
    loss_of: str = "margin+focal"
    min_count: int = 2
    d_cooccurrence: int = 216
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=4, lr=1e-3))
    batch: int = 32
    dropout: float = 0.5

    kind: ClassVar[str] = CCCapsTrace.kind
    batches: ClassVar = staticmethod(similar_length_batches)

    def network(self, n_words: int) -> CCCaps:
        config = CCCapsConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            embedding=self.embedding,
            routing=self.routing,
            d_piece=D_PIECE,
            dropout=self.dropout,
        )
        return CCCaps(config)

    def model(self, vocabulary: Vocabulary, root: Path) -> CCCaps:
        """An untrained model whose word vectors start from MiniLM's word pieces and from the other vectors."""
        model = self.network(len(vocabulary))
        vectors = concat_scaled(word_vectors(vocabulary.words), self.other_vectors(vocabulary, root))
        if isinstance(model.embedding, CompositionalEmbedding):
            init_codes(model.embedding, vectors)
        else:
            init_table(model.embedding, vectors)
        return model

    def perturbed(self, model: ReadsWords) -> Tensor:
        embedding = model.embedding
        return embedding.books if isinstance(embedding, CompositionalEmbedding) else embedding.weight

    def loss(self) -> Loss:
        return sum_of_losses(self.loss_of, LOGIT_LOSSES if self.routing == "none" else LENGTH_LOSSES)

    def before_evaluation(self, vocabulary: Vocabulary) -> Callable[[ReadsWords], None]:
        pieces = word_vectors(vocabulary.words)
        return lambda model: fit_from_pieces(model, pieces)
