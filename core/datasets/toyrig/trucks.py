"""The shapes of trucks: ten named ones and random ones.

Trucks face along x. The unit of length is about half a truck.
"""

from dataclasses import dataclass

import numpy as np

from core.datasets.toyrig.mesh import Solid, ball, limb, mirrored, slab, tube, wheel


@dataclass(frozen=True)
class Truck:
    """The sizes of a truck.

    Args:
        load: a key of ``LOADS``.
        length, width: half the length and half the width.
        wheels: radius of the wheels.
        cab, cab_height: length and height of the driver's cab.
        bonnet: length of the nose in front of the cab.
        axles: positions of the rear axles, as shares of ``length``.
        size: height of the load.
    """

    load: str
    length: float = 0.95
    width: float = 0.33
    wheels: float = 0.17
    cab: float = 0.36
    cab_height: float = 0.55
    bonnet: float = 0.0
    axles: tuple[float, ...] = (-0.5,)
    size: float = 0.5


# The order decides the split: toys 0, 1, 2, 3 and 5 are test toys, and each must resemble a training truck.
KINDS = {
    "fire engine": Truck("ladder", length=1.0, cab=0.42, axles=(-0.55,), size=0.42),
    "tanker": Truck("tank", length=1.05, axles=(-0.4, -0.72), bonnet=0.14, size=0.5),
    "pickup": Truck(
        "bed", length=0.95, width=0.37, wheels=0.19, cab=0.42, cab_height=0.44, bonnet=0.36, axles=(-0.58,), size=0.24
    ),
    "flatbed": Truck("stakes", length=1.0, bonnet=0.24, axles=(-0.5,), size=0.34),
    "monster truck": Truck(
        "bed", length=0.82, width=0.36, wheels=0.32, cab=0.42, cab_height=0.4, bonnet=0.34, axles=(-0.58,), size=0.22
    ),
    "lorry with logs": Truck("logs", length=1.05, bonnet=0.22, axles=(-0.35, -0.7), size=0.4),
    "cement mixer": Truck("drum", length=1.0, axles=(-0.35, -0.68), bonnet=0.0, size=0.62),
    "box van": Truck("box", axles=(-0.55,), size=0.66),
    "dump truck": Truck("tipper", wheels=0.2, width=0.36, bonnet=0.18, axles=(-0.35, -0.72), size=0.42),
    "tow truck": Truck("crane", length=0.92, cab=0.36, bonnet=0.3, axles=(-0.5,), size=0.45, wheels=0.19),
}


def draw(random: np.random.Generator) -> Truck:
    """Draw a random truck: any load on any frame."""
    load = str(random.choice(list(LOADS)))
    monstrous = load == "bed" and random.random() < 0.4
    heights = {"bed": (0.18, 0.3), "drum": (0.5, 0.7), "box": (0.45, 0.8), "tank": (0.4, 0.6)}
    return Truck(
        load=load,
        length=random.uniform(0.8, 1.1),
        width=random.uniform(0.29, 0.4),
        wheels=random.uniform(0.27, 0.34) if monstrous else random.uniform(0.14, 0.21),
        cab=random.uniform(0.32, 0.46),
        cab_height=random.uniform(0.4, 0.65),
        bonnet=random.choice([0.0, random.uniform(0.12, 0.38)]),
        axles=(-0.55,) if monstrous or random.random() < 0.5 else (-0.38, -0.72),
        size=random.uniform(*heights.get(load, (0.32, 0.5))),
    )


def build(t: Truck, random: np.random.Generator) -> list[Solid]:
    """Build the parts of a truck; ``random`` decides its details."""
    deck = t.wheels * 1.2 + 0.08  # height of the platform for the load
    cab_back = t.length - t.bonnet - t.cab
    parts = [slab([-t.length, -t.width * 0.6, deck - 0.13], [t.length * 0.96, t.width * 0.6, deck])]
    parts += [*_cab(t, deck, cab_back), *_wheels(t, deck)]
    return parts + LOADS[t.load](t, -t.length, cab_back - 0.05, deck)


