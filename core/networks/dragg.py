"""DR-AGG on a sentence (Gong et al. 2018): words vote for capsules."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import to_float64
from core.edits import COUPLING_EDITS, DropCapsule, DropInput, Edit, EditArgument, ReplaceWord, edits_of_routing
from core.inputs.readers import WordReader
from core.models.dragg import DRAgg, DRAggConfig
from core.networks.arrays import record_routing, stack_steps, stack_values, to_array
from core.networks.base import Inputs, Rerun, Reruns, Step, UnitRun, Votes
from core.networks.cost import WORDS, Cost, iterations
from core.networks.probe import Answer, Probe, batched
from core.networks.reading import read_texts, read_words
from core.networks.summary import Summary, summarize
from core.networks.units import unit_runs_of
from core.networks.words import WordNetwork, removed
from core.routing import DynamicStep
from core.traces.dragg import CapsuleRouting, DRAggTrace


class DRAggNetwork(WordNetwork[DRAgg, DRAggTrace], record=DRAggTrace):
    model, config = DRAgg, DRAggConfig
    edits = (DropInput, ReplaceWord, *COUPLING_EDITS)

    def traces(
        self,
        checkpoint: Checkpoint[DRAgg, WordReader],
        texts: Sequence[str],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[DRAggTrace]:
        model = checkpoint.model
        inputs, about = read_texts(checkpoint, texts, edits)
        steps = list(model.steps(**inputs, n_iters=n_iters, edits=edits))
        probabilities = to_array(model.classify(stack_steps(steps, "capsules")).softmax(-1))
        routings = record_routing(CapsuleRouting, steps, [len(fields["tokens"]) for fields in about])
        return [
            DRAggTrace(inputs_to_capsules=routed, probabilities=p.copy(), normalize=model.config.normalize, **fields)
            for routed, p, fields in zip(routings, probabilities, about, strict=True)
        ]

    def summaries(self, checkpoint: Checkpoint[DRAgg, WordReader], texts: list[str]) -> list[Summary]:
        model = checkpoint.model
        inputs, about = read_texts(checkpoint, texts)
        steps = list(model.steps(**inputs))
        probabilities = stack_values([model.classify(step.capsules).softmax(-1) for step in steps])
        coupling = to_array(steps[-1].coupling)
        return [
            summarize(p, [c[: len(fields["tokens"])]], model.config.normalize, fields["notices"])
            for p, c, fields in zip(probabilities, coupling, about, strict=True)
        ]

    def reruns(self, checkpoint: Checkpoint[DRAgg, WordReader], text: str, edits: Sequence[Edit]) -> Reruns:
        """The routing, which runs many times over votes that are computed once."""
        inputs, _ = read_words(checkpoint, text, edits)
        return reruns_of(checkpoint.model, _votes(checkpoint.model, inputs), 0)

    def is_routed(self, model: DRAgg) -> bool:
        return True

    def steps(self, model: DRAgg, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        real = torch.ones_like(inputs["words"], dtype=torch.bool) if inputs["mask"] is None else inputs["mask"]
        for step in model.steps(**inputs, n_iters=n_iters, edits=edits):
            yield Step(model.classify(step.capsules), step.coupling, real, step.activation, step.capsules)

    def cost(self, c: DRAggConfig) -> Cost:
        return cost_of_words(c)

    def probe(self, checkpoint: Checkpoint[DRAgg, WordReader], words: list[str]) -> Probe:
        votes = _votes(checkpoint.model, checkpoint.inputs([words]))
        return probe_votes(checkpoint, votes, words, removed(checkpoint, words))

    def votes(self, checkpoint: Checkpoint[DRAgg, WordReader], text: str) -> Votes:
        inputs, fields = read_words(checkpoint, text)
        votes = _votes(checkpoint.model, inputs)
        return Votes(votes, "word", fields["tokens"], [f"capsule {j}" for j in range(1, votes.shape[2] + 1)])

    @torch.inference_mode()
    def unit_runs(self, checkpoint: Checkpoint[DRAgg, WordReader], texts: Sequence[str]) -> list[UnitRun]:
        """The capsules, which take couplings."""
        model = checkpoint.model
        inputs, about = read_texts(checkpoint, texts)
        mask = inputs["mask"]
        votes = model.votes(model.encoder, model.vote, model.embed(inputs["words"], inputs["unknown"]), mask)

        def last(edit: EditArgument = None) -> DynamicStep:
            *_, step = model.route(votes, mask, edit=edit)
            return step

        whole = last()
        answers = [model.classify(last(DropCapsule(j)).capsules).softmax(-1) for j in range(votes.shape[2])]
        p = model.classify(whole.capsules).softmax(-1)
        taken = whole.coupling.transpose(1, 2)
        return unit_runs_of(about, taken, whole.activation, p, torch.stack(answers, 1), whole.capsules)

    def workings(
        self, checkpoint: Checkpoint[DRAgg, WordReader], text: str, edits: Sequence[Edit] = ()
    ) -> dict[str, Tensor]:
        inputs, _ = read_words(checkpoint, text, edits)
        return {"votes": _votes(checkpoint.model, inputs)[0]}


def _votes(model: DRAgg, inputs: Inputs) -> Tensor:
    return model.votes(model.encoder, model.vote, model.embed(inputs["words"], inputs["unknown"]))


def cost_of_words(c: DRAggConfig) -> Cost:
    """The cost of one routing of words to capsules."""
    t, n_routed = iterations(c), c.n_capsules * c.d_capsule
    encoded = 8 * c.d_hidden * (c.d_word + c.d_hidden) + c.d_piece * c.d_word
    classified = t * c.d_mlp * (n_routed + c.n_classes)
    products = WORDS * (encoded + 2 * (c.d_hidden + t) * n_routed) + classified
    cells = t * WORDS * c.n_capsules
    return Cost(products, WORDS * (n_routed + 8 * c.d_hidden) + 3 * cells, cells)


def reruns_of(model: DRAgg, votes: Tensor, routing: int) -> Reruns:
    """The routing of one sample's votes, which can run many times.

    Args:
        routing: index of the routing in edits.
    """

    def steps(n: int, edits: Sequence[Edit], n_iters: int | None) -> Iterator[Rerun]:
        edit = edits_of_routing(edits, routing, default=routing)
        for step in model.route(votes, None, n_iters, edit):
            yield Rerun(to_float64(model.classify(step.capsules)).softmax(-1), step.coupling)

    _, n_inp, n_out, d_capsule = votes.shape
    # All copies share the votes, so each has only couplings and capsules in memory.
    return Reruns({routing: (n_inp, n_out)}, n_out * max(n_inp, d_capsule), steps)


def probe_votes(checkpoint: Checkpoint[DRAgg, WordReader], votes: Tensor, words: list[str], removed: Answer) -> Probe:
    """Rank words by their coupling to the dominant capsule, and by their coupling to the deciding one.

    The dominant capsule takes most of the words; in reversed routing, in which all take the same, it is the longest.
    The deciding capsule is the one that costs the answer most if it is removed.
    """
    model = checkpoint.model

    def masked(mask: Tensor) -> Tensor:
        *_, last = model.route(votes, mask)
        return model.classify(last.capsules).softmax(-1)

    *_, last = model.route(votes)
    taken = last.coupling[0].sum(0) if model.config.normalize == "output" else last.activation[0]
    p = model.classify(last.capsules).softmax(-1)[0]
    n_capsules = votes.shape[2]
    dropped = DropCapsule(torch.arange(n_capsules, device=votes.device))
    *_, without = model.route(votes, edit=dropped)
    deciding = model.classify(without.capsules).softmax(-1)[:, p.argmax()].argmin()
    coupling = to_array(last.coupling[0])
    rankings = {"coupling": coupling[:, taken.argmax()], "deciding coupling": coupling[:, deciding]}
    return Probe(words, to_array(p), rankings, batched(checkpoint, masked), removed)
