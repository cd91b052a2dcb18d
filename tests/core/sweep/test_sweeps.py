"""The numbers of missing and planned trainings, with and without shipped tables."""

from core.sweep.sweeps import SWEEPS, count_trainings


def test_without_a_table_all_trainings_are_missing(no_sweeps):
    assert count_trainings("composition") == (14, 14)
    assert count_trainings("attention") == (9, 9)


def test_trainings_missing_from_a_shipped_table_are_counted():
    assert count_trainings("attention") == (0, 9)
    for name in SWEEPS:
        missing, planned = count_trainings(name)
        assert 0 <= missing <= planned