def _cab(t: Truck, deck: float, back: float) -> list[Solid]:
    """The cab with nose, bumper and lamps. Its rear is at x = ``back``."""
    w, front = t.width, t.length - t.bonnet
    belt = deck + 0.5 * t.cab_height - 0.04
    top = deck + t.cab_height
    parts = [
        slab([back, -w, deck - 0.1], [front, w, belt], (1, 0.98)),
        slab([back + 0.03, -w * 0.9, belt], [front - 0.03, w * 0.9, top - 0.03], (0.82, 0.9), -0.03),  # behind glass
        slab([back + 0.01, -w * 0.93, top - 0.05], [front - 0.1, w * 0.93, top + 0.02], (0.92, 0.92)),
    ]
    for y in (-w * 0.93, w * 0.93):
        parts.append(limb([front - 0.02, y, belt], [front - 0.1, y * 0.95, top - 0.02], 0.024))
        parts.append(limb([back + 0.02, y, belt], [back + 0.03, y * 0.95, top - 0.02], 0.026))
        parts.append(slab([front - 0.1, y * 1.08 - 0.03, belt - 0.02], [front - 0.04, y * 1.08 + 0.03, belt + 0.1]))
    if t.bonnet:
        parts.append(slab([front - 0.03, -w * 0.88, deck - 0.08], [t.length, w * 0.88, belt - 0.04], (0.96, 0.9)))
        parts += mirrored(
            lambda y: ball([t.length - t.bonnet * 0.55, y, t.wheels * 1.15], [t.wheels * 1.35, 0.09, t.wheels * 1.15]),
            w * 0.95,
        )
    nose = t.length
    parts.append(slab([nose - 0.02, -w * 0.98, deck - 0.14], [nose + 0.06, w * 0.98, deck - 0.03]))
    parts += mirrored(lambda y: ball([nose, y, deck + 0.06], [0.04, 0.055, 0.055]), w * 0.7)
    parts.append(slab([nose - 0.02, -w * 0.45, deck], [nose + 0.015, w * 0.45, deck + 0.16]))
    return parts


def _wheels(t: Truck, deck: float) -> list[Solid]:
    parts: list[Solid] = []
    front = t.length - max(t.bonnet * 0.55, t.cab * 0.5)
    for k, x in enumerate([front, *(t.length * a for a in t.axles)]):
        width = 0.14 if k == 0 else 0.18
        if t.wheels > 0.25:
            width = 0.26
        reach = t.width * (1.15 if t.wheels > 0.25 else 0.88)
        parts += mirrored(lambda y, x=x, width=width: wheel([x, y, t.wheels], t.wheels, width), reach)
        parts.append(limb([x, -reach, t.wheels], [x, reach, t.wheels], 0.035))
    return parts


# The loads. Each extends from x = back to x = front, and its floor is at the height ``deck``.


