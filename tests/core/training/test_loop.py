"""The training loop: the weights that it keeps, how it ends and resumes, and its schedules."""

import dataclasses

import pytest
import torch

from core.training import loop, schedules
from core.training.metrics import Evaluation
from tests.core.training.runs import COSINE, Stopped, small_run


def test_a_run_may_end_early_with_its_averaged_weights(tmp_path):
    """They equal the weights that the whole run keeps at the same step."""
    kept = dataclasses.replace(COSINE, kept=(0.75,), evaluations=1)
    _, whole = small_run(tmp_path / "whole.pt", schedule=kept)
    weights, run = small_run(tmp_path / "early.pt", schedule=kept, until=0.75)
    assert run["history"] == []
    assert all(torch.equal(weights[name], whole["kept"][0.75][name]) for name in weights)


@pytest.mark.parametrize("options", [{"schedule": COSINE}, {"schedule": schedules.OneCycle(epochs=4, lr=1e-2)}])
@pytest.mark.parametrize("stop_at", [2, 3, 6])
@pytest.mark.parametrize("save_every", [loop.SAVE_EVERY, 0])
def test_a_killed_run_resumes_to_the_same_result(tmp_path, monkeypatch, save_every, stop_at, options):
    monkeypatch.setattr(loop, "SAVE_EVERY", save_every)
    expected, best = small_run(tmp_path / "whole.pt", **options)
    with pytest.raises(Stopped):
        small_run(tmp_path / "killed.pt", stop_at=stop_at, **options)
    torch.rand(99)  # the resumed process starts with another state of the random generator
    resumed, best_resumed = small_run(tmp_path / "killed.pt", resume=True, **options)
    assert resumed.keys() == expected.keys()
    assert all(torch.equal(resumed[name], expected[name]) for name in expected)
    assert best_resumed | {"minutes": 0} == best | {"minutes": 0}
    assert not list(tmp_path.glob("*.part"))


def test_weights_are_kept_along_the_way(tmp_path):
    schedule = dataclasses.replace(COSINE, kept=(0.25, 0.6, 1.0))
    final, run = small_run(tmp_path / "run.pt", schedule=schedule)
    assert list(run["kept"]) == [0.3, 0.6, 1.0]  # at the first evaluation after each share of the steps
    assert all(weights.keys() == final.keys() for weights in run["kept"].values())
    assert not torch.equal(run["kept"][0.3]["0.weight"], run["kept"][0.6]["0.weight"])
    assert run["history"][-1]["step"] == run["steps"]


def test_history_has_a_row_for_each_evaluation(tmp_path):
    _, run = small_run(tmp_path / "run.pt")
    assert [row["step"] for row in run["history"]] == sorted({row["step"] for row in run["history"]})
    assert run["history"][-1]["step"] == run["steps"]
    assert run["dev_accuracy"] == max(row["dev_accuracy"] for row in run["history"])
    assert all(0 <= row["train_accuracy"] <= 1 and row["train_loss"] > 0 for row in run["history"])
    assert run["history"][-1]["dev_loss"] < run["history"][0]["dev_loss"]


def test_the_average_starts_from_the_initial_weights():
    """Step n keeps the share min(n / (n + 10), decay) of the average: 1/11 in the first step, .15 in the second."""
    model = torch.nn.Linear(1, 1, bias=False)
    model.weight.data.fill_(1.0)
    run = loop._State(model, schedules.Schedule(1, 0.1, decay=0.15), None, torch.nn.functional.mse_loss)
    for value, expected in ((2.0, 21 / 11), (3.0, 0.15 * 21 / 11 + 0.85 * 3)):
        model.weight.data.fill_(value)
        run.average.update_parameters(model)
        assert run.average.module.weight.item() == pytest.approx(expected, rel=1e-6)


def test_running_statistics_come_from_the_batches(tmp_path):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))
    batches = [(10 + torch.randn(50, 4), torch.zeros(50, dtype=torch.long))] * 60  # inputs of mean 10
    prepare = lambda batch: ({"input": batch[0]}, batch[1])  # noqa: E731
    loop.fit(
        model,
        lambda e: batches,
        prepare,
        lambda m: Evaluation(0.5, 1.0),
        schedules.Schedule(1, 0.01),
        tmp_path / "run.pt",
    )
    assert (model[0].running_mean > 5).all()


def test_a_perturbation_raises_the_loss_and_restores_the_weights():
    torch.manual_seed(0)
    layer, x, y = torch.nn.Linear(3, 2), torch.randn(8, 3), torch.randint(2, (8,))
    loss = torch.nn.functional.cross_entropy(layer(x), y)
    loss.backward()
    before = layer.weight.detach().clone()
    with loop.perturbed_by(layer.weight, 0.5):
        assert (layer.weight - before).norm().item() == pytest.approx(0.5, rel=1e-4)
        assert torch.nn.functional.cross_entropy(layer(x), y) > loss
    assert torch.equal(layer.weight, before)


