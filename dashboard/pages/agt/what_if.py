"""Offers of edits for AGT."""

from core.edits import DropAttention, DropInput, SetGate
from core.traces.agt import AGTTrace
from dashboard.runs.edits import TextRun
from dashboard.screen.inputs import choose_number_from, choose_word
from dashboard.whatif.offers import Action, Dosed, Offer, Subject, offer_word


def subject_of(name: str, device: str, text: str, full: AGTTrace) -> Subject:
    """The run, with offers for a word and for a layer.

    Args:
        name, device: name and device of the checkpoint.
        text: text of the run.
        full: trace without edits.
    """
    n_layers, n_attending = full.n_steps, len(full.attention)

    def offers(now: AGTTrace) -> tuple[Offer, ...]:
        number = choose_word(full.tokens, f"{name} {text}")
        word = offer_word(full.tokens, number, drop=DropInput(number))
        layer = choose_number_from(n_layers, "Layer", "changed", min(1, n_layers - 1), name)
        actions, doses = [], []
        if layer < n_attending:
            actions.append(Action("Attend to nothing", DropAttention(layer), "Its attention to every word is 0."))
        if layer > 0:
            gate, mean = SetGate(layer, 0), float(now.gates[layer - 1].mean())
            actions += [
                Action("Shut", gate.dosed(0), "The layer takes in nothing and carries the layer before on."),
                Action("Open", gate.dosed(1), "The layer replaces all that the layer before has."),
            ]
            doses.append(Dosed(f"All gates of layer {layer + 1}, their mean", gate, (0, 1), mean))
        return word, Offer(f"Layer {layer + 1}", tuple(actions), doses=tuple(doses))

    run = {"run": TextRun(name, device, text, None), "full": full, "steps": n_layers}
    return Subject("Attention", **run, offers=offers, param="layer")
