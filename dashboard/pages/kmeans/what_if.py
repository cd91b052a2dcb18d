"""What can be changed inside k-means routing, and dynamic routing of feature capsules."""

from core.edits import DropCapsule, DropInput, SetCoupling, Sharpness
from core.sentences.words import quote
from core.traces.cccaps import CCCapsTrace
from dashboard.runs import checkpoints
from dashboard.runs.edits import TextRun
from dashboard.screen.inputs import choose_class
from dashboard.whatif.offers import Action, Causes, Dosed, Offer, Subject, dose_of, offer_all, offer_share, offer_word

SHARPEST = 10.0  # where the softmax is nearly a choice


def subject_of(name: str, device: str, text: str, steps: int, full: CCCapsTrace, feature: int, word: int) -> Subject:
    """The run, and what can be done with the picked feature capsule and word.

    Args:
        steps: iterations that are shown. full: the run with all of them.
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
    """The shares after as many iterations as the network was trained with."""
    shares = run.features_to_classes.coupling[trained - 1]
    return Causes(shares, [str(i + 1) for i in range(len(shares))], run.classes, "feature", "class")
