"""The change of pose vectors as a toy turns (Heinsen 2019, section 4.3, figures 4, 6, 7), and predictions from them."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


class Places(NamedTuple):
    """Points in a plane, or in space, that represent pose vectors.

    Args:
        points: one point per view and vector, with 2 or 3 coordinates.
        stress: Stress-1, the error in the distances between points: the root of (sum of squared errors / sum of squared
            distances). 0 is exact, .2 poor.
    """

    points: Float[ndarray, "view v n"]
    stress: float


class PoseChange(NamedTuple):
    """Each pose vector v compared with the same vector in the first view, v0."""

    distance: Float[ndarray, "*toys view v"]  # |v - v0| / |v0|
    norm: Float[ndarray, "*toys view v"]  # |v| / |v0|
    cosine: Float[ndarray, "*toys view v"]  # cosine of the angle between v and v0


class Principal(NamedTuple):
    """Principal components of vectors, and the share of the variance that they keep, 0 to 1."""

    points: Float[ndarray, "*n k"]
    share: float


class AlignedPoses(NamedTuple):
    """Pose vectors of several toys, moved, scaled and rotated to fit the first toy's.

    Args:
        disparity: sum of squared distances to the first toy's vectors, as a share of their sum of squares around their
            mean. 0 is the same shape, 1 no likeness.
    """

    poses: Float[ndarray, "toy view v d"]
    disparity: Float[ndarray, " toy"]


def project(poses: Float[ndarray, "view v d"], n_dims: Literal[2, 3] = 2) -> Places:
    """Project all pose vectors of all views to a plane, or to space, by metric multidimensional scaling (fig. 4).

    The search starts from the classical solution, so equal poses give equal points. Only distances are meaningful: the
    points may be rotated or mirrored.
    """
    from sklearn.manifold import MDS  # takes half a second to import

    vectors = poses.reshape(-1, poses.shape[2]).astype(float)
    if np.ptp(vectors, axis=0).max() == 0:  # all vectors are equal, so there are no distances to scale
        return Places(np.zeros((*poses.shape[:2], n_dims)), 0.0)
    scaling = MDS(n_dims, init="classical_mds", n_init=1, normalized_stress=True, random_state=0)
    points = scaling.fit_transform(vectors)
    return Places(points.reshape(*poses.shape[:2], n_dims), float(scaling.stress_))


def compare_with_first(poses: Float[ndarray, "*toys view v d"]) -> PoseChange:
    """Relative distance, norm ratio and cosine of each pose vector (fig. 6 and 7); NaN where v or v0 is 0."""
    poses = poses.astype(float)
    first = poses[..., :1, :, :]
    norm, norm_first = (np.linalg.norm(p, axis=-1) for p in (poses, first))
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.where(norm_first > 0, np.linalg.norm(poses - first, axis=-1) / norm_first, np.nan)
        ratio = np.where(norm_first > 0, norm / norm_first, np.nan)
        cosine = (poses * first).sum(-1) / (norm * norm_first)
    return PoseChange(distance, ratio, np.clip(cosine, -1, 1))


def principal(vectors: Float[ndarray, "*n d"], n_dims: int) -> Principal:
    """Project vectors, centred on their mean, to their first principal components. Weighted means stay weighted means.

    If the vectors have fewer components than ``n_dims``, the others are 0.
    """
    flat = vectors.reshape(-1, vectors.shape[-1]).astype(float)
    left, singular, _ = np.linalg.svd(flat - flat.mean(0), full_matrices=False)
    points = np.zeros((len(flat), n_dims))
    points[:, : len(singular)] = (left * singular)[:, :n_dims]
    total = (singular**2).sum()
    share = float((singular[:n_dims] ** 2).sum() / total) if total else 1.0
    return Principal(points.reshape(*vectors.shape[:-1], n_dims), share)


def align(poses: Float[ndarray, "toy view v d"]) -> AlignedPoses:
    """Move, scale and rotate each toy's pose vectors to fit the first toy's.

    Each toy has one transformation for all its views and vectors. If a toy's vectors are all equal, it is only moved.

    Source: Schönemann 1966, A generalized solution of the orthogonal Procrustes problem.
    """
    from scipy.linalg import orthogonal_procrustes

    points = poses.reshape(len(poses), -1, poses.shape[3]).astype(float)
    means = points.mean(1, keepdims=True)
    centred = points - means
    sizes = np.linalg.norm(centred, axis=(1, 2), keepdims=True)
    unit = np.divide(centred, sizes, out=np.zeros_like(centred), where=sizes > 0)
    aligned = np.empty_like(unit)
    for toy, shape in enumerate(unit):
        rotation, scale = orthogonal_procrustes(shape, unit[0])
        aligned[toy] = scale * shape @ rotation
    disparity = ((aligned - unit[0]) ** 2).sum((1, 2))
    return AlignedPoses((aligned * sizes[0] + means[0]).reshape(poses.shape), disparity)


def circular(degrees: Float[ndarray, " n"]) -> Float[ndarray, "n 2"]:
    """The sine and cosine of each angle, so that 359 and 1 degrees are neighbours."""
    return np.stack([np.sin(np.radians(degrees)), np.cos(np.radians(degrees))], 1)


def held_out_r2(
    features: Float[ndarray, "n f"],
    targets: Float[ndarray, "n target"],
    toys: Int[ndarray, " n"],
    method: str = "linear",
) -> Float[ndarray, "toy target"]:
    """R2 of predictions of each target from the features, on toys that the predictor was not fitted to.

    Features are standardized. In each fold the predictor is fitted to all toys but one.

    Args:
        features: features of each picture.
        targets: values to predict for each picture.
        toys: index of the toy in each picture.
        method: a key of ``METHODS``.

    Returns:
        R2 per toy and target over the toy's pictures, in ascending order of toys: 1 is perfect, 0 no better than the
        mean, below 0 worse.

    Raises:
        ValueError: fewer than two toys, or there is no such method.
    """
    from sklearn.metrics import r2_score
    from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if method not in METHODS:
        raise ValueError(f"method is {method!r}, wanted one of {', '.join(METHODS)}")
    numbers = np.unique(toys)
    if len(numbers) < 2:
        raise ValueError(f"toys holds {len(numbers)} toy, wanted at least two, so that one can be left out")
    predictor = make_pipeline(StandardScaler(), METHODS[method]())
    predicted = cross_val_predict(predictor, features, targets, groups=toys, cv=LeaveOneGroupOut())
    return np.stack([r2_score(targets[toys == n], predicted[toys == n], multioutput="raw_values") for n in numbers])


def nearest_toy(
    capsules: Float[ndarray, "k c h"], toys: Int[ndarray, "toy 2"], views: Float[ndarray, "toy view c h"]
) -> tuple[int, float]:
    """Find the toy whose pose in any view is nearest to the run's pose.

    A toy is compared with the class capsule of its own category.

    Args:
        capsules: class capsules of a run.
        toys: category and instance of each toy.
        views: pose of that class capsule for each toy and view.

    Returns:
        The toy's row, and the Euclidean distance.
    """
    distances = np.linalg.norm(views - capsules[toys[:, 0], None], axis=(2, 3)).min(1)
    return int(distances.argmin()), float(distances.min())


def _linear() -> Any:
    """Ridge regression, with the penalty chosen by leave-one-out on the fitted samples."""
    from sklearn.linear_model import RidgeCV

    return RidgeCV(np.logspace(-3, 5, 9))


def _neighbours() -> Any:
    """The mean over the five nearest fitted samples, weighted by closeness."""
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(5, weights="distance")


def _mlp() -> Any:
    """A network with one layer of 64 hidden units, with early stopping on a held-out tenth of the samples.

    Targets are standardized because they share one loss, in which degrees would outweigh a sine.
    """
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.preprocessing import StandardScaler

    network = MLPRegressor(hidden_layer_sizes=(64,), early_stopping=True, random_state=0, max_iter=2000)
    return TransformedTargetRegressor(network, transformer=StandardScaler())


METHODS: dict[str, Callable[[], Any]] = {"linear": _linear, "nearest neighbours": _neighbours, "small MLP": _mlp}
