"""Offers of edits for routing of feature capsules."""

from core.edits import DropCapsule, DropInput, SetCoupling, Sharpness
from core.sentences.words import capital, quote
from core.traces.cccaps import CCCapsTrace
from dashboard.screen.inputs import choose_class
from dashboard.screen.unit_link import name_unit
from dashboard.whatif.offers import Action, Causes, Dosed, Offer, Subject, dose_of, offer_all, offer_share, offer_word
from dashboard.whatif.text_page import TextPage

SHARPEST = 10.0  # with this factor the softmax nearly chooses one class


def subject_of(frame: TextPage, steps: int, full: CCCapsTrace, feature: int, word: int) -> Subject:
    """The offers for the picked feature capsule and word.

    Args:
        frame: page with the text and the network.
        steps: number of iterations to show.
        full: trace with all iterations, without edits.
        feature, word: indices of the picked capsule and word.
    """
    trained = frame.about.model["n_iters"]
    shares = causes_of(full, trained).shares
    name, i = f"feature capsule {feature + 1}", feature

    def offers(now: CCCapsTrace) -> tuple[Offer, ...]:
        j = choose_class(full.classes, int(shares[feature].argmax()), frame.name)
        receiver, share = quote(full.classes[j]), float(causes_of(now, trained).shares[feature, j])
        factor = Sharpness(1.0)
        sharp = Dosed("Sharpness K (eq. 10)", factor, (0.0, SHARPEST), dose_of(now, factor, 1.0))
        is_kmeans = full.routing == "kmeans"
        off = Action("Switch off", DropInput(i), "This capsule sends nothing to any class.")
        return (
            offer_share(SetCoupling(i, j, 0), f"{name} → {receiver}", share, trained),
            Offer(capital(name_unit(full.model, feature + 1, "feature capsule")), (off,)),
            Offer(f"Capsule of {receiver}", (Action("Switch off", DropCapsule(j), "This capsule receives nothing."),)),
            offer_all(steps, begins_equal=not is_kmeans),
            *((Offer("Softmax of the shares", doses=(sharp,)),) if is_kmeans else ()),
            offer_word(full.tokens, word),
        )

    def causes(run: CCCapsTrace) -> Causes:
        return causes_of(run, trained)

    return Subject(steps, offers, causes)


def causes_of(run: CCCapsTrace, trained: int) -> Causes:
    """The causal map of the shares after the trained number of iterations."""
    shares = run.features_to_classes.coupling[trained - 1]
    features = [str(i + 1) for i in range(len(shares))]
    return Causes(shares, features, run.classes, "feature", "class", picks={"i": "feature"})
