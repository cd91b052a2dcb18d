"""The shapes of cars: ten named ones with seats and open windows, and random ones with or without a solid cabin.

Cars face along x. The unit of length is about half a car.
"""

from dataclasses import dataclass

import numpy as np

from core.datasets.toyrig.mesh import Solid, ball, limb, mirrored, slab, tube, wheel, wing


@dataclass(frozen=True)
class Car:
    """The shape of a car. Heights are above the ground.

    The cabin reaches from ``back`` to ``front``, where -1 is the rear end of the car and 1 its front end.
    """

    length: float = 0.95  # half
    width: float = 0.42  # half
    sill: float = 0.1
    bonnet: float = 0.26
    boot: float = 0.34
    back: float = -0.5
    front: float = 0.3
    roof: float = 0.0  # height above the doors; 0 is open
    rake: float = 0.2  # how far the windscreen leans back
    rear: float = 0.15  # how far the rear window leans forward
    wheels: float = 0.15  # radius
    tyre: float = 0.13  # width
    tuck: float = 0.06  # how far the wheels are inside the body
    roundness: float = 4.0
    ends: float = 8.0  # low values are pointed, high ones square
    extras: tuple[str, ...] = ()
    closed: bool = False  # has a solid cabin
    framed: bool = True  # window frames are raised


KINDS = {
    "convertible": Car(width=0.44, boot=0.37, bonnet=0.28, front=0.36, rake=0.18, ends=12.0),
    "sports car": Car(1.0, 0.47, 0.08, 0.25, 0.37, -0.5, 0.34, rake=0.26, ends=11.0, tuck=0.1, extras=("spoiler",)),
    "saloon": Car(1.0, 0.45, 0.13, 0.26, 0.29, -0.79, -0.02, 0.27, 0.32, 0.2, tuck=0.1, roundness=6.0, ends=4.0),
    "roadster": Car(0.92, 0.42, 0.12, 0.28, 0.4, -0.5, 0.34, rake=0.1, tuck=0.08, ends=13.0, extras=("lamps",)),
    "beetle, open": Car(
        0.88,
        0.43,
        0.12,
        0.3,
        0.38,
        -0.5,
        0.36,
        rake=0.14,
        wheels=0.16,
        tuck=0.02,
        roundness=2.6,
        ends=6.0,
        extras=("lamps", "arches"),
    ),
    "cabriolet": Car(0.98, 0.46, 0.08, 0.3, 0.37, -0.62, 0.33, rake=0.24, tuck=0.12, roundness=5.5, ends=11.0),
    "racing car": Car(
        1.05,
        0.28,
        0.09,
        0.22,
        0.32,
        -0.4,
        0.14,
        rake=0.05,
        wheels=0.18,
        tyre=0.18,
        tuck=-0.12,
        roundness=2.8,
        ends=5.0,
        extras=("spoiler", "roll bar"),
    ),
    "beach buggy": Car(
        0.86,
        0.46,
        0.13,
        0.3,
        0.38,
        -0.45,
        0.3,
        rake=0.1,
        wheels=0.19,
        tyre=0.16,
        tuck=0.0,
        roundness=3.0,
        ends=8.0,
        extras=("roll bar", "lamps"),
    ),
    "coupe": Car(
        0.95,
        0.47,
        0.12,
        0.27,
        0.31,
        -0.72,
        0.06,
        0.24,
        0.3,
        0.24,
        tuck=0.08,
        roundness=4.0,
        ends=5.0,
        extras=("spoiler",),
    ),
    "tourer": Car(
        1.05, 0.42, 0.1, 0.29, 0.36, -0.62, 0.33, rake=0.14, tuck=0.08, roundness=4.5, ends=13.0, extras=("spare",)
    ),
}


def draw(random: np.random.Generator) -> Car:
    """Draw a random car, open or closed, from beetles to sports cars."""
    closed = bool(random.random() < 0.65)
    bonnet = random.uniform(0.22, 0.32)
    back = random.uniform(-0.85, -0.4)
    has_roof = closed or random.random() < 0.3
    extras = [extra for extra in ("lamps", "spare", "arches") if random.random() < 0.3]
    if random.random() < 0.2:
        extras.append("spoiler")
    if not has_roof and random.random() < 0.15:
        extras.append("roll bar")
    return Car(
        length=random.uniform(0.85, 1.08),
        width=random.uniform(0.38, 0.5),
        sill=random.uniform(0.07, 0.14),
        bonnet=bonnet,
        boot=bonnet * random.uniform(0.95, 1.35),
        back=back,
        front=random.uniform(0.15, 0.45) if back > -0.65 else random.uniform(-0.05, 0.35),
        roof=random.uniform(0.14, 0.27) if has_roof else 0.0,
        rake=random.uniform(0.12, 0.34),
        rear=random.uniform(0.08, 0.4) if closed else random.uniform(0.08, 0.25),
        wheels=random.uniform(0.13, 0.18),
        tyre=random.uniform(0.1, 0.16),
        tuck=random.uniform(0.02, 0.12),
        roundness=random.uniform(2.6, 6.0),
        ends=random.uniform(3.5, 13.0),
        extras=tuple(extras),
        closed=closed,
        framed=bool(not closed or random.random() < 0.6),
    )


