"""The shapes of human figures, such as toy soldiers and cowboys: ten named ones and random ones.

Figures face along x and are about 1.8 high.
"""

from dataclasses import dataclass

import numpy as np

from core.datasets.toyrig.mesh import Solid, ball, chain, limb, mirrored, slab, tube, turned


@dataclass(frozen=True)
class Human:
    """The pose and equipment of a figure. In each pair of limbs the left one comes first.

    Angles are in degrees. A limb that hangs straight down has 0; forward and outward are positive.
    """

    arms: tuple[tuple[int, int, int], tuple[int, int, int]]  # forward, outward, bend of the elbow
    legs: tuple[tuple[int, int, int], tuple[int, int, int]]  # forward, outward, bend of the knee
    lean: int = 0  # angle of the torso
    twist: int = 0  # angle of the shoulders about the vertical
    build: float = 1.0  # factor of all widths
    hat: str = "helmet"  # a key of ``HATS``
    held: str = ""  # a key of ``HELD``, or nothing
    worn: tuple[str, ...] = ()  # keys of ``WORN``
    base: float = 0.0  # radius of the base plate
    prone: bool = False  # whether it lies on the ground


KINDS = {
    "rifleman standing": Human(((75, 10, 60), (60, 15, 95)), ((15, 10, 5), (-15, 12, 5)), 5, 25, held="rifle"),
    "cowboy": Human(((20, 35, 70), (60, 20, 40)), ((5, 22, 5), (-5, 22, 5)), 0, 0, 1.05, "brim", "pistol"),
    "runner": Human(
        ((50, 10, 80), (-40, 15, 75)), ((45, 6, 50), (-30, 8, 45)), 18, 10, 0.95, "helmet", "rifle low", ("pack",)
    ),
    "swordsman": Human(
        ((30, 40, 60), (150, 25, 20)), ((30, 12, 20), (-25, 14, 5)), 8, -20, 1.05, "bare", "sword", ("shield",)
    ),
    "kneeling": Human(((80, 5, 50), (65, 10, 90)), ((85, 8, 95), (-10, 12, 90)), 10, 25, 1.0, "helmet", "rifle"),
    "walker": Human(((25, 12, 20), (-25, 12, 15)), ((25, 6, 8), (-22, 6, 20)), 3, 5, 1.0, "cap"),
    "grenadier": Human(
        ((60, 45, 15), (-40, 60, 100)), ((32, 12, 10), (-28, 12, 8)), -5, -25, 1.0, "helmet", "grenade", ("pack",)
    ),
    "guard": Human(
        ((35, 12, 75), (35, 12, 75)), ((0, 12, 0), (0, 12, 0)), 0, 0, 1.1, "helmet", "rifle across", ("belt",)
    ),
    "footballer": Human(((45, 40, 80), (25, 45, 70)), ((55, 10, 70), (-20, 8, 10)), 15, 15, 1.25, "bare", "ball"),
    "spearman": Human(((20, 30, 50), (100, 30, 70)), ((25, 10, 5), (-20, 12, 5)), 5, -15, 0.95, "feathers", "spear"),
}
HIP = 0.86  # height of the hips
TORSO, THIGH, SHIN, ARM, FOREARM = 0.56, 0.44, 0.42, 0.33, 0.3  # lengths


def draw(random: np.random.Generator) -> Human:
    """Draw a random figure: standing, walking, kneeling or lying, with or without something in its hands."""
    prone, kneels = random.random() < 0.12, random.random() < 0.15

    def leg(forward: float) -> tuple[int, int, int]:
        bend = random.uniform(60, 100) if kneels else random.choice([5, random.uniform(0, 60)])
        return int(forward), int(random.integers(3, 22)), int(bend)

    def arm() -> tuple[int, int, int]:
        return int(random.uniform(-40, 160)), int(random.integers(5, 55)), int(random.uniform(5, 105))

    swing = random.uniform(0, 45)
    return Human(
        arms=(arm(), arm()),
        legs=(leg(random.uniform(60, 90) if kneels else swing), leg(-10 if kneels else -swing * 0.8)),
        lean=int(random.uniform(-8, 30)),
        twist=int(random.uniform(-30, 30)),
        build=random.uniform(0.8, 1.3),
        hat=str(random.choice(list(HATS))),
        held=str(random.choice(["", *HELD])),
        worn=tuple(worn for worn in WORN if random.random() < 0.2),
        base=0.0 if prone or random.random() < 0.4 else random.uniform(0.25, 0.45),
        prone=bool(prone),
    )


