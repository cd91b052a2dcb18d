"""Several routings of the same votes over the iterations."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap


def shares_of_all(couplings: dict[str, np.ndarray], inputs: Sequence[str], outputs: Sequence[str], unit: str) -> Figure:
    """A row for each routing and capsule, a column for each input; colour is the share.

    Args:
        couplings: by the routing's name, [t, i, j].
        inputs, outputs: their names.
        unit: the kind of the inputs, in the singular.
    """
    values = np.concatenate(list(couplings.values()), axis=2)
    rows = [f"{routing} · {output}" for routing in couplings for output in outputs]
    columns = Axis(unit, [f"{name}" for name in inputs])
    return heatmap(values, columns, Axis("capsule", rows), Colour("cᵢⱼ", ["share cᵢⱼ, of EM Rᵢⱼ"]))


def shares_table(couplings: dict[str, np.ndarray], inputs: Sequence[str], outputs: Sequence[str]) -> pd.DataFrame:
    """A row for each iteration, routing, input and capsule."""
    rows = []
    for routing, coupling in couplings.items():
        t, i, j = (index.ravel() for index in np.indices(coupling.shape))
        names = {"input": np.array(inputs, object)[i], "capsule": np.array(outputs, object)[j]}
        rows.append(pd.DataFrame({"iteration": t + 1, "routing": routing, **names, "share": coupling.ravel()}))
    return pd.concat(rows, ignore_index=True)