def build(c: Car, random: np.random.Generator) -> list[Solid]:
    """Build the parts of a car; ``random``, which some other categories need, is not used."""
    body = [*_closed_body(c), _cabin(c)] if c.closed else [*_open_body(c), *_seats(c)]
    windows = _windows(c) if c.framed else []
    parts = [*body, *windows, *_wheels(c), *_trim(c)]
    for extra in c.extras:
        parts += EXTRAS[extra](c)
    return parts


def _hull(c: Car, start: float, end: float, top: tuple[float, float, float]) -> Solid:
    """The bonnet or boot from ``start`` to ``end`` (-1 is the rear, 1 the front); ``top``: heights there and midway."""
    x = np.linspace(start, end, 13)
    taper = np.clip(1 - np.abs(x) ** c.ends, 0.03, 1) ** 0.5
    high = np.interp(x, [start, (start + end) / 2, end], top)
    half = (high - c.sill) / 2 * (0.6 + 0.4 * taper)
    path = np.stack([x * c.length, 0 * x, (high + c.sill) / 2], 1)
    return tube(path, c.width * taper * (1 - 0.1 * x * x), half, c.roundness + 1, "x", 28)


def _closed_body(c: Car) -> list[Solid]:
    """The body of a closed car below its windows, as one surface."""
    x = np.linspace(-1, 1, 41)
    heights = [c.boot * 0.75, c.boot, c.boot, c.bonnet, c.bonnet * 0.95, c.bonnet * 0.7]
    top = np.interp(x, [-1, -0.9, c.back, c.front, 0.88, 1], heights)
    taper = np.clip(1 - np.abs(x) ** c.ends, 0.03, 1) ** 0.5
    path = np.stack([x * c.length, 0 * x, (top + c.sill) / 2], 1)
    half = (top - c.sill) / 2 * (0.55 + 0.45 * taper)
    return [tube(path, c.width * taper * (1 - 0.08 * x * x), half, c.roundness, "x", 28)]


def _cabin(c: Car) -> Solid:
    """The solid cabin of a closed car, a little inside the window frames."""
    back, front = c.back * c.length, c.front * c.length
    header, rear = front - c.rake, back + c.rear  # x of the windscreen's top, and of the rear window's top
    roof_end = max(header, rear + 0.05)
    x = np.array([back - 0.04, (back + rear) / 2, rear, (rear + roof_end) / 2, roof_end, (roof_end + front) / 2, front])
    belt = np.interp(x, [back, front], [c.boot, c.bonnet]) * 0.93
    high = c.roof * np.array([0.04, 0.6, 0.95, 1.03, 0.97, 0.55, 0.04]) + 0.02
    narrow = c.width * np.array([0.8, 0.85, 0.82, 0.82, 0.82, 0.84, 0.8])
    return tube(np.stack([x, 0 * x, belt + high / 2], 1), narrow, high / 2 + 0.02, 3.2, "x", 28)


def _open_body(c: Car) -> list[Solid]:
    """The bonnet, boot, floor and doors of a car with seats."""
    back, front = c.back * c.length, c.front * c.length
    belt = max(c.bonnet, c.boot) * 0.97
    doors = mirrored(
        lambda y: slab([back - 0.08, y - 0.04, c.sill], [front + 0.08, y + 0.04, belt], (1, 1)), c.width - 0.045
    )
    floor = slab([back - 0.05, -c.width * 0.93, c.sill], [front + 0.05, c.width * 0.93, c.sill + 0.06])
    return [
        _hull(c, c.front, 1.0, (c.bonnet * 1.08, c.bonnet, c.bonnet * 0.8)),
        _hull(c, -1.0, c.back, (c.boot * 0.88, c.boot, c.boot)),
        floor,
        *doors,
    ]


