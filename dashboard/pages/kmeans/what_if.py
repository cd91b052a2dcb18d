"""Offers of edits for routing of feature capsules."""

from core.edits import DropCapsule, DropInput, SetCoupling, Sharpness
from core.sentences.words import quote
from core.traces.cccaps import CCCapsTrace
from dashboard.runs import checkpoints
from dashboard.runs.edits import TextRun
from dashboard.screen.inputs import choose_class
from dashboard.whatif.offers import Action, Causes, Dosed, Offer, Subject, dose_of, offer_all, offer_share, offer_word

SHARPEST = 10.0  # with this factor the softmax nearly chooses one class


def subject_of(name: str, device: str, text: str, steps: int, full: CCCapsTrace, feature: int, word: int) -> Subject:
    """The run, with offers for the picked feature capsule and word.

    Args:
        name, device: name and device of the checkpoint.
        text: text of the run.
        steps: number of iterations to show.
        full: trace with all iterations, without edits.
        feature, word: indices of the picked capsule and word.
    """
    trained = checkpoints.about(name).model["n_iters"]
    shares = causes_of(full, trained).shares
    names = [f"feature {i + 1}" for i in range(len(shares))]
    classes = [quote(c) for c in full.classes]

    def offers(now: CCCapsTrace) -> tuple[Offer, ...]:
        j = choose_class(full.classes, int(shares[feature].argmax()), name)
        i, share = feature, float(causes_of(now, trained).shares[feature, j])
        factor = Sharpness(1.0)
        sharp = Dosed("Sharpness K (eq. 10)", factor, (0.0, SHARPEST), dose_of(now, factor, 1.0))
        is_kmeans = full.routing == "kmeans"
        drop = Action("Drop", DropInput(i), "It takes part in nothing.")
        return (
            Offer(names[i].capitalize(), (drop,)),
            offer_share(SetCoupling(i, j, 0), classes[j], share, f"c_ij of {names[i]} and {classes[j]}"),
            Offer(f"Capsule of {classes[j]}", (Action("Remove", DropCapsule(j), "It gets nothing."),)),
            offer_all(steps, begins_equal=not is_kmeans),
            *((Offer("Softmax of the shares", doses=(sharp,)),) if is_kmeans else ()),
            offer_word(full.tokens, word),
        )

    def causes(run: CCCapsTrace) -> Causes:
        return causes_of(run, trained)

    run = TextRun(name, device, text, steps)
    return Subject("Coupling coefficients", run, full, steps, offers, causes, percent=False)


def causes_of(run: CCCapsTrace, trained: int) -> Causes:
    """The causal map of the shares after the trained number of iterations."""
    shares = run.features_to_classes.coupling[trained - 1]
    return Causes(shares, [str(i + 1) for i in range(len(shares))], run.classes, "feature", "class")
