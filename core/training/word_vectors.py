"""Initial word vectors from MiniLM's word pieces, co-occurrence counts and GloVe."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.layers import CompositionalEmbedding
from core.models.words import ReadsWords

RIDGE = 0.1  # penalty of the regression on word pieces
REACH = 2.5  # largest distance that sums of codewords can represent, in standard deviations of the components


@torch.no_grad()
def init_from_pieces(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` to project on the pieces' principal components, and the embedding to the projections.

    The projections are scaled together to unit variance on average, the scale for which LSTMs are initialized.

    Args:
        model: model whose weights are set.
        pieces: mean of each word's word-piece embeddings.
    """
    init_projection(model, pieces)
    model.embedding.weight.copy_(model.from_pieces(pieces))


@torch.no_grad()
def init_projection(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` as ``init_from_pieces`` does, without the embedding.

    Rows beyond the number of the pieces' components stay as they are.
    """
    mean = pieces.mean(0)
    by_variance = torch.linalg.eigh((pieces - mean).T @ (pieces - mean)).eigenvectors.T.flip(0)
    axes = by_variance[: model.from_pieces.out_features]
    axes = axes / ((pieces - mean) @ axes.T).std()
    model.from_pieces.weight[: len(axes)] = axes
    model.from_pieces.bias[: len(axes)] = -(axes @ mean)


@torch.no_grad()
def init_from_all(model: ReadsWords, pieces: Float[Tensor, "w piece"], others: Sequence[Float[Tensor, "w _"]]) -> None:
    """Set the embedding to piece and other vectors, and fit ``from_pieces`` to predict it from the pieces.

    Arguments as in ``init_from_pieces`` and ``concat_scaled``.
    """
    model.embedding.weight.copy_(concat_scaled(pieces, others, model.embedding.embedding_dim))
    fit_from_pieces(model, pieces)


def concat_scaled(
    pieces: Float[Tensor, "w piece"], others: Sequence[Float[Tensor, "w _"]], d: int | None = None
) -> Float[Tensor, "w d"]:
    """Concatenate piece and other vectors, each kind scaled to equal total variance, then scale to unit variance.

    Args:
        pieces: mean of each word's word-piece embeddings.
        others: co-occurrence or GloVe vectors. A row of NaN (a word too rare in the corpus) is predicted from the
            word's pieces.
        d: components of the result; if there are too few for all of the pieces', these are reduced to their leading
            principal components. Enough for all if None.
    """
    room = pieces.shape[1] if d is None else d - sum(other.shape[1] for other in others)
    kept = pieces if room >= pieces.shape[1] else _leading(pieces, room)
    vectors = torch.cat([_centred(kept), *(_centred(_filled(other, pieces)) for other in others)], 1)
    return vectors / vectors.std()


@torch.no_grad()
def fit_from_pieces(model: ReadsWords, pieces: Float[Tensor, "w piece"]) -> None:
    """Set ``from_pieces`` to the ridge regression of the words' current vectors on their pieces."""
    weight, bias = _ridge(pieces, model.embedding.weight.cpu())
    model.from_pieces.weight.copy_(weight)
    model.from_pieces.bias.copy_(bias)


@torch.no_grad()
def init_table(table: nn.Embedding, vectors: Float[Tensor, "w d"]) -> None:
    """Set a table's rows to the leading principal components of the words' vectors, at unit variance on average."""
    table.weight.copy_(_leading(vectors, table.embedding_dim))


@torch.no_grad()
def init_codes(embedding: CompositionalEmbedding, vectors: Float[Tensor, "w d"]) -> None:
    """Set codes and codebooks so that words start from the M (K - 1) leading principal components of their vectors.

    Each book has its own K - 1 components. In these its codewords are the corners of a regular simplex, so that their
    weighted sums reach any point inside. A point beyond ``REACH`` standard deviations is moved close to the surface.
    """
    embedding.books.zero_()
    corners = _simplex(embedding.n_codewords)
    across = corners.shape[1]
    if not across:  # with one codeword in a book all words have the same vector
        return
    x = _leading(vectors, min(embedding.n_books * across, embedding.embedding_dim))
    x = nn.functional.pad(x, (0, embedding.n_books * across - x.shape[1]))
    reach = REACH * x.std(0).clamp(min=1e-6).view(-1, across).amax(1) * across  # the inscribed ball has REACH
    # Shares that sum to 1, and whose weighted sum of the corners is x.
    shares = (1 + across * torch.einsum("wqc,ec->wqe", x.view(len(x), -1, across) / reach[:, None], corners)) / (
        across + 1
    )
    embedding.codes.copy_(shares.clamp(min=0.01).log())
    for book in range(embedding.n_books):
        components = slice(book * across, min((book + 1) * across, embedding.embedding_dim))
        embedding.books[book, :, components] = (reach[book] * corners)[:, : components.stop - components.start]


def _leading(vectors: Float[Tensor, "w d"], n: int) -> Float[Tensor, "w n"]:
    """The n leading principal components, scaled to unit variance on average; padded with zeros if there are fewer."""
    u, s, _ = torch.linalg.svd(vectors - vectors.mean(0), full_matrices=False)
    x = u[:, :n] * s[:n]
    return nn.functional.pad(x / x.std(), (0, n - x.shape[1]))


def _simplex(n: int) -> Float[Tensor, "n dims"]:
    """The n corners of a regular simplex in n - 1 dimensions, at distance 1 from its centre."""
    centred = torch.eye(n) - 1 / n
    corners = torch.linalg.svd(centred).U[:, : n - 1]
    return corners / corners.norm(dim=1, keepdim=True).clamp(min=1e-12)


def _filled(vectors: Float[Tensor, "w d"], pieces: Float[Tensor, "w piece"]) -> Float[Tensor, "w d"]:
    """The vectors, with rows of NaN predicted from the words' pieces."""
    has_vector = vectors.isfinite().all(1)
    predicted = _apply(_ridge(pieces[has_vector], vectors[has_vector]), pieces)
    return torch.where(has_vector[:, None], vectors, predicted)


def _centred(x: Float[Tensor, "w d"]) -> Float[Tensor, "w d"]:
    """Shift the vectors to mean zero and scale them to a mean squared length of 1."""
    x = x - x.mean(0)
    return x / x.square().sum(1).mean().sqrt()


def _ridge(x: Float[Tensor, "w piece"], y: Float[Tensor, "w d"]) -> tuple[Tensor, Tensor]:
    """Ridge regression of y on x: its weight [d, piece] and bias [d]."""
    mean_x, mean_y = x.mean(0), y.mean(0)
    regularized = (x - mean_x).T @ (x - mean_x) + RIDGE * torch.eye(x.shape[1])
    weight = torch.linalg.solve(regularized, (x - mean_x).T @ (y - mean_y)).T
    return weight, mean_y - weight @ mean_x


def _apply(linear: tuple[Tensor, Tensor], x: Tensor) -> Tensor:
    return torch.nn.functional.linear(x, *linear)
