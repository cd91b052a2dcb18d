"""What the sweep of windows says of DRNN's claims."""

import pandas as pd

from core import ledger
from core.measured import store

FILE = "sweeps/windows.parquet"


def verdicts(rows):
    """The verdict on each claim that a table with these rows can judge."""
    store.save_sweep("windows", swept(rows))
    table = ledger.read("DRNN", FILE)
    table = table[table["verdict"] != "not measured"]
    return dict(zip(table["claim"], table["verdict"], strict=True))


def swept(rows: list[tuple]) -> pd.DataFrame:
    """A table of a sweep. rows: corpus, unit, pooling, size, window, test."""
    table = pd.DataFrame(rows, columns=["corpus", "unit", "pooling", "size", "window", "test"])
    return table.assign(seed=0, d=64, dev=table["test"], trained_on=11_938, tested_on=7600)


def varied(best: dict[str, int], windows=(1, 3, 5, 15, 40), **fixed) -> list[tuple]:
    """Rows of networks that are best at a window, by unit."""
    about = {"corpus": "ag_news", "pooling": "max", "size": 0} | fixed
    return [
        (about["corpus"], unit, about["pooling"], about["size"], k, 0.9 if k == most else 0.8)
        for unit, most in best.items()
        for k in windows
    ]


def test_a_curve_that_does_not_reach_the_largest_window_settles_nothing(no_sweeps):
    rows = varied({"gru": 15}) + [("imdb", *row[1:]) for row in varied({"gru": 5}, windows=(1, 3, 5))]
    assert not any(claim.startswith("Topics") for claim in verdicts(rows))


def test_findings_by_hand(no_sweeps):
    """Best windows where the paper has them, or not; a plain unit that is as good at 40; mean pooling ahead of max."""
    rows = varied({"gru": 15, "rnn": 40, "cnn": 40})
    rows += varied({"gru": 3}, pooling="attentive") + [(*r[:5], 0.95) for r in varied({"gru": 3}, pooling="mean")]
    rows += varied({"gru": 40}, corpus="sst") + varied({"gru": 15}, size=1000)
    assert verdicts(rows) == {
        "DRNN errs less than a CNN on AG's News": "within chance",
        "The best window of the CNN on AG's News": "does not agree",
        "The best window of the DGRU on AG's News": "agrees",
        "Mean pooling becomes worse as the window grows": "within chance",
        "The plain unit collapses beyond a window of 10": "does not agree",
        "Max pooling is better than mean pooling": "does not agree",
        "Max pooling is better than attentive pooling": "within chance",
        "Topics want a smaller window than sentiment": "agrees",
        "The best window hardly depends on the number of training texts": "agrees",
    }
    table = ledger.read("DRNN", FILE).set_index("claim")["here"]
    cnn = "The best window of the CNN on AG's News"
    assert table[cnn] == "40, whose accuracy beside that of 3 is +10.00 points"
    tasks = table["Topics want a smaller window than sentiment"]
    assert tasks.startswith("from 15 to 40 words sentiment gains +20.00 points more; best window: topic, AG's News 15")


def test_a_window_that_is_hardly_better_than_the_paper_s_is_within_chance(no_sweeps):
    rows = [(*row[:5], 0.9 if row[4] == 40 else 0.895) for row in varied({"cnn": 40})]
    assert verdicts(rows) == {"The best window of the CNN on AG's News": "within chance"}
    (row,) = ledger.read("DRNN", FILE).query("verdict == 'within chance'").to_dict("records")
    assert row["from"] < 0 < row["to"]


def test_windows_are_chosen_on_the_dev_split(no_sweeps):
    table = swept(varied({"gru": 15}))
    store.save_sweep("windows", table.assign(dev=[0.9 if window == 3 else 0.8 for window in table["window"]]))
    here = ledger.read("DRNN", FILE).set_index("claim")["here"]
    assert here["The best window of the DGRU on AG's News"].startswith("3, whose accuracy beside that of 15 is -10.00")


def test_units_are_compared_over_all_windows_that_both_have(no_sweeps):
    store.save_sweep("windows", swept(varied({"gru": 15, "lstm": 5})))
    here = ledger.read("DRNN", FILE).set_index("claim").loc["DGRU is better than DLSTM"]
    assert here["here"] == "+0.00 points, mean over 5 windows; it is ahead with 1 of them"
    assert here["verdict"] == "within chance"


def test_mean_pooling_that_loses_by_large_windows_is_said_to(no_sweeps):
    claim = "Mean pooling becomes worse as the window grows"
    assert verdicts(varied({"gru": 3}, pooling="mean")) == {claim: "agrees"}


def test_training_sizes_whose_windows_differ_beyond_chance_do_not_agree(no_sweeps):
    claim = "The best window hardly depends on the number of training texts"
    rows = varied({"gru": 40}) + varied({"gru": 3}, size=1000)
    assert verdicts(rows)[claim] == "does not agree"
    hardly = [(*row[:5], 0.9 if row[4] == 3 else 0.895) for row in varied({"gru": 3}, size=1000)]
    assert verdicts(varied({"gru": 40}) + hardly)[claim] == "within chance"


def test_findings_of_a_table_that_is_not_whole(no_sweeps):
    assert verdicts(varied({"gru": 1, "rnn": 3}, windows=(1, 3))) == {
        "The best window of the DGRU on AG's News": "does not agree"
    }


def test_a_plain_unit_that_collapses_is_said_to(no_sweeps):
    assert verdicts(varied({"rnn": 10}, windows=(3, 10, 15, 40))) == {
        "The plain unit collapses beyond a window of 10": "agrees"
    }
    row = ledger.read("DRNN", FILE).set_index("claim").loc["The plain unit collapses beyond a window of 10"]
    assert row["here"] == "error 10.0% at best up to window 10, 20.0% beyond"
