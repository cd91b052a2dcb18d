"""The surroundings of a ring: the true directions, their labels, pictures of the toy, and another network's path."""

import numpy as np

from dashboard.figures import vega
from dashboard.figures.pictures import URL, png
from dashboard.theme import GREY, NOTE

QUARTER_TURN = 90.0  # degrees
STEPS = 60  # parts of the rim
N_PICTURES, PICTURE = 8, 36  # small pictures around a ring, and pixels of their sides
N_ON_ARC, ON_ARC_AT = 4, 1.36  # the same on an arc: pictures, and their radius
LABELS_AT, PICTURES_AT = 1.14, 1.56  # radii of labels and pictures around the rim


def is_full_turn(degrees: np.ndarray) -> bool:
    """Whether views go all the way round at equal steps, so that the last is next to the first."""
    steps = np.diff([*degrees, degrees[0] + 360])
    return len(degrees) > 2 and bool(np.allclose(steps, steps[0]))


def is_wide(degrees: np.ndarray) -> bool:
    """Whether views span more than a quarter of a turn, as azimuths may and elevations do not."""
    return float(np.max(degrees) - np.min(degrees)) > QUARTER_TURN


def on_circle(degrees: np.ndarray) -> np.ndarray:
    """The place of each direction on the rim, [n, 2]."""
    return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], 1)


def ends_of(degrees: np.ndarray) -> list[float]:
    """The lowest and the highest direction."""
    return [float(np.min(degrees)), float(np.max(degrees))]


def rim(degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """The circle, or the arc between the lowest and the highest direction, on which true directions lie."""
    low, high = (0.0, 360.0) if is_wide(degrees) else ends_of(degrees)
    places = on_circle(np.linspace(low, high, STEPS + 1))
    values = [{"k": k, "x": float(a), "y": float(b)} for k, (a, b) in enumerate(places.round(4))]
    line = {"type": "line", "color": GREY, "strokeWidth": 1, **vega.SILENT}
    return {"data": {"values": values}} | vega.layer(line, x=x, y=y, order=vega.quantitative("k"))


def labels(degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """The degrees of some directions, outside the rim."""
    shown = [0, 90, 180, 270] if is_wide(degrees) else ends_of(degrees)
    places = LABELS_AT * on_circle(np.array(shown, float))
    values = [
        {"label": f"{d:.0f}°", "x": float(a), "y": float(b)} for d, (a, b) in zip(shown, places.round(4), strict=True)
    ]
    text = {"type": "text", "fontSize": NOTE, **vega.SILENT}
    return {"data": {"values": values}} | vega.layer(text, x=x, y=y, text=vega.nominal("label"))


def pictures_around(pictures: np.ndarray, degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """Small left pictures at about equal directions, outside the labels."""
    is_round = is_full_turn(degrees)
    n, at = (N_PICTURES, PICTURES_AT) if is_wide(degrees) else (N_ON_ARC, ON_ARC_AT)
    chosen = np.unique(np.linspace(0, len(degrees) - (not is_round), n, endpoint=not is_round).round().astype(int))
    places = at * on_circle(degrees[chosen])
    values = [
        {"url": png(pictures[k, 0]), "x": float(a), "y": float(b)}
        for k, (a, b) in zip(chosen, places.round(4), strict=True)
    ]
    image = {"type": "image", "width": PICTURE, "height": PICTURE, **vega.SILENT}
    return {"data": {"values": values}} | vega.layer(image, x=x, y=y, url=URL)


def dashed_path(points: np.ndarray, degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """The path of another network."""
    closed = np.concatenate([points, points[:1]]) if is_full_turn(degrees) else points
    values = [{"k": k, "x": float(a), "y": float(b)} for k, (a, b) in enumerate(closed.round(4))]
    line = {"type": "line", "color": GREY, "strokeWidth": 2, "strokeDash": [5, 4]}
    return {"data": {"values": values}} | vega.layer(line, x=x, y=y, order=vega.quantitative("k"))
