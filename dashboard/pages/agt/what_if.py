"""Offers of edits for AGT."""

from core.edits import DropAttention, DropInput, SetGate
from core.traces.agt import AGTTrace
from dashboard.screen.unit_link import name_unit
from dashboard.whatif.offers import Action, Dosed, Offer, Subject, offer_word

ONLY_GATES = "The picture stays as it was: a layer's attention depends on the words alone, not on any gate."


def subject_of(full: AGTTrace, word: int, layer: int) -> Subject:
    """The offers for the picked word and layer.

    Args:
        full: trace without edits.
        word, layer: indices of the picked word and layer.
    """

    def offers(now: AGTTrace) -> tuple[Offer, ...]:
        offered = [offer_word(full.tokens, word, drop=DropInput(word))]
        if layer < len(full.attention):
            off = Action("Switch off", DropAttention(layer), "This layer attends to no word.")
            offered.append(Offer(f"Attention of {name_unit(full.model, layer + 1, 'layer')}", (off,)))
        if layer > 0:
            gate, mean = SetGate(layer, 0), float(now.gates[layer - 1].mean())
            actions = (
                Action("Set to 0", gate.dosed(0), "The layer takes in nothing and keeps the layer below."),
                Action("Set to 1", gate.dosed(1), "The layer replaces all that the layer below has."),
            )
            name = f"All gates of layer {layer + 1}"
            offered.append(Offer(f"{name}, mean {mean:.2f}", actions, doses=(Dosed(name, gate, (0, 1), mean),)))
        return tuple(offered)

    def note(now: AGTTrace) -> str | None:
        return ONLY_GATES if now.edits and all(form.startswith("gate:") for form in now.edits) else None

    return Subject(full.n_steps, offers, param="layer", note=note)
