"""A plain convolutional network for smallNORB, as a baseline for the capsule network."""

from jaxtyping import Float
from torch import Tensor, nn

from core.models.em_smallnorb import EMSmallNORB, EMSmallNORBConfig

N_LAST = 144  # channels of the last convolution; so it has about as many parameters as the capsule network


class ConvolutionalSmallNORB(EMSmallNORB):
    """The capsule network's convolutions, with one more convolution and a linear layer instead of its routings.

    Pictures have 48 pixels per side, half of smallNORB's, as in Hinton et al. 2018.
    """

    def __init__(self, config: EMSmallNORBConfig):
        super().__init__(config)
        del self.to_scores, self.to_poses, self.to_parts, self.to_classes
        self.classify = nn.Sequential(
            nn.BatchNorm2d(config.n_channels),
            nn.Conv2d(config.n_channels, N_LAST, 3),
            nn.SiLU(),
            nn.Flatten(),
            nn.Linear(N_LAST, config.n_classes),
        )

    def forward(self, images: Float[Tensor, "b 2 48 48"]) -> Float[Tensor, "b classes"]:
        """Class scores; their softmax gives the probabilities."""
        return self.classify(self.features(images))
