"""Offers of edits for dynamic routing."""

from core.edits import DropCapsule, DropInput, SetCoupling
from core.sentences.words import capital, quote
from core.traces.dragg import DocumentTrace, DRAggTrace, OneRoutingTrace
from dashboard.screen.inputs import Cell, choose_word
from dashboard.screen.unit_link import name_unit
from dashboard.whatif.offers import Action, Causes, Offer, Subject, offer_all, offer_share, offer_word, place_after
from dashboard.whatif.text_page import TextPage

MAX_TITLE = 30  # characters of a word or sentence in a title


def subject_of(frame: TextPage, steps: int, full: DRAggTrace | DocumentTrace, cell: Cell) -> Subject:
    """The offers for the picked cell.

    Args:
        frame: page with the text and the network.
        steps: number of iterations to show.
        full: trace with all iterations.
        cell: picked cell.
    """
    is_document = isinstance(full, DocumentTrace)
    unit, (i, j) = "sentence" if is_document else "word", cell
    trained = frame.about.model["n_iters"]
    others = f"this {unit}'s other shares" if _routed(full).normalize == "output" else "this capsule's other shares"
    tokens = _routed(full).tokens
    capsule = f"capsule {j + 1}"

    def offers(now: DRAggTrace | DocumentTrace) -> tuple[Offer, ...]:
        place = place_after(i, tokens, _routed(now).tokens)
        share = None if place is None else float(causes_of(now, trained).shares[place, j])
        nothing = "This capsule takes nothing from any word."
        routing_offers = (
            offer_share(SetCoupling(i, j, 0), f"{quote(tokens[i], MAX_TITLE)} → {capsule}", share, trained, others),
            Offer(capital(name_unit(full.model, j + 1, "capsule")), (Action("Switch off", DropCapsule(j), nothing),)),
            offer_all(steps),
        )
        if not is_document:
            return *routing_offers[:1], offer_word(full.tokens, i, drop=DropInput(i)), *routing_offers[1:]
        masked = Action("Mask sentence", DropInput(i), "No capsule takes anything from this sentence.")
        word = choose_word(full.tokens, f"{frame.name} {frame.text}")
        return (
            *routing_offers[:1],
            Offer(f"Sentence {i + 1}", (masked,)),
            *routing_offers[1:],
            offer_word(full.tokens, word, drop=DropInput(word, routing=0)),
        )

    def causes(run: DRAggTrace | DocumentTrace) -> Causes:
        return causes_of(run, trained)

    return Subject(steps, offers, causes)


def causes_of(run: DRAggTrace | DocumentTrace, trained: int) -> Causes:
    """The causal map of the shares after the trained number of iterations."""
    routed = _routed(run)
    shares = routed.inputs_to_capsules.coupling[trained - 1]
    unit = "sentence" if isinstance(run, DocumentTrace) else "word"
    capsules = [str(j + 1) for j in range(shares.shape[1])]
    return Causes(shares, routed.tokens, capsules, unit, "capsule", picks={"i": unit, "j": "capsule"})


def _routed(run: DRAggTrace | DocumentTrace) -> OneRoutingTrace:
    """The routing of a document's sentences, or of a text's words."""
    return run.of_sentences() if isinstance(run, DocumentTrace) else run