def _box(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    w = t.width * 1.04
    ribs = [
        slab([x, -w - 0.012, deck], [x + 0.03, w + 0.012, deck + t.size + 0.012])
        for x in np.linspace(back, front - 0.03, 5)
    ]
    return [slab([back, -w, deck], [front, w, deck + t.size]), *ribs]


def _tipper(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    w, h = t.width * 1.05, deck + t.size
    sides = mirrored(lambda y: slab([back, y - 0.025, deck + 0.05], [front, y + 0.025, h]), w)
    ribs = [
        slab([x, s * w - 0.045, deck + 0.05], [x + 0.04, s * w + 0.045, h])
        for x in np.linspace(back + 0.1, front - 0.15, 4)
        for s in (-1, 1)
    ]
    floor = slab([back, -w, deck], [front, w, deck + 0.08])
    head = slab([front - 0.05, -w, deck], [front, w, h + 0.05])
    visor = slab([front - 0.05, -w * 0.95, h + 0.02], [front + t.cab * 0.75, w * 0.95, h + 0.06])
    tail = slab([back, -w, deck], [back + 0.04, w, h - 0.06])
    return [floor, head, visor, tail, *sides, *ribs]


def _tank(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    n = 11
    x = np.linspace(back + 0.02, front - 0.02, n)
    r = t.size * 0.5 * np.array([0.5, 0.88, *[1] * (n - 4), 0.88, 0.5])
    z = deck + 0.02 + t.size * 0.5
    tank = tube(np.stack([x, 0 * x, 0 * x + z], 1), r * 1.1, r * 0.95, 2.4, "x", 26)
    bands = [
        tube([[p - 0.015, 0, z], [p + 0.015, 0, z]], t.size * 0.565, t.size * 0.49, 2.4, "x", 26)
        for p in np.linspace(back + 0.25, front - 0.25, 3)
    ]
    lids = [
        tube([[p, 0, z + t.size * 0.4], [p, 0, z + t.size * 0.55]], [0.08, 0.07], along="z")
        for p in np.linspace(back + 0.3, front - 0.3, 2)
    ]
    cradle = mirrored(
        lambda y: slab([back + 0.1, y - 0.05, deck - 0.02], [front - 0.1, y + 0.05, deck + 0.14]), t.width * 0.75
    )
    return [tank, *bands, *lids, *cradle]


def _ladder(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    w, h = t.width, deck + t.size * 0.62
    body = slab([back, -w, deck - 0.08], [front, w, h], (1, 0.98))
    lockers = [
        slab([x, s * w - 0.015, deck - 0.02], [x + 0.22, s * w + 0.015, h - 0.06])
        for x in np.linspace(back + 0.05, front - 0.3, 4)
        for s in (-1, 1)
    ]
    z0, z1 = h + 0.07, h + 0.16
    a, b = back - 0.08, front + t.cab * 0.8
    rails = mirrored(lambda y: limb([a, y, z0], [b, y, z1], 0.026), 0.12)
    steps = [
        limb([x, -0.12, z0 + (x - a) / (b - a) * (z1 - z0)], [x, 0.12, z0 + (x - a) / (b - a) * (z1 - z0)], 0.016)
        for x in np.linspace(a + 0.06, b - 0.06, 12)
    ]
    base = tube([[back * 0.5, 0, h - 0.02], [back * 0.5, 0, h + 0.09]], 0.16, along="z")
    light = slab([front + 0.14, -0.16, deck + t.cab_height + 0.01], [front + 0.22, 0.16, deck + t.cab_height + 0.07])
    return [body, *lockers, *rails, *steps, base, light]


def _bed(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    w, h = t.width, deck + t.size
    sides = mirrored(lambda y: slab([back, y - 0.035, deck - 0.1], [front + 0.06, y + 0.035, h]), w * 0.95)
    arches = (
        mirrored(lambda y: ball([t.length * t.axles[0], y, t.wheels * 1.1], [t.wheels * 1.25, 0.08, t.wheels * 1.1]), w)
        if t.wheels < 0.25
        else []
    )
    tail = slab([back, -w, deck - 0.08], [back + 0.05, w, h])
    bar = [limb([front - 0.06, s * w * 0.75, h - 0.03], [front - 0.06, s * w * 0.75, h + 0.24], 0.028) for s in (-1, 1)]
    across = limb([front - 0.06, -w * 0.75, h + 0.24], [front - 0.06, w * 0.75, h + 0.24], 0.028)
    return [*sides, *arches, tail, *bar, across]


def _drum(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    low, high = np.array([front - 0.02, 0, deck + t.size * 0.42]), np.array([back + 0.02, 0, deck + t.size * 0.78])
    shares = np.array([0, 0.08, 0.3, 0.5, 0.75, 1.0])  # shares of the way from low to high
    r = t.size * np.array([0.2, 0.36, 0.5, 0.53, 0.42, 0.2])
    drum = tube(low + np.outer(shares, high - low), r, n_sides=24)
    fins = [
        tube(low + np.outer([f - 0.012, f + 0.012], high - low), np.interp(f, shares, r) + 0.022, n_sides=24)
        for f in (0.2, 0.42, 0.62, 0.82)
    ]
    props = [
        slab([x, -t.width * 0.8, deck - 0.02], [x + 0.1, t.width * 0.8, deck + t.size * f])
        for x, f in ((front - 0.12, 0.35), (back + 0.12, 0.5))
    ]
    chute = limb([back + 0.02, 0, deck + t.size * 0.62], [back - 0.12, 0, deck + 0.12], 0.08, 0.05)
    hopper = tube([[back + 0.02, 0, deck + t.size * 0.85], [back, 0, deck + t.size * 1.12]], [0.08, 0.16])
    return [drum, *fins, *props, chute, hopper]


def _crane(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    w = t.width
    top = np.array([back - 0.1, 0, deck + t.size * 1.25])
    foot = np.array([front - 0.25, 0, deck + 0.1])
    beams = mirrored(lambda y: limb(foot + [0, y, 0], top + [0, y * 0.3, 0], 0.035), w * 0.5)
    stay = mirrored(lambda y: limb(foot + [-0.35, y, 0], foot + (top - foot) * 0.6 + [0, y * 0.5, 0], 0.028), w * 0.5)
    hook = limb(top, top - [0, 0, t.size * 0.55], 0.018)
    boxes = mirrored(lambda y: slab([back, y - 0.09, deck - 0.06], [front, y + 0.09, deck + 0.17]), w * 0.88)
    lights = slab([front + 0.14, -0.2, deck + t.cab_height + 0.01], [front + 0.22, 0.2, deck + t.cab_height + 0.07])
    bed, ball_hook = slab([back, -w, deck - 0.02], [front, w, deck + 0.03]), ball(top - [0, 0, t.size * 0.6], 0.04)
    return [bed, *beams, *stay, hook, ball_hook, *boxes, lights]


def _stakes(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    w, h = t.width * 1.06, deck + t.size
    posts = [
        slab([x, s * w - 0.02, deck], [x + 0.035, s * w + 0.02, h])
        for x in np.linspace(back, front - 0.04, 6)
        for s in (-1, 1)
    ]
    rails = [
        slab([back, s * w - 0.014, z], [front, s * w + 0.014, z + 0.055])
        for z in (deck + 0.1, deck + 0.2, h - 0.06)
        for s in (-1, 1)
    ]
    ends = [slab([x, -w, z], [x + 0.03, w, z + 0.06]) for x in (back, front - 0.03) for z in (deck + 0.1, h - 0.07)]
    sacks = [
        ball([x, y, deck + 0.12], [0.17, 0.13, 0.11], 3) for x in (back + 0.25, back + 0.62) for y in (-0.14, 0.14)
    ]
    return [slab([back, -w, deck - 0.02], [front, w, deck + 0.04]), *posts, *rails, *ends, *sacks]


def _logs(t: Truck, back: float, front: float, deck: float) -> list[Solid]:
    r = 0.1
    rows = [(-0.21, 0), (0, 0), (0.21, 0), (-0.105, 0.18), (0.105, 0.18), (0, 0.35)]
    logs = [
        tube([[back - 0.06, y, deck + r + z], [front - 0.04, y, deck + r + z]], r, along="x", n_sides=16)
        for y, z in rows
    ]
    posts = [
        limb([x, s * t.width, deck - 0.05], [x, s * t.width, deck + t.size], 0.026)
        for x in (back + 0.15, front - 0.25)
        for s in (-1, 1)
    ]
    return [slab([back, -t.width * 0.95, deck - 0.02], [front, t.width * 0.95, deck + 0.01]), *logs, *posts]


LOADS = {
    "box": _box,
    "tipper": _tipper,
    "tank": _tank,
    "ladder": _ladder,
    "bed": _bed,
    "drum": _drum,
    "crane": _crane,
    "stakes": _stakes,
    "logs": _logs,
}
