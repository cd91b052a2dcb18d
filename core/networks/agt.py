"""AGT (Guo 2017): layers that attend to words, with gates."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import to_float64
from core.edits import DropAttention, DropInput, Edit, ReplaceWord, SetGate
from core.inputs.readers import WordReader
from core.models.agt import AGT, AGTConfig
from core.networks.arrays import to_array
from core.networks.base import Rerun, Reruns, UnitRun
from core.networks.cost import WORDS, Cost
from core.networks.probe import Probe, batched
from core.networks.reading import read_texts, read_words
from core.networks.summary import Summary, summarize
from core.networks.units import unit_runs_of
from core.networks.words import WordNetwork
from core.traces.agt import AGTTrace


class AGTNetwork(WordNetwork[AGT, AGTTrace], record=AGTTrace):
    model, config = AGT, AGTConfig
    edits = (DropInput, ReplaceWord, SetGate, DropAttention)

    def traces(
        self,
        checkpoint: Checkpoint[AGT, WordReader],
        texts: Sequence[str],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[AGTTrace]:
        _refuse_iterations(checkpoint, n_iters)
        inputs, about = read_texts(checkpoint, texts, edits)
        layers = checkpoint.model.layers(**inputs, edits=edits)
        arrays = {name: to_array(values) for name, values in layers._asdict().items()}
        arrays["probabilities"] = to_array(checkpoint.model.classify(layers.features).softmax(-1))
        traces = []
        for b, fields in enumerate(about):
            of_text = {name: values[b] for name, values in arrays.items()}
            for name in ("scores", "attention"):
                of_text[name] = of_text[name][:, : len(fields["tokens"])]  # without padding
            traces.append(AGTTrace(**{name: values.copy() for name, values in of_text.items()}, **fields))
        return traces

    def summaries(self, checkpoint: Checkpoint[AGT, WordReader], texts: list[str]) -> list[Summary]:
        inputs, about = read_texts(checkpoint, texts)
        layers = checkpoint.model.layers(**inputs)
        probabilities = to_array(checkpoint.model.classify(layers.features).softmax(-1))
        return [summarize(p, notices=fields["notices"]) for p, fields in zip(probabilities, about, strict=True)]

    def reruns(self, checkpoint: Checkpoint[AGT, WordReader], text: str, edits: Sequence[Edit]) -> Reruns:
        """The layers, which run many times over words that are read once."""
        model = checkpoint.model
        inputs, _ = read_words(checkpoint, text, edits)
        words, unknown = inputs["words"], inputs["unknown"]

        def steps(n: int, edits: Sequence[Edit], n_iters: int | None) -> Iterator[Rerun]:
            _refuse_iterations(checkpoint, n_iters)
            layers = model.layers(words.expand(n, -1), unknown=unknown, edits=edits)
            return map(Rerun, to_float64(model.classify(layers.features)).softmax(-1).unbind(1))

        return Reruns({}, words.shape[1] * model.score.numel(), steps)

    @torch.inference_mode()
    def unit_runs(self, checkpoint: Checkpoint[AGT, WordReader], texts: Sequence[str]) -> list[UnitRun]:
        """The layers with an attention. A layer's activation is the number of words that it selects, in shares."""
        model = checkpoint.model
        inputs, about = read_texts(checkpoint, texts)
        _, attention, selected = model.select(**inputs)

        def answer(left: Tensor) -> Tensor:
            return model.classify(model.above(left)[1][:, -1]).softmax(-1)

        rows = torch.eye(attention.shape[1], dtype=torch.bool, device=selected.device)
        without = torch.stack([answer(selected.masked_fill(row[:, None], 0)) for row in rows], 1)
        activation = (attention / attention.amax(2, keepdim=True)).sum(2)
        return unit_runs_of(about, attention, activation, answer(selected), without)

    def cost(self, c: AGTConfig) -> Cost:
        per_word = c.n_attending * c.d_hidden * (c.d_hidden + 2) + c.d_word * c.d_hidden + c.d_piece * c.d_word
        numbers = WORDS * c.d_hidden * (2 * c.n_attending + 1) + 3 * c.n_layers * c.d_hidden
        layers = c.n_layers * (3 * c.d_hidden**2 + c.d_mlp * (c.d_hidden + c.n_classes))
        return Cost(WORDS * per_word + layers, numbers, c.n_layers * max(WORDS, c.n_classes))

    def probe(self, checkpoint: Checkpoint[AGT, WordReader], words: list[str]) -> Probe:
        """Rank words by their mean attention over the layers.

        Words are read independently, so masking a word equals removing it.
        """
        model, inputs = checkpoint.model, checkpoint.inputs([words])

        def run(mask: Tensor) -> Any:
            return model.layers(inputs["words"], mask, inputs["unknown"])

        def masked(mask: Tensor) -> Tensor:
            return model.classify(run(mask).features[:, -1]).softmax(-1)

        complete = run(torch.ones(1, len(words), dtype=torch.bool, device=checkpoint.device))
        p = to_array(model.classify(complete.features[:, -1]).softmax(-1)[0])
        answer = batched(checkpoint, masked)
        return Probe(words, p, {"attention": to_array(complete.attention[0].mean(0))}, answer, answer)


def _refuse_iterations(checkpoint: Checkpoint[AGT, WordReader], n_iters: int | None) -> None:
    if n_iters is not None:
        raise ValueError(f"{checkpoint.name} has layers, not iterations: their number is fixed.")
