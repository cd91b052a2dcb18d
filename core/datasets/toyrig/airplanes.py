"""The shapes of airplanes: ten named ones and random ones.

Airplanes face along x. The unit of length is about half a fuselage.
"""

from dataclasses import dataclass

import numpy as np

from core.datasets.toyrig.mesh import Solid, ball, limb, mirrored, tube, wheel, wing


@dataclass(frozen=True)
class Airplane:
    """The shape of an airplane."""

    fuselage: float = 0.14  # radius
    nose: float = 2.2  # 1.5 pointed, 3 blunt
    span: float = 1.0  # half the wingspan
    chord: float = 0.38  # of the wing at its root
    taper: float = 0.6  # chord at the tip, as a share of the chord at the root
    sweep: float = 0.05  # how far the tips are behind the roots
    height: float = -0.3  # height of the wing, as a share of the fuselage's radius
    place: float = 0.12  # x of the wing's root
    dihedral: float = 0.05  # how far the tips are above the roots
    engines: tuple[float, ...] = ()  # their places along each wing, as shares of the span
    jets: bool = False  # has jet engines; otherwise the engines have propellers
    propeller: bool = False  # on the nose
    upper: bool = False  # has a second wing above
    tail: str = "low"  # place of the tailplane, "low" or "high"; "twin" is low with two fins; "none" has no tailplane
    canopy: float = 0.4  # x of the canopy
    gear: bool = True  # has wheels
    stores: bool = False  # has bombs under the wings
    bulge: float = 1.0  # size of the canopy


KINDS = {
    "light, high wing": Airplane(span=1.05, chord=0.32, taper=0.9, height=0.85, propeller=True, canopy=0.25, nose=2.6),
    "fighter, piston": Airplane(span=0.9, chord=0.42, taper=0.5, propeller=True, canopy=0.05, gear=True),
    "twin": Airplane(span=1.05, chord=0.36, taper=0.7, engines=(0.3,), canopy=0.55),
    "airliner": Airplane(0.15, 2.4, 1.05, 0.4, 0.35, 0.45, -0.5, 0.1, 0.1, (0.36,), jets=True, canopy=0.75),
    "jet fighter": Airplane(
        0.13, 1.5, 0.72, 0.55, 0.3, 0.42, 0.0, -0.05, 0.0, jets=True, canopy=0.35, tail="twin", stores=True
    ),
    "bomber": Airplane(0.15, 2.8, 1.15, 0.36, 0.5, 0.08, 0.2, 0.1, 0.06, (0.25, 0.52), canopy=0.6),
    "biplane": Airplane(0.15, 3.0, 0.85, 0.32, 1.0, 0.0, -0.6, 0.25, 0.02, propeller=True, upper=True, canopy=0.0),
    "freighter": Airplane(0.19, 2.8, 1.1, 0.34, 0.6, 0.04, 0.9, 0.1, 0.0, (0.28, 0.55), canopy=0.7, tail="high"),
    "delta": Airplane(0.12, 1.5, 0.62, 0.95, 0.12, 0.62, -0.2, -0.05, 0.0, jets=True, canopy=0.35, tail="none"),
    "trainer": Airplane(0.15, 2.2, 0.95, 0.38, 0.75, 0.02, -0.4, 0.15, 0.08, propeller=True, canopy=0.1),
}
LENGTH, AXIS_HEIGHT = 0.95, 0.36  # half the fuselage's length, and the height of its axis above the ground


def draw(random: np.random.Generator) -> Airplane:
    """Draw a random airplane, from biplanes to deltas."""
    is_jet = random.random() < 0.5
    sweep = random.uniform(0.2, 0.75) if is_jet else random.uniform(0, 0.15)
    is_delta = is_jet and random.random() < 0.4
    engines = [(), (random.uniform(0.25, 0.4),), (0.25, 0.52)][random.choice(3, p=[0.5, 0.35, 0.15])]
    return Airplane(
        fuselage=random.uniform(0.1, 0.2),
        nose=random.uniform(1.4, 1.8) if is_jet and random.random() < 0.6 else random.uniform(2, 3),
        span=random.uniform(0.55, 0.9) if is_jet else random.uniform(0.8, 1.2),
        chord=random.uniform(0.7, 1.05) if is_delta else random.uniform(0.28, 0.55),
        taper=random.uniform(0.1, 0.35) if is_delta else random.uniform(0.3, 1.0),
        sweep=sweep,
        height=random.uniform(-0.6, 0.95),
        place=random.uniform(-0.1, 0.25),
        dihedral=random.uniform(-0.03, 0.1),
        engines=() if is_delta else engines,
        jets=is_jet,
        propeller=not is_jet and (not engines or random.random() < 0.3),
        upper=not is_jet and random.random() < 0.12,
        tail=str(random.choice(["none", "twin", "low"] if is_delta else ["low", "high", "twin"])),
        canopy=random.uniform(0.0, 0.7),
        gear=bool(random.random() < 0.6),
        stores=bool(is_jet and random.random() < 0.4),
        bulge=random.uniform(1.0, 1.6),
    )


