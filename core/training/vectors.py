"""Where word vectors start from: MiniLM's word pieces, and the company that words keep in a corpus."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from scipy.sparse import csr_array
from sklearn.decomposition import TruncatedSVD
from torch import Tensor, nn

from core.layers import CompositionalEmbedding
from core.models.words import ReadsWords

NEAR = 10  # words to either side that keep a word company, one at distance d counted 1 / d times
RARE = 2  # times that a word of the vocabulary stands in the corpus at least, to have a vector of its company
OTHERS = 5  # times, for a word outside the vocabulary to count as company
SMOOTHING = 0.75  # of how often a word is company at all
RIDGE = 0.1
REACH = 2.5  # standard deviations that a book's codewords can compose


@torch.no_grad()
def start_from_pieces(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` to the pieces' leading principal components, and the embedding to what it makes of them.

    The projection is scaled as a whole to unit variance a component on average, which is the
    scale an LSTM is initialised for.
    """
    mean = pieces.mean(0)
    by_variance = torch.linalg.eigh((pieces - mean).T @ (pieces - mean)).eigenvectors.T.flip(0)
    axes = by_variance[: model.embedding.embedding_dim]
    axes = axes / ((pieces - mean) @ axes.T).std()
    model.from_pieces.weight.copy_(axes)
    model.from_pieces.bias.copy_(-(axes @ mean))
    model.embedding.weight.copy_(model.from_pieces(pieces))


@torch.no_grad()
def start_from_both(model: ReadsWords, pieces: Float[Tensor, "w piece"], company: Float[Tensor, "w d"]) -> None:
    """Set the embedding to pieces and company side by side, and ``from_pieces`` to what guesses it from pieces."""
    model.embedding.weight.copy_(both(pieces, company))
    guess_from_pieces(model, pieces)


def both(pieces: Float[Tensor, "w piece"], company: Float[Tensor, "w c"]) -> Float[Tensor, "w d"]:
    """Pieces and company side by side, of one variance, summed over components, and the whole of unit variance a
    component on average. A company of nan, which is a word's that the corpus lacks, is guessed from its pieces.
    """
    seen = company.isfinite().all(1)
    company = torch.where(seen[:, None], company, _apply(_guess(pieces[seen], company[seen]), pieces))
    start = torch.cat([_of_unit_length(pieces), _of_unit_length(company)], 1)
    return start / start.std()


