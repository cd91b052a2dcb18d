"""Initial word vectors, from MiniLM's word pieces and from co-occurrence counts."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.layers import CompositionalEmbedding
from core.models.words import ReadsWords

RIDGE = 0.1  # penalty of the regression on word pieces
REACH = 2.5  # standard deviations that a book's codewords can compose


@torch.no_grad()
def init_from_pieces(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` to project on the pieces' principal components, and the embedding to the projections.

    The projection is scaled as a whole to unit variance on average, the scale that an LSTM is initialised for.
    """
    mean = pieces.mean(0)
    by_variance = torch.linalg.eigh((pieces - mean).T @ (pieces - mean)).eigenvectors.T.flip(0)
    axes = by_variance[: model.embedding.embedding_dim]
    axes = axes / ((pieces - mean) @ axes.T).std()
    model.from_pieces.weight.copy_(axes)
    model.from_pieces.bias.copy_(-(axes @ mean))
    model.embedding.weight.copy_(model.from_pieces(pieces))


@torch.no_grad()
def init_from_both(model: ReadsWords, pieces: Float[Tensor, "w piece"], counted: Float[Tensor, "w d"]) -> None:
    """Set the embedding to piece and co-occurrence vectors, and fit ``from_pieces`` to predict it from the pieces.

    Arguments as in ``concat_scaled``.
    """
    model.embedding.weight.copy_(concat_scaled(pieces, counted))
    fit_from_pieces(model, pieces)


def concat_scaled(pieces: Float[Tensor, "w piece"], counted: Float[Tensor, "w c"]) -> Float[Tensor, "w d"]:
    """Concatenate piece and co-occurrence vectors, each scaled to equal total variance, then scale to unit variance.

    Args:
        pieces: the mean of each word's word-piece embeddings.
        counted: co-occurrence vectors; a row of nan, of a word that the corpus lacks, is predicted from its pieces.
    """
    known = counted.isfinite().all(1)
    counted = torch.where(known[:, None], counted, _apply(_ridge(pieces[known], counted[known]), pieces))
    vectors = torch.cat([_centred(pieces), _centred(counted)], 1)
    return vectors / vectors.std()


@torch.no_grad()
def fit_from_pieces(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` to the ridge regression of the words' present vectors on their pieces."""
    weight, bias = _ridge(pieces, model.embedding.weight)
    model.from_pieces.weight.copy_(weight)
    model.from_pieces.bias.copy_(bias)


@torch.no_grad()
def init_table(table: nn.Embedding, vectors: Float[Tensor, "w d"]) -> None:
    """Set a table's rows to the leading principal components of the words' vectors, at unit variance on average."""
    table.weight.copy_(_leading(vectors, table.embedding_dim))


@torch.no_grad()
def init_codes(composed: CompositionalEmbedding, vectors: Float[Tensor, "w d"]) -> None:
    """Set codes and codebooks so that words start from the M (K - 1) leading principal components of their vectors.

    The codewords of a book are the corners of a regular simplex in K - 1 dimensions of the book's, and shares of them
    compose any point inside. A point further out than ``REACH`` standard deviations ends near a side.
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


def _centred(x: Float[Tensor, "w d"]) -> Float[Tensor, "w d"]:
    """The vectors at mean zero, scaled to a mean squared length of 1."""
    x = x - x.mean(0)
    return x / x.square().sum(1).mean().sqrt()


def _ridge(x: Float[Tensor, "w piece"], y: Float[Tensor, "w d"]) -> tuple[Tensor, Tensor]:
    """Weight [d, piece] and bias [d] of the ridge regression of y on x."""
    mean_x, mean_y = x.mean(0), y.mean(0)
    near = (x - mean_x).T @ (x - mean_x) + RIDGE * torch.eye(x.shape[1])
    weight = torch.linalg.solve(near, (x - mean_x).T @ (y - mean_y)).T
    return weight, mean_y - weight @ mean_x


def _apply(linear: tuple[Tensor, Tensor], x: Tensor) -> Tensor:
    return torch.nn.functional.linear(x, *linear)
