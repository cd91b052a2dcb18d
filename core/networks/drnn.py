"""DRNN (Wang 2018): a recurrent network that reads windows of words."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.edits import DropInput, Edit, ReplaceWord
from core.inputs.readers import WordReader
from core.layers import DisconnectedRNN
from core.models.drnn import DRNN, DRNNConfig
from core.networks.arrays import to_array
from core.networks.base import UnitRun
from core.networks.cost import WORDS, Cost
from core.networks.probe import MAX_BATCH_WORDS, Answer, Probe, batched
from core.networks.reading import read_texts
from core.networks.summary import Summary, summarize
from core.networks.units import unit_runs_of
from core.networks.words import WordNetwork, removed
from core.traces.drnn import MAX_WINDOW, DRNNTrace

MASKS_AT_ONCE = 32  # masks in a batch: neighbours in the order of deletion share most of their windows


class DRNNNetwork(WordNetwork[DRNN, DRNNTrace], record=DRNNTrace):
    model, config = DRNN, DRNNConfig
    edits = (DropInput, ReplaceWord)
    runs_by_part = False  # masks share windows

    def traces(
        self,
        checkpoint: Checkpoint[DRNN, WordReader],
        texts: Sequence[str],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> list[DRNNTrace]:
        """Run DRNN on texts with every window."""
        if n_iters is not None:
            raise ValueError(f"{checkpoint.name} has windows, not iterations: every one is run.")
        inputs, about = read_texts(checkpoint, texts, edits)
        config = checkpoint.model.config
        windows = checkpoint.model.windows(**inputs, max_window=max(MAX_WINDOW, config.window), edits=edits)
        shares, winners = windows.contributions.max(2)
        zeros = shares.new_zeros(windows.contributions.shape[:3])
        wins = to_array(zeros.scatter_add(2, winners, (shares > 0).to(shares.dtype)))
        evidence, probabilities = to_array(windows.evidence), to_array(windows.logits.softmax(-1))
        return [
            DRNNTrace(
                window=config.window,
                unit=config.unit,
                pooling=config.pooling,
                components=config.d_mlp,
                probabilities=probabilities[b].copy(),
                wins=wins[b, :, : len(fields["tokens"])].copy(),  # without padding
                evidence=evidence[b, :, : len(fields["tokens"])].copy(),
                **fields,
            )
            for b, fields in enumerate(about)
        ]

    def summaries(self, checkpoint: Checkpoint[DRNN, WordReader], texts: list[str]) -> list[Summary]:
        """``Network.summaries`` without the windows above the trained one, which only traces need."""
        model = checkpoint.model
        inputs, about = read_texts(checkpoint, texts)
        probabilities = to_array(model.windows(**inputs, max_window=model.config.window).logits.softmax(-1))
        return [summarize(p, notices=fields["notices"]) for p, fields in zip(probabilities, about, strict=True)]

    @torch.inference_mode()
    def unit_runs(self, checkpoint: Checkpoint[DRNN, WordReader], texts: Sequence[str]) -> list[UnitRun]:
        """The pooled components. They take the word that ends their window, and nothing if they are 0."""
        inputs, about = read_texts(checkpoint, texts)
        model, mask = checkpoint.model, inputs["mask"]
        x = model.embed(inputs["words"], inputs["unknown"])
        real = torch.ones(x.shape[:2], dtype=torch.bool, device=x.device) if mask is None else mask
        taken = model.contributions(model.features(model.states(x), real), real).transpose(1, 2)
        pooled = taken.sum(2)
        without = model.after(pooled[:, None] * (1 - torch.eye(pooled.shape[1], device=x.device))).softmax(-1)
        return unit_runs_of(about, taken, pooled, model.after(pooled).softmax(-1), without)

    def cost(self, c: DRNNConfig) -> Cost:
        read = 4 * c.window * c.d_hidden * (c.d_word + c.d_hidden) + c.d_piece * c.d_word
        pooled = c.window * c.d_hidden * (c.d_mlp + 1) + c.d_mlp * c.n_classes
        cells = c.window * WORDS * c.n_classes
        return Cost(WORDS * (read + pooled), WORDS * c.window * (c.d_hidden + c.d_mlp) + cells, cells)

    def probe(self, checkpoint: Checkpoint[DRNN, WordReader], words: list[str]) -> Probe:
        """Rank words by the evidence at their position, with the window of training."""
        model, inputs = checkpoint.model, checkpoint.inputs([words])
        x = model.embed(inputs["words"], inputs["unknown"])

        def masked(mask: Tensor) -> Tensor:
            states = model.states(x * mask[..., None])
            return model.after(model.pool(model.features(states, mask), mask)).softmax(-1)

        real = torch.ones(1, len(words), dtype=torch.bool, device=checkpoint.device)
        evidence = model.evidence(model.contributions(model.features(model.states(x), real), real))
        p = to_array(masked(real)[0])
        rankings = {"evidence": to_array(evidence[0])[:, p.argmax()]}
        encoder = model.encoder
        if not isinstance(encoder, DisconnectedRNN):
            return Probe(words, p, rankings, batched(checkpoint, masked), removed(checkpoint, words))
        without_masked, without_removed = (
            _answer_by_windows(checkpoint, encoder, x[0], closed_up) for closed_up in (False, True)
        )
        return Probe(words, p, rankings, without_masked, without_removed)


def _answer_by_windows(
    checkpoint: Checkpoint[DRNN, WordReader], encoder: DisconnectedRNN, x: Tensor, closed_up: bool
) -> Answer:
    """The answers of a disconnected network, which computes each window once: masks share most of their windows.

    Args:
        x: word vectors [n, d].
        closed_up: whether the words around a deleted one become neighbours; otherwise a zero vector replaces it.
    """
    model = checkpoint.model
    padded = torch.cat([x, x.new_zeros(1, x.shape[1])])  # its last row is the zero vector

    def run(masks: Bool[ndarray, "m n"]) -> Iterator[tuple[ndarray, ndarray]]:
        for start in range(0, len(masks), MASKS_AT_ONCE):
            rows = np.arange(start, min(start + MASKS_AT_ONCE, len(masks)))
            with torch.inference_mode():
                probabilities = answer(masks[rows])
            yield rows, probabilities

    def answer(masks: Bool[ndarray, "m n"]) -> Float[ndarray, "m k"]:
        windows = np.concatenate([windows_of(mask, model.config.window, closed_up) for mask in masks])
        distinct, indices = np.unique(windows, axis=0, return_inverse=True)
        states = [
            encoder.states_of(padded, part.to(checkpoint.device))
            for part in torch.from_numpy(distinct).split(MAX_BATCH_WORDS)
        ]
        features = model.before(model.norm(torch.cat(states)))
        by_mask = torch.from_numpy(indices.ravel()).to(checkpoint.device).split(masks.sum(1).tolist())
        pooled = []
        for chosen in by_mask:
            real = torch.ones(1, len(chosen), dtype=torch.bool, device=chosen.device)
            pooled.append(model.pool(features[None, chosen], real))
        return to_array(model.after(torch.cat(pooled)).softmax(-1))

    return Answer(run)


def windows_of(mask: Bool[ndarray, " n"], window: int, closed_up: bool) -> Int[ndarray, "left window"]:
    """The indices of the words in the window that ends at each remaining word; index n is a zero vector.

    Args:
        closed_up: as in ``_answer_by_windows``.
    """
    n = len(mask)
    words = np.flatnonzero(mask) if closed_up else np.where(mask, np.arange(n), n)
    padded = np.concatenate([np.full(window - 1, n), words])
    windows = np.lib.stride_tricks.sliding_window_view(padded, window)
    return windows if closed_up else windows[mask]
