"""Offers of edits for dynamic routing."""

from core.edits import DropCapsule, DropInput, SetCoupling
from core.sentences.words import quote
from core.traces.dragg import DocumentTrace, DRAggTrace, OneRoutingTrace
from dashboard.runs import checkpoints
from dashboard.runs.edits import TextRun
from dashboard.screen.inputs import Cell, choose_word
from dashboard.whatif.offers import Action, Causes, Offer, Subject, offer_all, offer_share, offer_word, place_after


def subject_of(name: str, device: str, text: str, steps: int, full: DRAggTrace | DocumentTrace, cell: Cell) -> Subject:
    """The run, with offers for the picked cell.

    Args:
        name, device: name and device of the checkpoint.
        text: text of the run.
        steps: number of iterations to show.
        full: trace with all iterations.
        cell: picked cell.
    """
    is_document = isinstance(full, DocumentTrace)
    unit, (i, j) = "sentence" if is_document else "word", cell
    trained = checkpoints.about(name).model["n_iters"]
    shares = causes_of(full, trained).shares
    other_shares = (
        f"this {unit}'s other shares" if _routed(full).normalize == "output" else "this capsule's other shares"
    )
    inputs = [quote(token) for token in _routed(full).tokens]
    capsules = [f"capsule {k + 1}" for k in range(shares.shape[1])]

    def offers(now: DRAggTrace | DocumentTrace) -> tuple[Offer, ...]:
        dose = f"c_ij of {inputs[i]} and {capsules[j]}"
        place = place_after(i, _routed(full).tokens, _routed(now).tokens)
        share = None if place is None else float(causes_of(now, trained).shares[place, j])
        routing_offers = (
            offer_share(SetCoupling(i, j, 0), capsules[j], share, dose, other_shares),
            Offer(capsules[j].capitalize(), (Action("Remove", DropCapsule(j), "It gets nothing."),)),
            offer_all(steps),
        )
        if not is_document:
            return offer_word(full.tokens, i, drop=DropInput(i)), *routing_offers
        sentence = Offer(f"Sentence {i + 1}", (Action("Drop", DropInput(i), "It takes part in nothing."),))
        word = choose_word(full.tokens, f"{name} {text}")
        return sentence, *routing_offers, offer_word(full.tokens, word, drop=DropInput(word, routing=0))

    def causes(run: DRAggTrace | DocumentTrace) -> Causes:
        return causes_of(run, trained)

    run = TextRun(name, device, text, steps)
    return Subject("Coupling coefficients", run, full, steps, offers, causes)


def causes_of(run: DRAggTrace | DocumentTrace, trained: int) -> Causes:
    """The causal map of the shares after the trained number of iterations."""
    routed = _routed(run)
    shares = routed.inputs_to_capsules.coupling[trained - 1]
    unit = "sentence" if isinstance(run, DocumentTrace) else "word"
    return Causes(shares, routed.tokens, [str(j + 1) for j in range(shares.shape[1])], unit, "capsule")


def _routed(run: DRAggTrace | DocumentTrace) -> OneRoutingTrace:
    """The routing of a document's sentences, or of a text's words."""
    return run.of_sentences() if isinstance(run, DocumentTrace) else run