@torch.no_grad()
def guess_from_pieces(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` to what guesses the words' present vectors best from their pieces."""
    weight, bias = _guess(pieces, model.embedding.weight)
    model.from_pieces.weight.copy_(weight)
    model.from_pieces.bias.copy_(bias)


@torch.no_grad()
def start_table(table: nn.Embedding, vectors: Float[Tensor, "w d"]) -> None:
    """Set a table's rows to the leading components of the words' vectors, at unit variance a component on average."""
    table.weight.copy_(_leading(vectors, table.embedding_dim))


@torch.no_grad()
def start_codes(composed: CompositionalEmbedding, vectors: Float[Tensor, "w d"]) -> None:
    """Set codes and codebooks so that words start from the leading components of their vectors, M (K - 1) of them.

    The codewords of a book are the corners of a regular simplex in K - 1 dimensions of its own, and what shares of
    them compose is any point inside; one that is further out than ``REACH`` standard deviations comes near to a side.
    """
    composed.books.zero_()
    corners = _simplex(composed.n_codewords)
    across = corners.shape[1]
    if not across:  # one codeword a book: nothing to tell apart
        return
    x = _leading(vectors, min(composed.n_books * across, composed.embedding_dim))
    x = nn.functional.pad(x, (0, composed.n_books * across - x.shape[1]))
    reach = REACH * x.std(0).clamp(min=1e-6).view(-1, across).amax(1) * across  # a ball of it fits into the simplex
    shares = (1 + across * torch.einsum("wqc,ec->wqe", x.view(len(x), -1, across) / reach[:, None], corners)) / (
        across + 1
    )
    composed.codes.copy_(shares.clamp(min=0.01).log())
    for book in range(composed.n_books):
        here = slice(book * across, min((book + 1) * across, composed.embedding_dim))
        composed.books[book, :, here] = (reach[book] * corners)[:, : here.stop - here.start]


def _leading(vectors: Float[Tensor, "w d"], n: int) -> Float[Tensor, "w n"]:
    """The n leading principal components, of unit variance on average; zeros beyond those that there are."""
    u, s, _ = torch.linalg.svd(vectors - vectors.mean(0), full_matrices=False)
    x = u[:, :n] * s[:n]
    return nn.functional.pad(x / x.std(), (0, n - x.shape[1]))


def _simplex(n: int) -> Float[Tensor, "n dims"]:
    """The n corners of a regular simplex in n - 1 dimensions, each 1 from its middle."""
    middle = torch.eye(n) - 1 / n
    corners = torch.linalg.svd(middle).U[:, : n - 1]
    return corners / corners.norm(dim=1, keepdim=True).clamp(min=1e-12)


def company(texts: Sequence[Sequence[str]], vocabulary: Sequence[str], d: int) -> Float[Tensor, "w d"]:
    """Vectors of the words by the words that stand near them: positive pointwise mutual information, the most of it
    that d dimensions keep (Levy, Goldberg, Dagan 2015, TACL); nan for a word that is too rare.

    Args:
        texts: normalized words. No word is near one of another text.
    """
    wanted, times = set(vocabulary), Counter(word for text in texts for word in text)
    words = [word for word, n in times.items() if n >= (RARE if word in wanted else OTHERS)]
    number = {word: k for k, word in enumerate(words)}
    apart = [-1] * NEAR
    flat = np.array([number.get(word, -1) for text in texts for word in (*text, *apart)])
    information = _positive_information(_counts(flat, len(words)))
    svd = TruncatedSVD(d, n_iter=3, random_state=0)
    found = svd.fit_transform(information) / np.sqrt(svd.singular_values_)
    rows = np.full((len(vocabulary), d), np.nan, np.float32)
    for row, word in zip(rows, vocabulary, strict=True):
        if word in number:
            row[:] = found[number[word]]
    return torch.from_numpy(rows)


def _counts(flat: ndarray, n_words: int) -> csr_array:
    """How often one word stands near another; flat: word numbers, -1 where none counts."""
    counts = csr_array((n_words, n_words), dtype=np.float32)
    for distance in range(1, NEAR + 1):
        left, right = flat[:-distance], flat[distance:]
        both = (left >= 0) & (right >= 0)
        each = np.full(both.sum(), 1 / distance, np.float32)
        counts = counts + csr_array((each, (left[both], right[both])), shape=counts.shape)
    return counts + counts.T


def _positive_information(counts: csr_array) -> csr_array:
    """log P(word, company) / P(word) P(company), where it is above zero."""
    of_word, of_company = counts.sum(1), counts.sum(0) ** SMOOTHING
    found = counts.tocoo()
    row, column = found.coords
    information = np.log(found.data / of_word[row] / (of_company / of_company.sum())[column])
    kept = information > 0
    return csr_array((information[kept], (row[kept], column[kept])), shape=counts.shape)


def _of_unit_length(x: Float[Tensor, "w d"]) -> Float[Tensor, "w d"]:
    """Moved to mean zero and scaled to a mean square length of 1."""
    x = x - x.mean(0)
    return x / x.square().sum(1).mean().sqrt()


def _guess(x: Float[Tensor, "w piece"], y: Float[Tensor, "w d"]) -> tuple[Tensor, Tensor]:
    """Weight [d, piece] and bias [d] of the ridge regression of y on x."""
    mean_x, mean_y = x.mean(0), y.mean(0)
    near = (x - mean_x).T @ (x - mean_x) + RIDGE * torch.eye(x.shape[1])
    weight = torch.linalg.solve(near, (x - mean_x).T @ (y - mean_y)).T
    return weight, mean_y - weight @ mean_x


def _apply(linear: tuple[Tensor, Tensor], x: Tensor) -> Tensor:
    return torch.nn.functional.linear(x, *linear)
