"""The shapes of four-legged animals: ten named ones and random ones.

Animals face along x. The unit of length is about one body.
"""

from dataclasses import dataclass

import numpy as np

from core.datasets.toyrig.mesh import Solid, ball, chain, limb, mirrored, smooth, tube, turned


@dataclass(frozen=True)
class Animal:
    """The shape of an animal."""

    length: float  # half the trunk's length
    girth: float  # half the trunk's height
    leg: float  # length
    leg_radius: float
    neck: float  # length
    neck_angle: int  # degrees above the horizontal
    head: float  # radius
    snout: float  # length, as a share of the head's radius
    extras: tuple[str, ...] = ("ears",)  # keys of ``EXTRAS``
    tail: float = 0.5  # length
    tail_lift: float = -0.6  # how steeply the tail rises; it hangs if negative
    belly: float = 0.1  # how far the trunk sags
    hump: float = 0.0  # how far the shoulders rise
    width: float = 0.8  # width of the trunk, as a share of its height
    stride: float = 0.12  # how far the feet swing forward and back
    smooth: bool = False  # trunk, neck and head are one surface
    turn: float = 0.0  # degrees by which the head is turned sideways


KINDS = {
    "horse": Animal(
        0.62, 0.24, 0.62, 0.065, 0.55, 52, 0.13, 1.5, ("ears", "mane"), tail=0.55, tail_lift=-1.0, width=0.85
    ),
    "cow": Animal(0.72, 0.3, 0.45, 0.08, 0.25, 25, 0.17, 1.1, ("ears", "horns"), tail=0.5, tail_lift=-1.0, belly=0.16),
    "elephant": Animal(
        0.66, 0.4, 0.45, 0.14, 0.12, 30, 0.24, 0.5, ("flaps", "trunk", "tusks"), tail=0.4, tail_lift=-0.9
    ),
    "lion": Animal(
        0.68, 0.24, 0.42, 0.085, 0.22, 35, 0.16, 0.8, ("ears", "ruff"), tail=0.75, tail_lift=-0.3, stride=0.2
    ),
    "rhinoceros": Animal(
        0.78, 0.35, 0.34, 0.12, 0.2, -5, 0.19, 1.2, ("ears", "nose horn"), tail=0.3, hump=0.1, belly=0.12
    ),
    "dog": Animal(0.55, 0.2, 0.46, 0.06, 0.28, 50, 0.14, 1.1, ("ears",), tail=0.5, tail_lift=0.8, belly=-0.08),
    "bear": Animal(0.64, 0.34, 0.36, 0.13, 0.16, 15, 0.19, 0.8, ("ears",), tail=0.12, hump=0.12, width=0.9),
    "deer": Animal(0.56, 0.2, 0.6, 0.05, 0.45, 60, 0.115, 1.3, ("ears", "antlers"), tail=0.16, tail_lift=0.3),
    "camel": Animal(0.62, 0.26, 0.62, 0.065, 0.6, 38, 0.13, 1.3, ("ears", "humps"), tail=0.45, tail_lift=-1.0),
    "pig": Animal(0.62, 0.32, 0.26, 0.09, 0.1, 5, 0.2, 0.9, ("flaps small",), tail=0.2, tail_lift=0.5, belly=0.1),
}


def draw(random: np.random.Generator) -> Animal:
    """Draw a random animal, from cats to elephants."""
    girth = random.uniform(0.16, 0.38)
    extras = [random.choice(["ears", "flaps small", "none"])]
    extras += [extra for extra in ("horns", "mane", "ruff", "antlers", "humps", "nose horn") if random.random() < 0.07]
    if random.random() < 0.08:
        extras = ["flaps", "trunk", "tusks"]
    return Animal(
        length=random.uniform(0.5, 0.85),
        girth=girth,
        leg=random.uniform(0.22, 0.65),
        leg_radius=girth * random.uniform(0.22, 0.4),
        neck=random.uniform(0.08, 0.55),
        neck_angle=int(random.integers(-10, 65)),
        head=random.uniform(0.1, 0.14) + 0.2 * (girth - 0.16),
        snout=random.uniform(0.5, 1.5),
        extras=tuple(extras),
        tail=random.choice([0.0, 0.2, random.uniform(0.3, 0.9)]),
        tail_lift=random.uniform(-1.0, 0.8),
        belly=random.uniform(-0.1, 0.18),
        hump=random.choice([0.0, random.uniform(0, 0.12)]),
        width=random.uniform(0.65, 1.0),
        stride=random.uniform(0, 0.3),
        smooth=bool(random.random() < 0.75),
        turn=random.uniform(-40, 40),
    )


