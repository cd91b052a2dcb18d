"""Facts about a network that are part of every answer: its weights, its badge, and the control behind the badge."""

from core import __version__
from core.measured.evidence.badge import BASELINES, badge_of
from core.measured.evidence.record import RANDOM, Evidence
from core.stored import BY_KIND
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_of
from dashboard.server.api.messages import BadgeFacts, Control, Deletion, Facts, ModelFacts


def facts_of(name: str) -> Facts:
    """The facts about a network."""
    evidence = evidence_of(name)
    badge = badge_of(evidence)
    return Facts(
        network=name,
        weights=checkpoints.about(name).sha256,
        version=__version__,
        badge=BadgeFacts(badge.text, badge.verdict, badge.ranking, badge.unit, badge.share, list(badge.trainings)),
        control=_control(evidence) if evidence else None,
    )


def list_models() -> list[ModelFacts]:
    """The facts about all networks, with what they read and how good they are."""
    return [_model(name) for name in checkpoints.known()]


def _model(name: str) -> ModelFacts:
    facts, about = facts_of(name), checkpoints.about(name)
    return ModelFacts(
        network=facts.network,
        weights=facts.weights,
        version=facts.version,
        badge=facts.badge,
        control=facts.control,
        title=checkpoints.title(name),
        kind=about.kind,
        reads=BY_KIND[about.kind].reads,
        task=about.task,
        classes=list(about.classes),
        iterations=about.model.get("n_iters"),
        parameters=about.metrics.parameters,
        accuracy=about.metrics.test.accuracy,
    )


def _control(evidence: Evidence) -> Control:
    """The tests behind the badge."""
    deletions = []
    for way, rankings in evidence.rankings.items():
        direct_tests = (rankings[name].over_random for name in BASELINES if name in rankings)
        direct = max(direct_tests, key=lambda cost: cost.mean, default=None)
        picture = rankings[evidence.main_ranking()].over_random
        deletions.append(Deletion(way, picture, direct, rankings[RANDOM].aopc))
    return Control(evidence.sample, evidence.n, evidence.command, deletions, dict(evidence.couplings))