def build(a: Airplane, random: np.random.Generator) -> list[Solid]:
    """Build the parts of an airplane; ``random`` decides details such as the angle of a propeller."""
    parts = [*_fuselage(a), *_wings(a), *_tail(a)]
    if a.propeller:
        parts += _propeller(np.array([LENGTH, 0, AXIS_HEIGHT]), random, 0.26)
    for share in a.engines:
        for side in (-1, 1):
            parts += _engine(a, share, side, random)
    if a.gear:
        parts += _gear(a)
    return parts


def _fuselage(a: Airplane) -> list[Solid]:
    x = np.linspace(-1, 1, 17)
    front = (
        np.sqrt(np.clip(1 - (np.abs(x) * 0.985) ** a.nose, 0, 1))
        if a.nose > 1.8
        else 1 - np.clip(x, 0, 1) ** 1.8 * 0.93
    )
    r = a.fuselage * np.maximum(np.where(x > 0, front, 1 - 0.78 * np.abs(x) ** 1.8), 0.06)
    path = np.stack([x * LENGTH, 0 * x, AXIS_HEIGHT + 0.06 * np.clip(-x, 0, 1) ** 2], 1)
    canopy = ball(
        [LENGTH * a.canopy, 0, AXIS_HEIGHT + a.fuselage * 0.85], [0.22, a.fuselage * 0.6, a.fuselage * 0.6 * a.bulge]
    )
    return [tube(path, r, r * 1.1, along="x"), canopy]


def _place(a: Airplane, share: float, side: int) -> np.ndarray:
    """A point on the wing, at a share of its span."""
    return np.array(
        [a.place - a.sweep * share, side * a.span * share, AXIS_HEIGHT + a.height * a.fuselage + a.dihedral * share]
    )


def _wings(a: Airplane) -> list[Solid]:
    parts = mirrored(lambda s: wing(_place(a, 0, 1), _place(a, 1, int(s)), a.chord, a.chord * a.taper), 1)
    if a.upper:
        rise = np.array([0.06, 0, 0.36])
        parts += mirrored(
            lambda s: wing(_place(a, 0, 1) + rise, _place(a, 1, int(s)) + rise, a.chord, a.chord * a.taper), 1
        )
        for share in (0.15, 0.7):
            for s in (-1, 1):
                for x in (-0.1, 0.1):
                    parts.append(limb(_place(a, share, s) + [x, 0, 0], _place(a, share, s) + rise + [x, 0, 0], 0.016))
    if a.stores:
        for share in (0.5, 0.75):
            parts += mirrored(
                lambda s, f=share: limb(
                    _place(a, f, int(s)) + [-0.2, 0, -0.07], _place(a, f, int(s)) + [0.25, 0, -0.07], 0.035
                ),
                1,
            )
    return parts


def _tail(a: Airplane) -> list[Solid]:
    root = np.array([-LENGTH * 0.84, 0, AXIS_HEIGHT + 0.06])
    chord = min(a.chord, 0.42) * 0.72
    back = 0.08 + a.sweep * 0.35
    rise = 0.38
    # The y of each fin, and how far its tip leans outward.
    fins = [(0.0, 0.0)] if a.tail != "twin" else [(-0.14, -0.08), (0.14, 0.08)]
    parts = [wing(root + [0, y, 0], root + [-back, y + out, rise], chord, chord * 0.55) for y, out in fins]
    if a.tail != "none":
        level = root + [-back * 0.9, 0, rise * 0.95] if a.tail == "high" else root
        parts += mirrored(
            lambda y: wing(level, level + [-a.sweep * 0.4 - 0.02, y, 0.02], chord * 0.9, chord * 0.55),
            0.38 * min(a.span, 1.0),
        )
    return parts


def _engine(a: Airplane, share: float, side: int, random: np.random.Generator) -> list[Solid]:
    hub = _place(a, share, side) + [a.chord * 0.35, 0, -0.1 if a.jets else -0.01]
    if a.jets:
        x = np.array([-0.24, -0.2, 0.05, 0.1])
        return [
            tube(hub + np.outer(x, [1, 0, 0]), [0.045, 0.06, 0.085, 0.07], along="x"),
            wing(hub + [-0.1, 0, 0], hub + [-0.12, 0, 0.12], 0.2, 0.2),
        ]
    return [
        limb(hub - [0.35, 0, 0], hub + [0.06, 0, 0], 0.05, 0.085),
        *_propeller(hub + [0.15, 0, 0], random, 0.2),
    ]


def _propeller(hub: np.ndarray, random: np.random.Generator, radius: float) -> list[Solid]:
    parts = [ball(hub + [0.02, 0, 0], [0.07, 0.045, 0.045])]
    start = random.uniform(0, np.pi)
    for k in range(3):
        turn = start + k * 2 * np.pi / 3
        tip = hub + radius * np.array([0, np.cos(turn), np.sin(turn)])
        parts.append(limb(hub, tip, 0.022, 0.028))
    return parts


def _gear(a: Airplane) -> list[Solid]:
    parts: list[Solid] = []
    for x, y in ((a.place - 0.02, 0.2), (a.place - 0.02, -0.2), (LENGTH * (0.66 if a.jets or a.engines else -0.75), 0)):
        parts += [limb([x, y, AXIS_HEIGHT - 0.05], [x, y, 0.09], 0.022), wheel([x, y, 0.085], 0.085, 0.06)]
    return parts
