"""Offers of edits for two EM routings of a text."""

from core.edits import DropCapsule, DropInput, SetCoupling
from core.sentences.words import capital, quote
from core.traces.em import EMTextTrace
from dashboard.screen.inputs import choose_class
from dashboard.screen.unit_link import name_unit
from dashboard.whatif.offers import Action, Causes, Offer, Subject, offer_all, offer_share, offer_word
from dashboard.whatif.text_page import TextPage


def subject_of(frame: TextPage, steps: int, full: EMTextTrace, word: int, part: int) -> Subject:
    """The offers for the picked word and part.

    Args:
        frame: page with the text and the network.
        steps: number of iterations to show.
        full: trace with all iterations.
        word, part: indices of the picked word and part.
    """
    trained = frame.about.model["n_iters"]

    def offers(now: EMTextTrace) -> tuple[Offer, ...]:
        k = choose_class(full.classes, int(full.probabilities[trained - 1].argmax()), frame.name)
        share, title = float(now.parts_to_classes.coupling[trained - 1, part, k]), quote(full.classes[k])
        name = f"part {part + 1}"
        off = Action("Switch off", DropCapsule(part, routing=0), "No word can send anything to this part.")
        return (
            offer_word(full.tokens, word, drop=DropInput(word)),
            Offer(capital(name_unit(full.model, part + 1, "part")), (off,)),
            offer_share(SetCoupling(part, k, 0, routing=1), f"{name} → {title}", share, trained),
            offer_all(steps, 0, "Shares, words to parts: replace by"),
            offer_all(steps, 1, "Shares, parts to classes: replace by"),
        )

    def causes(run: EMTextTrace) -> Causes:
        return causes_of(run, trained)

    return Subject(steps, offers, causes)


def causes_of(run: EMTextTrace, trained: int) -> Causes:
    """The causal map of D_use of every part for every class, after the trained number of iterations."""
    second = run.parts_to_classes
    use = (second.gate[..., None] * second.coupling)[trained - 1]
    parts, picks = [str(j + 1) for j in range(len(use))], {"i": "part"}
    return Causes(use, parts, run.classes, "part", "class", by="capsule", what="D_use", picks=picks)
