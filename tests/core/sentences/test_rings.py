"""Sentences on the poses of a toy in other trainings."""

import numpy as np

from core.analysis.rings import unit_circle
from core.sentences.rings import count_round, describe_trainings

AZIMUTHS, ELEVATIONS = np.arange(0, 360, 20.0), np.arange(30, 75, 5.0)


def test_other_trainings_are_compared_by_azimuth():
    points = {"seed 1": unit_circle(AZIMUTHS + 10), "seed 2": unit_circle(3 * AZIMUTHS)}
    sentences = describe_trainings(points, AZIMUTHS, "azimuth", "truck")
    assert len(sentences) == 18
    assert sentences[1] == (
        "In the other trainings, the pose of “truck” goes round once (score 1.00, 10° off on average; seed 1) and does "
        "not go round (score 0.00, 89° off on average; seed 2). This view: 20°, read off as 30° (seed 1) and 60° "
        "(seed 2)."
    )


def test_other_trainings_are_compared_by_elevation():
    points = {"seed 1": unit_circle(ELEVATIONS + 2), "seed 2": unit_circle(np.full(9, 90.0))}
    first = describe_trainings(points, ELEVATIONS, "elevation", "truck", is_aligned=True, view="The nearest view:")[0]
    assert first == (
        "In the other trainings, the pose of “truck” follows the elevation (2° off on average; seed 1) and hardly "
        "follows the elevation (40° off on average; seed 2). Each is after a constant turn of its own was taken off. "
        "The nearest view: 30°, read off as 32° (seed 1) and 90° (seed 2)."
    )


def test_toys_whose_pose_goes_round_are_counted():
    scores = {"in this training": np.array([0.9, 0.8, 0.79]), "with seed 1": np.array([0.1, 0.2, 0.99])}
    assert count_round(scores) == (
        "As the 3 rendered test toys turn once, at elevation 50° in light 1, the pose goes round once (score 0.8 or "
        "more) for 2 in this training and 1 with seed 1."
    )