def build(kind: Animal, random: np.random.Generator) -> list[Solid]:
    """Build the parts of an animal; ``random`` decides its details."""
    z = kind.leg + 0.75 * kind.girth  # height of the trunk's axis
    front = [turned(part, kind.turn, kind.length * 0.6) for part in _front(kind, z)]
    return [*_trunk(kind, z), *_legs(kind, z, random), *front, *_tail(kind, z, random)]


def _smooth_trunk(a: Animal, z: float) -> Solid:
    """Hips, belly, shoulders and neck as one surface."""
    angle, g = np.radians(a.neck_angle), a.girth
    nape = np.array([a.length * 0.85, 0, z + 0.35 * g]) + 0.7 * a.neck * np.array([np.cos(angle), 0, np.sin(angle)])
    places = [
        [-a.length, 0, z + 0.2 * g],
        [-0.7 * a.length, 0, z + 0.1 * g],
        [-0.1 * a.length, 0, z - a.belly * g],
        [0.5 * a.length, 0, z + a.hump],
        [0.8 * a.length, 0, z + 0.3 * g + 0.5 * a.hump],
        nape,
    ]
    radii = np.array([0.45, 0.95, 0.85 + a.belly, 1.0, 0.75, 0.3]) * g
    radii[-1] += 0.6 * a.head
    path, r = smooth(places, radii, 26)
    return tube(path, r * a.width, r)


def _trunk(a: Animal, z: float) -> list[Solid]:
    if a.smooth:
        humps = [ball([x, 0, z + a.girth * 0.95], [0.17, 0.12, 0.2]) for x in (-0.22, 0.2) if "humps" in a.extras]
        return [_smooth_trunk(a, z), *humps]
    u = np.linspace(-1, 1, 15)
    round_ends = np.sqrt(np.clip(1 - np.abs(u * 0.985) ** 3.2, 0, 1))
    high = a.girth * round_ends * (1 + 0.1 * u - 0.08 * np.cos(np.pi * u) * (1 if a.belly < 0 else 0))
    middle = z - a.belly * a.girth * np.cos(u * np.pi / 2) + a.hump * np.exp(-(((u - 0.55) / 0.35) ** 2))
    path = np.stack([u * a.length, 0 * u, middle], 1)
    parts = [tube(path, high * a.width, high, along="x")]
    if "humps" in a.extras:
        parts += [ball([x, 0, z + a.girth * 0.95], [0.17, 0.12, 0.2]) for x in (-0.22, 0.2)]
    return parts


def _legs(a: Animal, z: float, random: np.random.Generator) -> list[Solid]:
    parts: list[Solid] = []
    phase = random.choice([-1, 1])
    for end in (-1, 1):  # rear and front
        for side in (-1, 1):
            swing = a.stride * end * side * phase
            hip = np.array([end * a.length * 0.68, side * a.girth * a.width * 0.55, z - 0.1 * a.girth])
            knee = np.array([hip[0] + 0.5 * swing + 0.05 * end, hip[1], 0.5 * a.leg])
            foot = np.array([hip[0] + swing, hip[1], a.leg_radius * 0.6])
            r = a.leg_radius
            thigh = min((1.6 if a.smooth else 2.3) * r, 0.6 * a.girth)
            parts.append(chain([hip, knee, foot + [0, 0, 0.5 * r], foot], [thigh, 1.15 * r, 0.85 * r, 1.05 * r]))
            parts.append(ball(foot + [0.35 * r, 0, -0.1 * r], [1.4 * r, 1.1 * r, 0.6 * r]))
    return parts


def _front(a: Animal, z: float) -> list[Solid]:
    """The neck and the head, with the extras."""
    angle = np.radians(a.neck_angle)
    base = np.array([a.length * 0.72, 0, z + 0.3 * a.girth + a.hump * 0.6])
    nape = np.array([a.length * 0.85, 0, z + 0.35 * a.girth]) + a.neck * np.array([np.cos(angle), 0, np.sin(angle)])
    head = nape + a.head * np.array([0.5, 0, 0.15])
    nose = head + a.head * np.array([0.5 + a.snout, 0, -0.25 - 0.45 * a.snout])
    parts = [
        chain(
            [base - [0.12, 0, 0.1], (base + nape) / 2, nape],
            [0.75 * a.girth, 0.52 * a.girth + 0.3 * a.head, a.head * 0.95],
        ),
        ball(head, [1.1 * a.head, 0.85 * a.head, a.head]),
        limb(head + [0.3 * a.head, 0, -0.1 * a.head], nose, 0.68 * a.head, 0.45 * a.head),
    ]
    for extra in a.extras:
        parts += EXTRAS[extra](a, head, nose, nape) if extra in EXTRAS else []
    return parts


# The extras. Each function takes the animal, the middle of its head, the tip of its nose and its nape.