def build(kind: Human, random: np.random.Generator) -> list[Solid]:
    """Build the parts of a figure; ``random`` decides its details."""
    b = kind.build
    lean, twist = np.radians(kind.lean), np.radians(kind.twist)
    chest = np.array([np.sin(lean), 0, np.cos(lean)]) * TORSO + [0, 0, HIP]
    across = np.array([-np.sin(twist), np.cos(twist), 0.0])  # from the right to the left shoulder
    ahead = np.array([np.cos(twist), np.sin(twist), 0.0])
    parts = _torso(chest, across, b)
    for side, leg in zip((1, -1), kind.legs, strict=True):
        parts += _leg(side, leg, b)
    hands = []
    for side, arm in zip((1, -1), kind.arms, strict=True):
        arm_parts, hand = _arm(chest, side, arm, across, ahead, b)
        parts += arm_parts
        hands.append(hand)
    head = chest + [0.03 + 0.1 * np.sin(lean), 0, 0.23]
    parts += [
        limb(chest, head, 0.075 * b),
        ball(head, [0.135, 0.115, 0.155]),
        limb(head + [0.1, 0, -0.03], head + [0.13, 0, -0.05], 0.03),
    ]
    parts += HATS[kind.hat](head)
    if kind.held:
        parts += HELD[kind.held](hands, ahead, across)
    for worn in kind.worn:
        parts += WORN[worn](chest, hands, ahead, across, b)
    if kind.base:
        low = min(part.points[:, 2].min() for part in parts)
        parts.append(tube([[0, 0, low - 0.05], [0, 0, low + 0.02]], kind.base, kind.base * 0.8, along="z"))
    return [turned(part, 80, axis="y") for part in parts] if kind.prone else parts


def _torso(chest, across, b: float) -> list[Solid]:
    hip = np.array([0, 0, HIP])
    shares = np.array([-0.2, -0.05, 0.15, 0.45, 0.75, 0.95, 1.06])
    path = hip + np.outer(shares, chest - hip)
    width = np.array([0.11, 0.165, 0.15, 0.175, 0.215, 0.19, 0.07]) * b
    depth = np.array([0.1, 0.125, 0.11, 0.12, 0.135, 0.1, 0.06]) * b
    return [
        tube(path, width, depth, 2.4, "z"),
        tube(hip + np.outer([-0.04, 0.02], chest - hip), 0.175 * b, 0.135 * b, 2.4, "z"),
        *mirrored(lambda y: ball(chest + across * y - [0, 0, 0.04], [0.09 * b, 0.1 * b, 0.09 * b]), 0.2 * b),
    ]


def _swing(forward: int, outward: float, side: int) -> np.ndarray:
    """The direction of a hanging limb after it is raised forward and outward by angles in degrees."""
    f, o = np.radians(forward), np.radians(outward)
    return np.array([np.sin(f) * np.cos(o), side * np.sin(o), -np.cos(f) * np.cos(o)])


def _leg(side: int, leg: tuple[int, int, int], b: float) -> list[Solid]:
    forward, outward, bend = leg
    hip = np.array([0, side * 0.1 * b, HIP - 0.03])
    knee = hip + THIGH * _swing(forward, outward, side)
    ankle = knee + SHIN * _swing(forward - bend, outward * 0.6, side)
    toe = ankle + [0.19, side * 0.04, -0.03]
    if bend > 60:  # the foot is on its toes
        toe = ankle + [0.1, 0, -0.13]
    return [
        chain(
            [hip, (hip + knee) / 2, knee, (knee + ankle) / 2, ankle], np.array([0.125, 0.115, 0.085, 0.085, 0.06]) * b
        ),
        limb(ankle + [-0.03, 0, -0.02], toe, 0.07 * b, 0.055 * b, 3),
    ]


def _arm(chest, side: int, arm, across, ahead, b: float) -> tuple[list[Solid], np.ndarray]:
    """The parts of an arm, and the place of its hand."""
    forward, outward, bend = arm
    shoulder = chest + across * side * 0.235 * b - [0, 0, 0.05]

    def follow_twist(v: np.ndarray) -> np.ndarray:
        return ahead * v[0] + across * v[1] + [0, 0, v[2]]

    elbow = shoulder + ARM * follow_twist(_swing(forward, outward, side))
    hand = elbow + FOREARM * follow_twist(_swing(forward + bend, -0.4 * outward, side))
    radii = np.array([0.085, 0.075, 0.06, 0.06, 0.045]) * b
    places = [shoulder, (shoulder + elbow) / 2, elbow, (elbow + hand) / 2, hand]
    return [chain(places, radii), ball(hand, 0.06 * b)], hand


