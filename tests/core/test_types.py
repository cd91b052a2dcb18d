"""The checks of shapes and masks."""

import jaxtyping
import numpy as np
import pytest
import torch

from core.analysis.routing import entropy
from core.types import check_mask

INSIDE = torch.tensor([[True, False, True]])
EMPTY = torch.tensor([[False, False, False]])


def test_a_wrong_shape_is_noticed_if_annotations_are_checked(pytestconfig):
    """``.ci/run`` runs the tests of core with --jaxtyping-packages; without it NumPy finds the error later."""
    checked = pytestconfig.getoption("jaxtyping_packages")
    with pytest.raises(jaxtyping.TypeCheckError if checked else np.exceptions.AxisError):
        entropy(np.ones((3, 2)))


def test_masks_that_meet_the_demands_are_accepted():
    check_mask(torch.tensor([[True, True, False]]), (1, 3))
    check_mask(INSIDE, (1, 3), trailing=False)
    check_mask(EMPTY, (1, 3), nonempty=False)
    check_mask(torch.tensor([[0.25, 0.0, 1.0]]), (1, 3), soft=True)


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("mask", "demands", "expected"),
    [
        (INSIDE, {}, "with a real input in every row and padding at the end only"),
        (INSIDE, {"nonempty": False}, "with padding at the end only"),
        (EMPTY, {"trailing": False}, "with a real input in every row"),
        (
            EMPTY[:, :2],
            {"trailing": False, "nonempty": False},
            r"shape \[1, 2\] .* wanted \[1, 3\] of torch.bool$",
        ),
        (torch.ones(1, 3), {}, "and dtype torch.float32, wanted"),
        (torch.tensor([[0.5, -0.1, 1.0]]), {"soft": True}, "of numbers from 0 to 1"),
        (torch.tensor([[0.5, torch.nan, 1.0]]), {"soft": True}, "of numbers from 0 to 1"),
        (torch.ones(3), {"soft": True}, r"mask has shape \[3\]"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(mask, demands, expected):
    with pytest.raises(ValueError, match=expected):
        check_mask(mask, (1, 3), **demands)
