"""The smallNORB network: convolutions detect 4x4 poses, and two EM routings classify the toy (Heinsen 2019, fig. 3)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.edits import Edit
from core.layers.initial import kaiming
from core.models.check import check_sizes
from core.models.two_routings import TwoRoutings, TwoSteps
from core.routing import EMRouting

STRIDES = (1, 2, 1, 2, 1, 2)
STEP = math.prod(STRIDES)  # pixels from one location of detected inputs to the next
# Pixels per side that a location sees. Each 3 x 3 kernel adds two, times the strides before it.
FIELD = 1 + 2 * sum(math.prod(STRIDES[:n]) for n in range(len(STRIDES)))
MIN_DEVIATION = 1 / 255  # one grey level; a picture that varies less is not amplified further
FIRST = FIELD // 2  # centre pixel of the first location, down and across, counted from 0


@dataclass(frozen=True)
class EMSmallNORBConfig:
    """Sizes of figure 3. A pose is d_pose x d_pose.

    Args:
        standardized: whether to scale each eye's picture to mean 0 and deviation 1, so that exposure and contrast do
            not matter; not in the paper.
    """

    n_classes: int = 5
    n_iters: int = 3
    n_channels: int = 64
    n_detected: int = 64
    n_parts: int = 64
    d_pose: int = 4
    standardized: bool = False

    def __post_init__(self):
        pose = ("d_pose", "d_pose")
        check_sizes(
            self, ("n_channels", "n_channels"), ("n_channels", "n_detected", *pose), ("n_parts", "n_classes", *pose)
        )


class EMSmallNORB(TwoRoutings):
    """Maps image pairs of any size to class scores."""

    def __init__(self, config: EMSmallNORBConfig):
        super().__init__()
        self.config = c = config
        layers: list[nn.Module] = []
        # The first layer has four channels: two pictures, and the row and column of each pixel.
        for n_inp, stride in zip((4, *[c.n_channels] * 5), STRIDES, strict=True):
            layers += [nn.BatchNorm2d(n_inp), nn.Conv2d(n_inp, c.n_channels, 3, stride), nn.SiLU()]
        self.convolve = nn.Sequential(*layers)
        self.to_scores = nn.Sequential(nn.BatchNorm2d(c.n_channels), nn.Conv2d(c.n_channels, c.n_detected, 1))
        self.to_poses = nn.Sequential(
            nn.BatchNorm2d(c.n_channels), nn.Conv2d(c.n_channels, c.n_detected * c.d_pose**2, 1)
        )
        self.to_parts = EMRouting(None, c.n_parts, c.d_pose, c.d_pose, c.d_pose, c.n_iters)
        self.to_classes = EMRouting(c.n_parts, c.n_classes, c.d_pose, c.d_pose, c.d_pose, c.n_iters)
        kaiming(self)

    def forward(self, images: Float[Tensor, "b 2 y x"], edits: Sequence[Edit] = ()) -> Float[Tensor, "b classes"]:
        """Class scores a_k; their softmax gives the probabilities. Arguments and errors as in ``steps``."""
        return self.class_capsules(images, edits)[0]

    def class_capsules(
        self, images: Float[Tensor, "b 2 y x"], edits: Sequence[Edit] = ()
    ) -> tuple[Float[Tensor, "b classes"], Float[Tensor, "b classes c h"], Float[Tensor, "b classes c h"]]:
        """Scores, means and variances of the class capsules. Arguments and errors as in ``steps``."""
        return self.route_to_classes(*self.capsules(images), edits)

    def steps(
        self, images: Float[Tensor, "b 2 y x"], n_iters: int | None = None, edits: Sequence[Edit] = ()
    ) -> Iterator[TwoSteps]:
        """The steps of both routings after each iteration (``route``).

        Args:
            images: left and right pictures, grey, from 0 to 1.
            n_iters: number of iterations; ``config.n_iters`` if None.
            edits: changes inside the routings, and changes of the parts' poses between them.

        Raises:
            ValueError: a shape does not fit, a side has fewer than ``FIELD`` pixels, or an edit is out of range.
        """
        yield from self.route(*self.capsules(images), n_iters, edits)

    def capsules(self, images: Float[Tensor, "b 2 y x"]) -> tuple[Float[Tensor, "b i"], Float[Tensor, "b i c d"]]:
        """Scores and poses of the inputs: ``n_detected`` per location of ``grid``, with locations row by row."""
        return self.detect(self.features(images))

    def features(self, images: Float[Tensor, "b 2 y x"]) -> Float[Tensor, "b channel row column"]:
        """The last convolution's output at each location of ``grid``."""
        if images.ndim != 4 or images.shape[1] != 2 or min(images.shape[2:]) < FIELD or not len(images):
            raise ValueError(f"images has shape {list(images.shape)}, wanted [b, 2, y, x], y and x from {FIELD}")
        if self.config.standardized:
            images = standardize(images)
        b, _, y, x = images.shape
        rows = torch.linspace(-1, 1, y).to(images)[:, None].expand(b, 1, y, x)
        columns = torch.linspace(-1, 1, x).to(images).expand(b, 1, y, x)
        return self.convolve(torch.cat([images, rows, columns], 1))

    def detect(
        self, features: Float[Tensor, "b channel row column"]
    ) -> tuple[Float[Tensor, "b i"], Float[Tensor, "b i c d"]]:
        """Scores and poses of the inputs, from the last convolution's output."""
        scores = self.to_scores(features).permute(0, 2, 3, 1).flatten(1)
        poses = self.to_poses(features).permute(0, 2, 3, 1)
        return scores, poses.reshape(*scores.shape, *[self.config.d_pose] * 2)


def standardize(images: Float[Tensor, "b 2 y x"]) -> Float[Tensor, "b 2 y x"]:
    """Scale each picture to mean 0 and standard deviation 1; a uniform picture becomes 0."""
    deviation, mean = torch.std_mean(images, (2, 3), correction=0, keepdim=True)
    return (images - mean) / deviation.clamp(min=MIN_DEVIATION)


def grid(y: int, x: int) -> tuple[int, int]:
    """The numbers of rows and columns of locations in images of y by x pixels."""
    return (y - FIELD) // STEP + 1, (x - FIELD) // STEP + 1
