"""k-means routing (Ren, Lu 2022, Pattern Recognition Letters; algorithm 1, eq. 13-15)."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from core.edits import EditArgument
from core.routing.edited import Edited
from core.routing.step import RoutingStep, check_votes, squash
from core.types import Mask


@dataclass(frozen=True, kw_only=True)
class KMeansStep(RoutingStep):
    """One iteration of k-means routing. Its capsules are the squashed centres.

    logits: b_ij, the cosine between u_ij and the previous iteration's centre of capsule j.
    centres: v_j before squashing, from which the next iteration starts.
    """

    logits: Float[Tensor, "b i j"]
    centres: Float[Tensor, "b j h"]


def kmeans_routing(
    votes: Float[Tensor, "b i j h"], n_iters: int, mask: Mask = None, edit: EditArgument = None
) -> Iterator[KMeansStep]:
    """Route input capsules to output capsules by the cosine between each vote and each centre.

    Logits are replaced in every iteration, not accumulated. They lie in [-1, 1], so no share of an input is more than
    e^2 times another share.

    Args:
        votes: u_ij [b, i, j, h], the vote of input capsule i for output capsule j.
        n_iters: iterations T, at least 1.
        mask: [b, i], True for real inputs. Padding is ignored: its c_ij is 0.
        edit: changes inside the routing, applied in order.

    Yields:
        One KMeansStep per iteration; c_ij sums to 1 over j.

    Raises:
        ValueError: a shape, dtype, count or edit is invalid. It is raised at the call, not at the first step.

    Source:
        Ren, Lu 2022, algorithm 1, eq. 13-15.
    """
    check_votes(votes, n_iters, mask)
    edited = Edited(edit, votes, votes.shape[2], mask, is_kmeans=True)
    return edited.steps(_iterate(votes, n_iters, edited))


def _iterate(votes: Tensor, n_iters: int, edited: Edited) -> Iterator[KMeansStep]:
    mask = edited.mask
    if mask is not None:
        votes = votes.masked_fill(~mask[:, :, None, None], 0)
    directions = normalize(votes, dim=-1)
    v = votes.sum(1) / votes.shape[2]  # the centres if each input is shared equally
    for _ in range(n_iters):
        b = torch.einsum("bijh,bjh->bij", directions, normalize(v, dim=-1))
        c = b.softmax(2)
        if mask is not None:
            c = c.masked_fill(~mask[:, :, None], 0)
        c = edited.couplings(c)
        v = torch.einsum("bij,bijh->bjh", c, votes)  # eq. 14
        yield KMeansStep(coupling=c, capsules=squash(v), logits=b, centres=v)
