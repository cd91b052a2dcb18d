"""The sweep of convergence: both units see the same batches, and a row keeps the curve."""

from types import SimpleNamespace

from core.sweep import convergence


def test_both_units_differ_in_the_unit_only():
    gru, lstm = (convergence.training(case) for case in convergence.cases(1))
    different = {key for key, value in vars(gru).items() if value != getattr(lstm, key)}
    assert different == {"unit"}
    assert gru.schedule.evaluations == convergence.EVALUATIONS


def test_a_row_keeps_the_curve(tmp_path):
    history = [{"step": 10, "dev_accuracy": 0.5}, {"step": 20, "dev_accuracy": 2 / 3}]
    case = convergence.ConvergenceCase("gru", 0)
    row = convergence.measure(case, SimpleNamespace(run={"history": history}), tmp_path)
    assert row == {"steps": "10 20", "curve": "0.5000 0.6667"}