def _ears(a, head, nose, nape) -> list[Solid]:
    h = a.head
    return mirrored(
        lambda y: limb(head + [-0.2 * h, y, 0.7 * h], head + [-0.3 * h, 1.3 * y, 1.35 * h], 0.26 * h, 0.1 * h), 0.6 * h
    )


def _flaps(a, head, nose, nape, size: float = 1.0) -> list[Solid]:
    """Large flat ears."""
    h = a.head * size
    return mirrored(lambda y: ball(head + [-0.45 * h, y, 0.05 * h], [0.22 * h, 0.75 * h, 0.95 * h]), 1.25 * a.head)


def _horns(a, head, nose, nape) -> list[Solid]:
    h = a.head

    def horn(s: float) -> Solid:
        places = [
            head + [-0.1, s * 0.5 * h, 0.7 * h],
            head + [-0.05, s * 1.4 * h, 1.0 * h],
            head + [0.08, s * 1.7 * h, 1.7 * h],
        ]
        return chain(places, [0.3 * h, 0.22 * h, 0.06 * h], n=10)

    return mirrored(horn, 1.0)


def _antlers(a, head, nose, nape) -> list[Solid]:
    h = a.head
    parts: list[Solid] = []
    for s in (-1, 1):
        root, fork = head + [-0.05, s * 0.4 * h, 0.8 * h], head + [-0.16, s * 1.5 * h, 2.4 * h]
        parts += [
            limb(root, fork, 0.032, 0.026),
            limb(fork, fork + [0.14, s * 0.1, 0.16], 0.026, 0.015),
            limb(fork, fork + [-0.12, s * 0.12, 0.18], 0.026, 0.015),
            limb((root + fork) / 2, (root + fork) / 2 + [0.15, s * 0.04, 0.06], 0.026, 0.015),
        ]
    return parts


def _elephant_trunk(a, head, nose, nape) -> list[Solid]:
    h = a.head
    places = [
        head + [0.7 * h, 0, -0.1 * h],
        head + [1.5 * h, 0, -0.9 * h],
        head + [1.6 * h, 0, -1.8 * h],
        head + [2.1 * h, 0, -2.3 * h],
    ]
    return [chain(places, [0.5 * h, 0.36 * h, 0.27 * h, 0.2 * h])]


def _tusks(a, head, nose, nape) -> list[Solid]:
    h = a.head
    return mirrored(
        lambda y: limb(head + [0.7 * h, y, -0.5 * h], head + [1.7 * h, 1.2 * y, -0.9 * h], 0.13 * h, 0.05 * h), 0.45 * h
    )


def _ruff(a, head, nose, nape) -> list[Solid]:
    """A lion's mane."""
    h = a.head
    return [ball(nape - [0.1 * h, 0, 0.25 * h], [1.0 * h, 1.5 * h, 1.65 * h])]


def _mane(a, head, nose, nape) -> list[Solid]:
    back = np.array([a.length * 0.6, 0, a.leg + 1.75 * a.girth])
    return [chain([back, (back + nape) / 2 + [-0.08, 0, 0.06], nape + [-0.04, 0, a.head]], [0.05, 0.06, 0.05], n=12)]


def _nose_horn(a, head, nose, nape) -> list[Solid]:
    h = a.head
    return [
        limb(nose + [-0.1 * h, 0, 0.3 * h], nose + [0.25 * h, 0, 1.4 * h], 0.24 * h, 0.04 * h),
        limb(nose + [-0.7 * h, 0, 0.5 * h], nose + [-0.6 * h, 0, 1.05 * h], 0.18 * h, 0.04 * h),
    ]


def _tail(a: Animal, z: float, random: np.random.Generator) -> list[Solid]:
    if not a.tail:
        return []
    s = np.linspace(0, 1, 7)[:, None]
    sway = random.uniform(-0.25, 0.25)
    root = np.array([-0.93 * a.length, 0, z + 0.45 * a.girth])
    path = root + a.tail * np.hstack([-s * (1 - 0.35 * abs(a.tail_lift)), sway * s**2, 0.15 * s + a.tail_lift * s**2])
    parts = [tube(path, np.linspace(0.06, 0.028, 7))]
    if "ruff" in a.extras or "horns" in a.extras:
        parts.append(ball(path[-1], [0.05, 0.05, 0.08]))
    return parts


EXTRAS = {
    "ears": _ears,
    "flaps": _flaps,
    "flaps small": lambda *arguments: _flaps(*arguments, size=0.5),
    "horns": _horns,
    "antlers": _antlers,
    "trunk": _elephant_trunk,
    "tusks": _tusks,
    "ruff": _ruff,
    "mane": _mane,
    "nose horn": _nose_horn,
}
