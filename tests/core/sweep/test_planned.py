from core.sweep.sweeps import SWEEPS, count_trainings


def test_without_a_table_nothing_is_trained(no_sweeps):
    assert count_trainings("composition") == (13, 13)
    assert count_trainings("attention") == (9, 9)


def test_of_a_shipped_table_what_it_lacks_is_counted():
    assert count_trainings("attention") == (0, 9)
    for name in SWEEPS:
        missing, planned = count_trainings(name)
        assert 0 <= missing <= planned
