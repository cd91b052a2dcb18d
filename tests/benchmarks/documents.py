"""A training step of DR-AGG over a review's sentences, compared with DR-AGG over all its words."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from core.models import DocumentDRAgg, DRAgg, DRAggConfig
from tests.benchmarks.figure import Figure, median_seconds

N_REVIEWS, N_WORDS, D = 32, 240, 100
SENTENCES = (8, 12, 16, 20, 24, 28, 32, 40, 60)  # words per sentence, 240 in all


def documents(device: str) -> list[Figure]:
    """The time of a training step of 32 reviews, for the network `dragg-imdb` and for DR-AGG of the same sizes.

    The paper says that the hierarchy is faster (section 4).
    """
    torch.manual_seed(0)
    config = DRAggConfig(n_words=1000, n_classes=2, d_capsule=D, d_word=500, d_hidden=D)
    words = torch.randint(config.n_words, (N_REVIEWS, N_WORDS), device=device)
    classes = torch.randint(config.n_classes, (N_REVIEWS,), device=device)
    rows = [sentence for review in words for sentence in review.split(SENTENCES)]
    padded = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    lengths = torch.tensor([len(row) for row in rows], device=device)
    mask = torch.arange(padded.shape[1], device=device) < lengths[:, None]
    counts = torch.full((N_REVIEWS,), len(SENTENCES), device=device)
    flat, hierarchical = DRAgg(config).to(device), DocumentDRAgg(config).to(device)

    def seconds_per_step(read: Callable[[], Tensor]) -> float:
        return median_seconds(lambda: nn.functional.cross_entropy(read(), classes).backward(), device)

    at_once = seconds_per_step(lambda: flat(words))
    by_sentence = seconds_per_step(lambda: hierarchical(padded, mask, counts=counts))
    name = "32 reviews of 240 words, a training step, all words at once / sentence by sentence"
    return [Figure(name, at_once / by_sentence, 1, "times", at_least=True)]
