"""What each checkpoint is trained on and how. A recipe's name is the checkpoint's.

Settings and weights were chosen on the dev split.
"""

from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from core.backbones import D_PIECE, word_vectors
from core.datasets import Split, sst
from core.models import DRAgg, DRAggConfig
from core.text import Vocabulary
from core.training.loop import Batch, Schedule

ROUTINGS = {"output": "standard", "input": "reversed"}


@dataclass(frozen=True)
class SSTRecipe:
    """DR-AGG on every labelled phrase of the Stanford Sentiment Treebank.

    sentence_weight: how often a whole sentence stands in an epoch, where a phrase stands once.
    """

    name: str
    n_classes: int
    normalize: str
    paper: float  # accuracy that the paper reports on the test split
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=4, lr=7e-4, adversary=5.0))
    batch: int = 64
    sentence_weight: int = 3
    dropout: float = 0.3
    seed: int = 0

    kind = "dragg"
    corpus = "sst"
    source = "Gong et al. 2018, table 3"
    departs = (
        "Word vectors start from MiniLM's word pieces instead of GloVe. Trained by AdamW with cosine decay, averaged "
        "weights and a small adversarial step on the word vectors; the paper has Adam with step decay and L2."
    )
    data = "every labelled phrase of the Stanford Sentiment Treebank's training trees"

    @property
    def task(self) -> str:
        return f"sentiment of a sentence in {self.n_classes} classes, {ROUTINGS[self.normalize]} dynamic routing"

    def training_split(self, folder: Path) -> Split:
        phrases = sst.phrases(folder, "train", self.n_classes)
        sentences = sst.sentences(folder, "train", self.n_classes)
        more = self.sentence_weight - 1
        return Split(phrases.words + sentences.words * more, phrases.labels + sentences.labels * more, phrases.classes)

    def model(self, vocabulary: Vocabulary) -> DRAgg:
        """An untrained model whose word vectors are those of MiniLM's word pieces."""
        config = DRAggConfig(
            n_words=len(vocabulary),
            n_classes=self.n_classes,
            normalize=self.normalize,
            dropout_word=self.dropout,
            dropout_encoding=self.dropout,
            d_piece=D_PIECE,
        )
        model = DRAgg(config)
        start_from_pieces(model, word_vectors(vocabulary.words))
        return model


RECIPES = {
    r.name: r
    for r in (
        SSTRecipe("dragg-sst5", n_classes=5, normalize="output", paper=0.505),
        SSTRecipe("dragg-sst2", n_classes=2, normalize="output", paper=0.876),
        SSTRecipe("dragg-reversed-sst5", n_classes=5, normalize="input", paper=0.493),
    )
}


@torch.no_grad()
def start_from_pieces(model: DRAgg, pieces: Tensor) -> None:
    """Set ``from_pieces`` to the pieces' leading principal components, and the embedding to what it makes of them.

    The projection is scaled as a whole to unit variance a component on average, which is the
    scale an LSTM is initialised for.
    """
    mean = pieces.mean(0)
    by_variance = torch.linalg.eigh((pieces - mean).T @ (pieces - mean)).eigenvectors.T.flip(0)
    axes = by_variance[: model.config.d_word]
    axes = axes / ((pieces - mean) @ axes.T).std()
    model.from_pieces.weight.copy_(axes)
    model.from_pieces.bias.copy_(-(axes @ mean))
    model.embedding.weight.copy_(model.from_pieces(pieces))


def same_length_batches(split: Split, vocabulary: Vocabulary, batch: int, seed: int) -> list[Batch]:
    """An epoch of shuffled batches, each of samples of one length: no padding, so no mask."""
    generator = torch.Generator().manual_seed(seed)
    by_length: dict[int, list[int]] = {}
    for k, words in enumerate(split.words):
        by_length.setdefault(len(words), []).append(k)
    batches = []
    for _, members in sorted(by_length.items()):
        ids = torch.tensor([vocabulary.encode(split.words[k])[0] for k in members])
        labels = torch.tensor([split.labels[k] for k in members])
        for chosen in torch.randperm(len(members), generator=generator).split(batch):
            batches.append((ids[chosen], labels[chosen]))
    return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]
