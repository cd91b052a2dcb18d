"""Claims of those who doubt routing: no parse trees, static couplings, capsules that do nothing, blindness to signs."""

from functools import partial

from core.analysis.verdict import Verdict
from core.ledger.claim import Claim, Measured, evidence_of, observed
from core.manifest import describe
from core.measured import store
from core.measured.evidence.record import UNIFORM
from core.sentences.units import STATIC, is_idle
from core.stored import BY_KIND

PAPER, KMEANS, OTHER_TEXT = "Critics", "k-means routing", "another text's"
NO_TREES, VANISHING, SIGNS = "Mitterreiter et al. 2023", "Everett et al. 2023", "Peer et al. 2021"
NETWORKS = {  # a network for each routing
    "standard routing": "dragg-sst5",
    "reversed routing": "dragg-reversed-sst5",
    KMEANS: "cccaps-ag",
    "EM routing": "em-sst5",
}
FILES = {  # where each routing is
    "standard routing": "../core/routing/dynamic.py",
    "reversed routing": "../core/routing/dynamic.py",
    KMEANS: "../core/routing/kmeans.py",
    "EM routing": "../core/routing/em.py",
}
TEST = "python -m pytest tests/core/ledger/test_critics.py"
ATTENTION = {"attention by layer": "agt-sst5"}
BLIND = 1e-9  # largest difference of couplings that counts as none


def _exchanged(name: str, couplings: str) -> Measured | None:
    """Judge that other couplings answer as well: they cost no accuracy beyond chance."""
    evidence = evidence_of(name)
    if evidence is None or couplings not in evidence.couplings:
        return None
    change = evidence.couplings[couplings].change
    costs = change.high < 0
    verdict = Verdict.DOES_NOT_HOLD if costs else Verdict.REPRODUCED
    note = "" if costs else "no loss beyond chance"
    return Measured(f"{100 * change.mean:+.2f} points", verdict, 100 * change.low, 100 * change.high, note)


def _static(name: str) -> Measured | None:
    """Judge that what units take from a word is nearly the same in every text."""
    kept = store.read("units", name)
    if kept is None:
        return None
    between = kept["between"]
    unit = BY_KIND[describe(name).kind].inner_unit
    text = f"{between.mean():.0%} of the variance between texts; over {len(between)} {unit}s {between.min():.0%} to "
    return observed(f"{text}{between.max():.0%}", bool(between.mean() < STATIC), f"the rule: below {STATIC:.0%}")


def _idle(name: str) -> Measured | None:
    """Judge that some units do nothing: their removal changes no probability by .001 in most texts."""
    kept = store.read("units", name)
    if kept is None:
        return None
    n, unit = sum(is_idle(kept, u) for u in range(len(kept["idle"]))), BY_KIND[describe(name).kind].inner_unit
    return observed(f"{n} of {len(kept['idle'])} {unit}s do nothing in most texts", n > 0)


def _blind(routing: str) -> Measured:
    """Compute whether couplings stay the same when every vote is negated, on random votes."""
    import torch

    from core.routing import dynamic_routing, em_routing, kmeans_routing

    votes = torch.randn(1, 8, 4, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    one = torch.ones((), dtype=torch.float64)
    run = {
        "standard routing": partial(dynamic_routing, n_iters=3),
        "reversed routing": partial(dynamic_routing, n_iters=3, normalize="input"),
        KMEANS: partial(kmeans_routing, n_iters=3),
        "EM routing": lambda votes: em_routing(votes.new_zeros(1, 8), votes[..., None, :], one, one, 3),
    }[routing]
    (*_, plain), (*_, negated) = run(votes), run(-votes)
    most = float((plain.coupling - negated.coupling).abs().max())
    return observed(f"they differ by at most {most:.0e}", most < BLIND, "computed on random votes")


def _claims() -> list[Claim]:
    """The claims on each routing."""
    claims = [  # its inputs are features, which are the same in every text, so whole couplings can be exchanged
        Claim(
            PAPER,
            NO_TREES,
            "The couplings of k-means routing are static: those of another text answer as well",
            "",
            f"python -m core evidence {NETWORKS[KMEANS]} --data DIR",
            f"{NETWORKS[KMEANS]}/evidence.json",
            partial(_exchanged, NETWORKS[KMEANS], OTHER_TEXT),
        )
    ]
    for routing, name in NETWORKS.items():
        command = f"python -m core evidence {name} --data DIR"
        claim = f"Parse trees are absent: with equal couplings, {routing} answers as well"
        file = f"{name}/evidence.json"
        claims.append(Claim(PAPER, NO_TREES, claim, "", command, file, partial(_exchanged, name, UNIFORM)))
    for routing, name in (NETWORKS | ATTENTION).items():
        command, file = f"python -m core.measured units {name} --data DIR", f"{name}/units.npz"
        claim = f"The couplings of {routing} are static: nearly the same for a word in every text"
        if routing != KMEANS:
            claims.append(Claim(PAPER, NO_TREES, claim, "", command, file, partial(_static, name)))
        claim = f"Activations vanish: some units of {routing} do nothing"
        claims.append(Claim(PAPER, VANISHING, claim, "", command, file, partial(_idle, name)))
    for routing in NETWORKS:
        claim = f"The couplings of {routing} cannot tell votes from negated votes"
        claims.append(Claim(PAPER, SIGNS, claim, "", TEST, FILES[routing], partial(_blind, routing)))
    return claims


CLAIMS = tuple(_claims())