def _seats(c: Car) -> list[Solid]:
    back, front, z = c.back * c.length, c.front * c.length, c.sill + 0.1
    seats = (0.0,) if c.width < 0.3 else (0.45 * c.width, -0.45 * c.width)
    parts: list[Solid] = []
    for y in seats:
        x = back + 0.42 * (front - back)
        parts += [ball([x, y, z], [0.12, 0.11, 0.06], 4), ball([x - 0.12, y, z + 0.12], [0.05, 0.11, 0.16], 4)]
    parts.append(tube([[front - 0.13, seats[0], z + 0.12], [front - 0.1, seats[0], z + 0.1]], 0.075, along="x"))
    if len(seats) > 1 and front - back > 0.7:
        parts += [
            ball([back + 0.08, 0, z], [0.1, c.width * 0.7, 0.06], 4),
            ball([back + 0.02, 0, z + 0.12], [0.05, c.width * 0.7, 0.13], 4),
        ]
    return parts


def _windows(c: Car) -> list[Solid]:
    """Window frames without glass: only the windscreen's for an open car, and all of them under a roof."""
    back, front = c.back * c.length, c.front * c.length
    belt = max(c.bonnet, c.boot) * 0.95
    top = belt + (c.roof or 0.17)
    w = c.width * 0.84
    header = front - c.rake  # x of the windscreen's top
    parts = mirrored(lambda y: limb([front, y, belt], [header, y * 0.92, top], 0.026), w)
    parts.append(limb([header, -w * 0.92, top], [header, w * 0.92, top], 0.026))
    if c.roof:
        x = np.array([back + c.rear - 0.02, back + c.rear + 0.05, header - 0.05, header + 0.02])
        path = np.stack([x, 0 * x, top + np.array([-0.01, 0.015, 0.015, -0.01])], 1)
        parts.append(tube(path, w * np.array([0.92, 0.96, 0.96, 0.92]), 0.028, 4, "x", 28))
        parts += mirrored(lambda y: limb([back, y, belt], [back + c.rear, y * 0.92, top], 0.045), w)
        middle = (back + c.rear + header) / 2
        parts += mirrored(lambda y: limb([middle, y, belt], [middle, y * 0.92, top], 0.026), w)
    return parts


def _wheels(c: Car) -> list[Solid]:
    parts: list[Solid] = []
    for x in (0.62 * c.length, -0.6 * c.length):
        parts += mirrored(
            lambda y, x=x: wheel([x, y, c.wheels], c.wheels, c.tyre), c.width - c.tuck - c.tyre / 2 + 0.03
        )
        if c.tuck < -0.1:
            parts.append(limb([x, -c.width, c.wheels], [x, c.width, c.wheels], 0.03))
    return parts


def _trim(c: Car) -> list[Solid]:
    """Bumpers and mirrors."""
    reach, z = c.length, c.sill + 0.04
    bumpers = [
        slab([s * reach - 0.035, -c.width * 0.8, z], [s * reach + 0.035, c.width * 0.8, z + 0.06], (0.9, 0.97))
        for s in (-1, 1)
    ]
    mirrors = mirrored(
        lambda y: ball([c.front * c.length - 0.04, y, c.bonnet + 0.06], [0.03, 0.04, 0.03]), c.width * 1.04
    )
    return bumpers + mirrors


def _spoiler(c: Car) -> list[Solid]:
    x, z = -c.length * 0.92, c.boot + 0.13
    reach = c.width * (1.25 if c.width < 0.3 else 0.92)
    return [
        *mirrored(lambda y: wing([x, 0, z], [x, y, z], 0.16, 0.16, 0.1), reach),
        *mirrored(lambda y: slab([x - 0.05, y - 0.02, c.boot - 0.1], [x + 0.05, y + 0.02, z]), c.width * 0.65),
    ]


def _lamps(c: Car) -> list[Solid]:
    return mirrored(lambda y: ball([c.length * 0.86, y, c.bonnet * 0.95], [0.06, 0.06, 0.06]), c.width * 0.6)


def _spare(c: Car) -> list[Solid]:
    return [
        tube(
            np.array([-c.length * 0.8, 0, c.boot]) + np.outer([0, 0.05, 0.08], [0, 0, 1]), [0.15, 0.17, 0.13], along="z"
        )
    ]


def _arches(c: Car) -> list[Solid]:
    parts: list[Solid] = []
    for x in (0.62 * c.length, -0.6 * c.length):
        parts += mirrored(
            lambda y, x=x: ball([x, y, c.wheels * 1.15], [c.wheels * 1.4, 0.1, c.wheels * 0.95]), c.width * 0.95
        )
    return parts


def _roll_bar(c: Car) -> list[Solid]:
    x, z = c.back * c.length + 0.08, c.boot + 0.26
    w = c.width * 0.7
    return [limb([x, -w, z], [x, w, z], 0.03), *mirrored(lambda y: limb([x, y, c.boot * 0.8], [x, y, z], 0.03), w)]


EXTRAS = {
    "spoiler": _spoiler,
    "lamps": _lamps,
    "spare": _spare,
    "arches": _arches,
    "roll bar": _roll_bar,
}
