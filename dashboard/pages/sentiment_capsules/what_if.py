"""Offers of edits for two EM routings of a text."""

import streamlit as st

from core.edits import DropCapsule, DropInput, SetCoupling
from core.sentences.words import quote
from core.traces.em import EMTextTrace
from dashboard.runs import checkpoints
from dashboard.runs.edits import TextRun
from dashboard.screen.inputs import choose_class, choose_word
from dashboard.whatif.offers import Action, Causes, Offer, Subject, offer_all, offer_share, offer_word


def subject_of(name: str, device: str, text: str, steps: int, full: EMTextTrace, part: int) -> Subject:
    """The run, with offers for the picked part and for a word.

    Args:
        name, device: name and device of the checkpoint.
        text: text of the run.
        steps: number of iterations to show.
        full: trace with all iterations.
        part: index of the picked part.
    """
    trained = checkpoints.about(name).model["n_iters"]
    use = causes_of(full, trained).shares
    parts = [f"part {j + 1}" for j in range(len(use))]

    def offers(now: EMTextTrace) -> tuple[Offer, ...]:
        word_menu, class_menu = st.columns(2, vertical_alignment="bottom")
        with class_menu:
            k = choose_class(full.classes, int(full.probabilities[trained - 1].argmax()), name)
        with word_menu:
            i = choose_word(full.tokens, f"{name} {text}")
        share, title = float(now.parts_to_classes.coupling[trained - 1, part, k]), quote(full.classes[k])
        dose = f"R_jk of {parts[part]} and {title}"
        remove = Action(
            "Remove", DropCapsule(part, routing=0), "Its share of every word is 0; its score without them counts."
        )
        return (
            offer_word(full.tokens, i, drop=DropInput(i)),
            Offer(parts[part].capitalize(), (remove,)),
            offer_share(SetCoupling(part, k, 0, routing=1), title, share, dose),
            offer_all(steps, 0, "Words to parts"),
            offer_all(steps, 1, "Parts to classes"),
        )

    def causes(run: EMTextTrace) -> Causes:
        return causes_of(run, trained)

    run = TextRun(name, device, text, steps)
    return Subject("Credit of words", run, full, steps, offers, causes)


def causes_of(run: EMTextTrace, trained: int) -> Causes:
    """The causal map of D_use of every part for every class, after the trained number of iterations."""
    second = run.parts_to_classes
    use = (second.gate[..., None] * second.coupling)[trained - 1]
    return Causes(use, [str(j + 1) for j in range(len(use))], run.classes, "part", "class", by="capsule", what="D_use")
