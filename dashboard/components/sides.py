"""The classes of two runs as bars at the scrubber's step."""

from collections.abc import Sequence

import numpy as np

from dashboard.components.component import Component
from dashboard.components.files import DIGITS
from dashboard.figures.standalone import DrawnComponent

_sides = Component("sides")


def sides(
    key: str,
    names: Sequence[str],
    values: Sequence[np.ndarray],
    classes: Sequence[str],
    percent: bool,
    param: str,
    first: int = 0,
) -> DrawnComponent:
    """Draw the classes of two runs as pairs of bars, or the classes of one run.

    Args:
        key: key of the component.
        names: names of the runs.
        values: probabilities, or lengths of capsules, from 0 to 1, of each run, [t, k].
        classes: names of the classes, the same for both runs.
        percent: whether the values are probabilities.
        param: parameter of the scrubber.
        first: side of the first run: 0 for left, 1 for right.
    """
    runs = [
        {"name": name, "side": side, "values": np.round(numbers, DIGITS).tolist()}
        for side, (name, numbers) in enumerate(zip(names, values, strict=True), first)
    ]
    data = {"runs": runs, "classes": list(classes), "percent": percent, "param": param, "start": len(values[0])}
    _sides(key=key, data=data)
    return DrawnComponent(_sides.source, data)
