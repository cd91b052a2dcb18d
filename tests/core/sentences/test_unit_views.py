"""Sentences on parts over views, each by hand."""

import numpy as np

from core.sentences.unit_views import followed, say_activation, say_pose


def kept(share, score=((20, 50), (-30, 900)), ends=(-99, 950)):
    """One part whose pose has two components. share: of azimuth, elevation and light, [factor, component]."""
    shares = np.array(share, float)[:, None]
    return {
        "share": shares,
        "low": shares - 0.05,
        "high": shares + 0.05,
        "own": shares + 0.3,
        "chance": np.full((3, 1), 0.02),
        "strongest": shares[0].argmax(1),
        "score": np.array([score]),
        "range": np.array([ends]),
        "elevations": np.array([30, 40]),
        "azimuths": np.array([0, 180]),
    }


def test_a_part_says_how_many_components_follow_what():
    arrays = kept([[0.1, 0.4], [0.2, 0.01], [0, 0.03]])  # the last is above chance, but its interval reaches 0
    assert say_pose(arrays, 0) == (
        "Of the 2 components of its pose, 2 follow the azimuth and 1 follows the elevation; none follows the light. "
        "The azimuth explains component 2 best: 40% of its variance in toys that were left out (35% to 45%; by "
        "chance up to 2%). A curve for each toy by itself explains 70%."
    )
    assert followed(arrays, 0) == {"azimuth": [1, 2], "elevation": [1], "light": []}


def test_a_part_says_that_no_component_follows_the_azimuth():
    says = say_pose(kept([[-0.2, 0.01], [0.2, 0.3], [0.4, 0.4]]), 0)
    assert says == (
        "Of the 2 components of its pose, 2 follow the elevation and 2 follow the light; none follows the azimuth. The "
        "azimuth explains at most 1% of a component's variance in toys that were left out (component 2; by chance up "
        "to 2%). A curve for each toy by itself explains 31%."
    )
    nothing = say_pose(kept(np.full((3, 2), -0.1)), 0)
    assert nothing.startswith("No component of its pose follows the azimuth, the elevation or the light. The azimuth ")
    assert "explains at most 0% of" in nothing


def test_a_part_says_from_where_its_score_is_high():
    assert say_activation(kept(np.zeros((3, 2))), 0) == (
        "Its activation f(a) is 0.00 to 1.00. Its score a is highest from azimuth 180°, elevation 40° (900) and lowest "
        "from azimuth 0°, elevation 40° (-30.0), as means over toys and lights."
    )
    for ends, says in (
        ((40, 950), "It is fully active in all pairs: f(a) is 1.00. "),
        ((-40, -9), "It is off in all pairs: f(a) is 0.00. "),
        ((0, 0.001), "It is equally active in all pairs: f(a) is 0.50. "),
    ):
        assert say_activation(kept(np.zeros((3, 2)), ends=ends), 0).startswith(says)


def test_a_pose_that_never_changes_follows_nothing():
    constant = kept(np.zeros((3, 2))) | {"own": np.zeros((3, 1, 2))}
    assert say_pose(constant, 0) == "Its pose is the same in all pairs, so it follows nothing."
