"""Recipes of compositional coding capsule networks, and of the networks that the paper compares them with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from torch import nn

from core.inputs.text import Vocabulary
from core.inputs.transformers import D_PIECE, word_vectors
from core.models import CCCaps, CCCapsConfig
from core.models.words import ReadsWords
from core.training.loop import Schedule
from core.training.losses import Loss, summed
from core.training.recipes.batches import like_length_batches
from core.training.recipes.words import TextRecipe
from core.training.vectors import both, guess_from_pieces, start_codes, start_table


@dataclass(frozen=True, kw_only=True)
class CCCapsRecipe(TextRecipe):
    """CCCaps', from scratch. loss_of: names of ``core.training.losses``, a + between."""

    embedding: str = "cwc"
    routing: str = "kmeans"
    loss_of: str = "margin+focal"
    least: int = 2
    d_company: int = 216
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=4, lr=1e-3))
    batch: int = 32
    dropout: float = 0.5

    kind: ClassVar[str] = "cccaps"
    batches: ClassVar = staticmethod(like_length_batches)
    instead: ClassVar[str] = ""
    reads: ClassVar[str] = (
        "Words outside its vocabulary have the vector that their MiniLM word pieces suggest, by what they suggest of "
        "the words inside; they were never trained."
    )
    purpose: ClassVar[str] = (
        "**What it is for.** To show how routing, by k-means or by agreement, makes a class of what a text's capsules "
        "say, on English texts of this kind. **What it is not for.**\nOther languages, other kinds of text or "
        "decisions about people."
    )

    @property
    def task(self) -> str:
        how = {"kmeans": "k-means routing", "dynamic": "dynamic routing", "none": "no routing"}[self.routing]
        return f"{self.about}, {how}"

    @property
    def departs(self) -> str:
        return (
            f"{self.starts} They are composed to start near these, where the paper's start anywhere. Trained by AdamW "
            f"for {self.schedule.epochs} epochs, after which so few texts are learned by heart, with cosine decay and "
            "averaged weights; the paper has Adam at a fixed rate for 10. Words are this program's, not a token for "
            f"each character that is no letter, those that stand {self.least} times or more in the training texts, "
            f"which are cut after {self.longest} words."
        )

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

    def model(self, vocabulary: Vocabulary) -> CCCaps:
        """An untrained model whose composed vectors, or table, begin near pieces and company."""
        model = self.network(len(vocabulary))
        vectors = both(word_vectors(vocabulary.words), self.company(vocabulary))
        if self.embedding == "plain":
            start_table(model.embedding, vectors)
        else:
            start_codes(model.embedding, vectors)
        return model

    def attacked(self, model: ReadsWords) -> nn.Parameter:
        return model.embedding.weight if self.embedding == "plain" else model.embedding.books

    def loss(self) -> Loss:
        return summed(self.loss_of if self.routing != "none" else "cross-entropy")

    def settle(self, vocabulary: Vocabulary) -> Callable[[ReadsWords], None]:
        pieces = word_vectors(vocabulary.words)
        return lambda model: guess_from_pieces(model, pieces)
