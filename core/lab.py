"""Runs the same votes through every routing, without a network."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor
from torch.nn.functional import logsigmoid

from core.analysis import routing
from core.checkpoint import Checkpoint
from core.edits import Sharpness
from core.networks.base import network_of
from core.networks.run import check
from core.routing import ROUTINGS, RoutingStep, dynamic_routing, kmeans_routing
from core.routing.em import em_routing
from core.sentences.comparison import Routed, TextVotes, leader
from core.worked import Nouns, WorkedStep
from core.worked.votes import work_votes

SHOWN = ("dynamic", "kmeans")  # members of ``ROUTINGS`` that ``compare`` runs under their own names and settings
SURE = 20.0  # score a_i of an input that certainly exists: its f(a_i) is 1 to eight digits


def names() -> list[str]:
    """The names of all routings, in the order of ``compare``."""
    return ["standard", "reversed", "k-means", "EM", *(name for name in ROUTINGS if name not in SHOWN)]


def compare(
    votes: Float[ndarray, "i j h"],
    n_iters: int = 3,
    sharpness: float = 1.0,
    beta_use: float = 1.0,
    beta_ign: float = 0.5,
) -> list[Routed]:
    """Run votes through standard, reversed, k-means and EM routing, then through all others in ``ROUTINGS``.

    Args:
        votes: u_ij, the vote of input i for output capsule j.
        n_iters: iterations, at least 1.
        sharpness: the factor K of k-means routing (eq. 10); 1 is the paper's algorithm.
        beta_use, beta_ign: EM's benefit per unit of data used, and its cost per unit ignored.

    Raises:
        ValueError: the votes or n_iters are invalid.
    """
    u = _checked(votes, 3)[None]
    with torch.inference_mode():
        steps = {name: list(routed) for name, routed in _routings(u, n_iters, sharpness, beta_use, beta_ign).items()}
        return [
            _by_agreement("standard", u, steps.pop("standard")),
            _by_agreement("reversed", u, steps.pop("reversed"), "input"),
            _by_kmeans(steps.pop("k-means"), sharpness),
            _by_em(steps.pop("EM"), u),
            *(_by_agreement(name, u, others) for name, others in steps.items()),
        ]


def count_choices(
    votes: Float[ndarray, "n i j h"],
    whole: int,
    n_iters: int = 3,
    sharpness: float = 1.0,
    beta_use: float = 1.0,
    beta_ign: float = 0.5,
) -> dict[str, list[int]]:
    """In how many of several sets of votes each routing chooses a capsule, after each iteration.

    Args:
        votes: sets of votes.
        whole: index j of the capsule.
        n_iters, sharpness, beta_use, beta_ign: as in ``compare``.

    Raises:
        ValueError: the votes or n_iters are invalid.
    """
    with torch.inference_mode():
        routed = _routings(_checked(votes, 4), n_iters, sharpness, beta_use, beta_ign)
        return {
            name: [sum(leader(one) == whole for one in step.activation.numpy()) for step in steps]
            for name, steps in routed.items()
        }


def work(
    votes: Float[ndarray, "i j h"],
    name: str,
    cell: tuple[int, int],
    step: int,
    sharpness: float = 1.0,
    beta_use: float = 1.0,
    beta_ign: float = 0.5,
    nouns: Nouns | None = None,
) -> list[WorkedStep]:
    """Work out one iteration of a routing for one input and one output.

    Args:
        votes, sharpness, beta_use, beta_ign: as in ``compare``.
        name: one of ``names``.
        cell: input and output, from 0.
        step: iteration, from 1.
        nouns: words for the inputs, the outputs and the numbers of a vote.

    Raises:
        ValueError: the votes or the step are invalid.
    """
    u = _checked(votes, 3)[None]
    with torch.inference_mode():
        steps = list(_routings(u, step, sharpness, beta_use, beta_ign)[name])
    return work_votes(name, steps, votes, cell, nouns, sharpness, (beta_use, beta_ign))


def _routings(u: Tensor, n_iters: int, sharpness: float, beta_use: float, beta_ign: float) -> dict[str, Iterator[Any]]:
    """The steps of every routing of votes [n, i, j, h], by name. Other arguments as in ``compare``."""
    use, ignore = (torch.tensor(beta, dtype=u.dtype) for beta in (beta_use, beta_ign))
    edit = None if sharpness == 1 else Sharpness(sharpness)
    return {
        "standard": dynamic_routing(u, n_iters),
        "reversed": dynamic_routing(u, n_iters, "input"),
        "k-means": kmeans_routing(u, n_iters, edit=edit),
        "EM": em_routing(torch.full_like(u[..., 0, 0], SURE), u[:, :, :, None], use, ignore, n_iters),
        **{name: route(u, n_iters) for name, route in ROUTINGS.items() if name not in SHOWN},
    }


def _checked(votes: ndarray, n_dims: int) -> Tensor:
    """The votes as a tensor; ValueError unless they are finite and have this many axes."""
    votes = np.asarray(votes, dtype=np.float64)
    if votes.ndim != n_dims or not np.isfinite(votes).all():
        axes = ", ".join("nijh"[-n_dims:])
        raise ValueError(f"votes has shape {list(votes.shape)}, wanted [{axes}] of finite numbers")
    return torch.from_numpy(votes)


def _by_agreement(
    name: str, u: Tensor, steps: Sequence[RoutingStep], normalize: routing.Normalize = "output"
) -> Routed:
    """The result of a routing whose objective is the agreement of votes with capsules."""
    objective = [torch.einsum("bij,bjh,bijh->", step.coupling, step.capsules, u) for step in steps]
    known = {"logits": _stacked(steps, _logits)} if name in ("standard", "reversed") else {}
    return _routed(name, steps, objective, normalize, **known)


def _by_kmeans(steps: Sequence[RoutingStep], sharpness: float) -> Routed:
    """The result of k-means routing, whose objective is the clustering loss."""
    loss = routing.clustering_loss(_stacked(steps, lambda step: step.logits), sharpness)
    return _routed("k-means", steps, [torch.tensor(value) for value in loss], logits=_stacked(steps, _logits))


def _logits(step: Any) -> Tensor:
    return step.logits


def _by_em(steps: Sequence[Any], u: Tensor) -> Routed:
    """The result of EM routing, whose objective is the largest score. Its shares begin equal, without logits."""
    objective = [step.scores.max() for step in steps]
    used, ignored = (_stacked(steps, lambda step, name=name: getattr(step, name)) for name in ("benefit", "cost"))
    squares, logits = [torch.zeros_like(u[..., 0])], [torch.zeros_like(u[..., 0])]
    for before in steps[:-1]:
        means, variances = before.means[:, None, :, 0], before.variances[:, None, :, 0]
        squares.append(((u - means) ** 2 / variances).sum(-1))
        logits.append(logsigmoid(before.scores)[:, None] - 0.5 * (squares[-1] + variances.log().sum(-1)))
    distance, logits_of_all = torch.cat(squares).sqrt().numpy(), torch.cat(logits).numpy()
    return _routed("EM", steps, objective, used=used, ignored=ignored, logits=logits_of_all, distance=distance)


def _routed(
    name: str,
    steps: Sequence[Any],
    objective: list[Tensor],
    normalize: routing.Normalize = "output",
    **terms: ndarray,
) -> Routed:
    """The quantities of each step as arrays; ``terms`` are those that not every routing has, which are 0 without."""
    coupling = _stacked(steps, lambda step: step.coupling)
    activation = _stacked(steps, lambda step: step.activation)
    none = {"used": activation, "ignored": activation, "logits": coupling, "distance": coupling}
    none = {term: np.zeros_like(values) for term, values in none.items()}
    return Routed(
        name=name,
        normalize=normalize,
        coupling=coupling,
        activation=activation,
        entropy=routing.entropy(coupling, normalize).mean(1),
        change=np.nan_to_num(routing.change(coupling, normalize)),
        objective=np.array([float(value) for value in objective]),
        **none | terms,
    )


def _stacked(steps: Sequence[Any], read: Callable[[Any], Tensor]) -> ndarray:
    """A quantity of every step, for the only sample in the batch."""
    return torch.cat([read(step) for step in steps]).numpy()


def votes_of_text(checkpoint: Checkpoint, text: str) -> TextVotes:
    """The votes of a text: of its words for capsules in DR-AGG, of features or parts for classes in CCCaps and EM.

    Raises:
        ValueError: the text has no word, or the network does not route votes of texts.
    """
    check(checkpoint, text, None)
    with torch.inference_mode():
        read = network_of(checkpoint).votes(checkpoint, text)
    return TextVotes(read.votes[0].cpu().double().numpy(), read.unit, read.inputs, read.outputs)