def test_resuming_a_finished_run_changes_nothing(tmp_path):
    expected, _ = small_run(tmp_path / "run.pt")
    resumed, _ = small_run(tmp_path / "run.pt", resume=True)
    assert all(torch.equal(resumed[name], expected[name]) for name in expected)


def test_a_state_of_another_run_is_refused(tmp_path):
    small_run(tmp_path / "run.pt")
    with pytest.raises(ValueError, match="other settings"):
        loop.fit(
            torch.nn.Linear(4, 2),
            lambda e: [],
            tuple,
            lambda m: Evaluation(0.0, 1.0),
            schedules.Schedule(1, 0.1),
            tmp_path / "run.pt",
            resume=True,
            fingerprint="another",
        )


@pytest.mark.parametrize("content", [b"", b"no archive", "cut off", "not a state"])
def test_a_damaged_state_is_refused(tmp_path, content):
    state = tmp_path / "run.pt"
    small_run(state)
    if content == "not a state":
        torch.save({"step": 1}, state)
    else:
        state.write_bytes(state.read_bytes()[:500] if content == "cut off" else content)
    with pytest.raises(ValueError, match="damaged"):
        small_run(state, resume=True)


def test_one_cycle_rises_and_falls():
    cycle = schedules.OneCycle(epochs=1, lr=5e-4)
    first, top, last = (cycle.settings(step, 1000) for step in (1, 100, 1000))
    assert first["lr"] == pytest.approx(1e-5 + 4.9e-4 / 100)
    assert (top["lr"], top["betas"][0]) == (pytest.approx(5e-4), pytest.approx(0.8991))
    assert (last["lr"], last["betas"][0]) == (pytest.approx(1e-5), pytest.approx(0.999))


@pytest.mark.parametrize(
    ("epochs", "chosen_after", "fitted", "after"), [(4, 3, 1, 0), (4, 3, 2, 1), (4, 3, 8, 6), (2, 0, 1, 0)]
)
def test_a_schedule_is_fitted_to_fewer_epochs_or_more(epochs, chosen_after, fitted, after):
    schedule = dataclasses.replace(COSINE, epochs=epochs, chosen_after=chosen_after)
    assert schedule.fitted(fitted) == dataclasses.replace(schedule, epochs=fitted, chosen_after=after)


@pytest.mark.parametrize(("chosen_after", "evaluations", "chooses"), [(3, 1, False), (2, 1, True), (3, 2, True)])
def test_the_dev_split_chooses_among_several_evaluations(chosen_after, evaluations, chooses):
    schedule = dataclasses.replace(COSINE, chosen_after=chosen_after, evaluations=evaluations)
    assert schedule.may_choose is chooses


def test_weights_of_the_first_epochs_can_be_excluded(tmp_path):
    steps_per_epoch = 5  # of small_run
    schedule = dataclasses.replace(COSINE, evaluations=1, chosen_after=3)
    assert small_run(tmp_path / "state", schedule=schedule)[1]["step"] == 4 * steps_per_epoch


def test_a_run_ends_when_it_finds_no_better_weights(tmp_path):
    """After that, a resumed run takes no further step."""
    patient = schedules.Schedule(epochs=30, lr=0.0, evaluations=1, patience=3)  # nothing is learned
    weights, run = small_run(tmp_path / "run.pt", schedule=patient)
    assert (run["step"], run["steps"], len(run["history"])) == (5, 150, 4)  # five batches in an epoch
    again, resumed = small_run(tmp_path / "run.pt", resume=True, schedule=patient)
    assert len(resumed["history"]) == 4
    assert all(torch.equal(again[name], weights[name]) for name in weights)


def test_a_rate_may_fall_in_steps_with_l2_regularization():
    schedule = schedules.StepDecay(epochs=4, lr=0.5, weight_decay=0.1, factor=0.9, every=10)
    assert [schedule.settings(step, 40)["lr"] for step in (1, 9, 10, 25)] == pytest.approx([0.5, 0.5, 0.45, 0.405])
    weight = torch.nn.Parameter(torch.tensor([2.0]))
    optimizer = schedule.optimizer([weight])
    (weight * 0).sum().backward()
    optimizer.step()  # the gradient is that of the L2 term alone, and Adam's first step has the size of the rate
    assert optimizer.state[weight]["exp_avg"].item() == pytest.approx(0.1 * 0.1 * 2)
