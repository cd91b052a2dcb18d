import pandas as pd

from dashboard.pages.kmeans.findings import CLAIMS, findings


def trained(embedding, routing, loss, paper, *tests, n=7600):
    row = {"embedding": embedding, "routing": routing, "loss": loss, "paper": paper, "tested_on": n}
    return [row | {"seed": seed, "test": test} for seed, test in enumerate(tests)]


def test_a_claim_agrees_disagrees_or_is_within_chance():
    table = pd.DataFrame(
        [
            *trained("cwc", "kmeans", "margin+focal", 0.92, 0.900, 0.901, 0.899),
            *trained("cwc", "dynamic", "margin+focal", 0.91, 0.880, 0.881, 0.879),
            *trained("cwc", "none", "margin+focal", 0.91, 0.920, 0.921, 0.919),
            *trained("plain", "kmeans", "margin+focal", 0.91, 0.902, 0.900, 0.899),
        ]
    )
    compared = findings(table).set_index("The paper found")
    assert compared["They agree"].tolist() == ["yes", "no", "within chance"]
    assert compared["by points"].tolist() == ["+1.00"] * 3
    assert compared.iloc[0, 1].startswith("+2.00 (+0.9")


def test_a_claim_needs_both_networks():
    assert findings(pd.DataFrame(trained("cwc", "kmeans", "margin+focal", 0.92, 0.9))).empty


def test_every_claim_is_the_paper_s_own_order():
    from core.sweep.capsules import LOSSES, NETWORKS, PLAIN

    for _, better, worse in CLAIMS:
        theirs = [LOSSES[x.loss] if x[:2] == PLAIN else NETWORKS[x[:2]] for x in (better, worse)]
        assert theirs[0] > theirs[1]
