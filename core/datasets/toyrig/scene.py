"""Paint, ground, light and camera of a pair of pictures: fixed for test toys, random for every training toy."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Scene:
    """Everything that a pair of pictures depends on, except the toy, its direction and the lighting.

    Args:
        paint, ground: grey of the toy and of the ground in full light.
        gloss: largest grey that a lamp's reflection adds to the toy.
        direct, sky: weights of the light from the lamps and from all around. Their ratio sets how dark shadows are.
        slope: change in the ground's grey from the middle of the picture to its right and to its lower edge, as shares.
        fill: mean of the toy's width and height in the picture, in pixels.
        tilt: rotation of both cameras about their axes, in degrees.
        baseline: distance between the cameras, as a share of their distance to the toy (7.5 cm at half a metre).
        exposure: standard deviation of the exposure between pictures, as a share.
        brighter: share by which the left eye's exposure exceeds the right one's.
        flare: share of the light that is scattered evenly over the picture.
        sharpen: strength of the camera's sharpening.
        noise: standard deviation in grey levels.
    """

    paint: float = 235.0
    ground: float = 196.0
    gloss: float = 0.0
    direct: float = 0.72
    sky: float = 0.34
    slope: tuple[float, float] = (0.0, 0.0)
    fill: float = 58.0
    tilt: float = 0.0
    baseline: float = 0.16
    exposure: float = 0.03
    brighter: float = 0.0
    flare: float = 0.2
    sharpen: float = 0.3
    noise: float = 1.3


PLAIN = Scene()


def draw_scene(random: np.random.Generator) -> Scene:
    """Draw a random scene that varies about as much as photographs that people might upload."""
    ground = random.uniform(150, 240)
    return Scene(
        paint=ground * random.uniform(0.7, 1.3),
        ground=ground,
        gloss=max(0.0, random.uniform(-40, 80)),
        direct=random.uniform(0.4, 0.9),
        sky=random.uniform(0.2, 0.6),
        slope=(random.uniform(-0.12, 0.12), random.uniform(-0.12, 0.12)),
        fill=random.uniform(46, 66),
        tilt=random.uniform(-8, 8),
        baseline=random.uniform(0.0, 0.2),
        brighter=random.normal(0, 0.06),
        flare=random.uniform(0.02, 0.25),
        sharpen=random.uniform(0.1, 0.9),
        noise=random.uniform(0.5, 3.0),
    )