HATS = {
    "helmet": lambda head: [
        ball(head + [-0.01, 0, 0.06], [0.18, 0.16, 0.125]),
        tube([head + [0, 0, 0.03], head + [0, 0, 0.06]], [0.205, 0.185], along="z"),
    ],
    "brim": lambda head: [
        tube([head + [0, 0, 0.07], head + [0, 0, 0.1]], [0.26, 0.25], [0.3, 0.29], along="z"),
        tube([head + [0, 0, 0.08], head + [0, 0, 0.24]], [0.14, 0.11], along="z"),
    ],
    "cap": lambda head: [
        ball(head + [-0.01, 0, 0.06], [0.15, 0.135, 0.115]),
        slab(head + [0.08, -0.09, 0.05], head + [0.24, 0.09, 0.075]),
    ],
    "bare": lambda head: [ball(head + [-0.025, 0, 0.03], [0.145, 0.135, 0.15])],
    "feathers": lambda head: [
        ball(head + [-0.02, 0, 0.03], [0.14, 0.13, 0.145]),
        *(limb(head + [-0.06, y, 0.1], head + [-0.16, 2.2 * y, 0.36], 0.04, 0.02) for y in (-0.07, 0, 0.07)),
    ],
}


def _rifle(hands, ahead, across) -> list[Solid]:
    left, right = hands
    along = (left - right) / (np.linalg.norm(left - right) + 1e-9)
    stock, muzzle = right - 0.28 * along, right + 0.85 * along
    return [
        limb(right, muzzle, 0.03, 0.022),
        limb(stock - [0, 0, 0.04], right, 0.06, 0.035),
        limb(right + 0.1 * along, right + 0.1 * along - [0, 0, 0.12], 0.025),
    ]


def _pole(hand, up, length: float, below: float, radius: float) -> Solid:
    """A pole along the vector ``up``, which begins at the share ``below`` under the hand."""
    return limb(hand - below * up, hand + (length - below) * up, radius, radius * 0.8)


HELD = {
    "rifle": _rifle,
    "rifle across": _rifle,
    "rifle low": lambda hands, ahead, across: [_pole(hands[1], ahead * 0.95 + [0, 0, 0.2], 1.0, 0.3, 0.035)],
    "pistol": lambda hands, ahead, across: [
        limb(hands[1], hands[1] + 0.2 * ahead + [0, 0, 0.03], 0.03),
        limb(hands[1], hands[1] - [0, 0, 0.09], 0.03),
    ],
    "sword": lambda hands, ahead, across: [
        _pole(hands[1], ahead * 0.6 + [0, 0, 0.8], 0.85, 0.1, 0.025),
        limb(hands[1] - across * 0.1, hands[1] + across * 0.1, 0.025),
    ],
    "grenade": lambda hands, ahead, across: [ball(hands[1] + [0, 0, 0.07], [0.06, 0.06, 0.08])],
    "ball": lambda hands, ahead, across: [ball(hands[0] + ahead * 0.1, [0.17, 0.1, 0.1])],
    "spear": lambda hands, ahead, across: [_pole(hands[1], ahead * 0.93 + [0, 0, 0.35], 1.7, 0.8, 0.028)],
}
WORN = {
    "pack": lambda chest, hands, ahead, across, b: [ball(chest - ahead * 0.2 - [0, 0, 0.2], [0.13, 0.18, 0.22], 3.5)],
    "shield": lambda chest, hands, ahead, across, b: [
        tube([hands[0] + across * 0.05, hands[0] + across * 0.09], [0.27, 0.24], along="y")
    ],
    "belt": lambda chest, hands, ahead, across, b: [
        tube([[0, 0, HIP + 0.0], [0, 0, HIP + 0.07]], 0.19 * b, 0.15 * b, 2.4, "z"),
        *mirrored(lambda y: slab([-0.02, y - 0.05, HIP - 0.1], [0.14, y + 0.05, HIP + 0.03]), 0.16 * b),
    ],
}
