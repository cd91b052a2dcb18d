"""Attention by layer worked out for one word (Guo 2017, eq. 5-8)."""

import numpy as np

from core.traces.agt import AGTTrace
from core.worked.step import WorkedStep, bracketed, number, softmax


def work_layer(trace: AGTTrace, word: int, layer: int) -> list[WorkedStep]:
    """The steps from a word's score to its attention in a layer, and what the gate of the layer makes of it.

    Args:
        trace: trace of the run.
        word: index of the word.
        layer: layer, from 0.
    """
    attends = layer < len(trace.attention)
    return [*(_attention(trace, word, layer) if attends else ()), *(_gate(trace, layer) if layer > 0 else ())]


def _attention(trace: AGTTrace, n: int, layer: int) -> list[WorkedStep]:
    """The score, the attention, and the attention as a share of the layer's largest."""
    attention, largest = trace.attention[layer], float(trace.attention[layer].max())
    attended = attention > 0  # an edit can leave a word out, or a layer's whole attention
    is_dropped = not attended[n]
    numbers, share = ("", 0.0) if is_dropped else softmax(trace.scores[layer, attended], int(attended[:n].sum()))
    return [
        WorkedStep(
            "m_{l,n}",
            r"w_l \cdot \tanh(W_l B_n)",
            "",
            float(trace.scores[layer, n]),
            f"trace.scores[{layer}, {n}]",
            "The word's score. It depends on the word and the layer, not on the other words.",
            "layer",
        ),
        WorkedStep(
            "d_{l,n}",
            r"\frac{e^{m_{l,n}}}{\sum_{n'} e^{m_{l,n'}}}",
            numbers,
            share,
            f"trace.attention[{layer}, {n}]",
            "The layer's attention to the word. Below the line is the sum over all words, so all attentions sum to 1.",
            "attention",
        ),
        WorkedStep(
            r"\text{scaled}",
            r"\frac{d_{l,n}}{\max_{n'} d_{l,n'}}",
            rf"\frac{{{number(share)}}}{{{number(largest)}}}" if largest > 0 else "",
            share / largest if largest > 0 else 0.0,
            f"trace.scaled_attention[{layer}, {n}]",
            "The picture shows attention relative to the layer's largest.",
            "attention",
            is_share=True,
        ),
    ]


def _gate(trace: AGTTrace, layer: int) -> list[WorkedStep]:
    """The mean of the layer's gates, and the component that the layer changes most."""
    gates = trace.gates[layer - 1].astype(np.float64)
    before, after = trace.features[layer - 1].astype(np.float64), trace.features[layer].astype(np.float64)
    h = int(np.abs(after - before).argmax())
    gate = float(gates[h])
    made = float((after[h] - before[h] * (1 - gate)) / gate) if gate > 0 else 0.0
    return [
        WorkedStep(
            r"\overline{T_l}",
            rf"\tfrac{{1}}{{{len(gates)}}} \textstyle\sum_h T_{{l,h}}",
            "",
            float(gates.mean()),
            f"trace.gates[{layer - 1}].mean()",
            "The mean of the layer's gates: how much of the layer below they replace.",
            "gate",
        ),
        WorkedStep(
            "y_{l,h}",
            r"f_{l,h}\, T_{l,h} + y_{l-1,h} (1 - T_{l,h})",
            rf"{bracketed(made)} \cdot {number(gate)} + {bracketed(before[h])} \cdot (1 - {number(gate)})",
            made * gate + float(before[h]) * (1 - gate),
            f"trace.features[{layer}, {h}]",
            f"Feature {h + 1}, which this layer changes most: a mix of the new value and the value in the layer below.",
            "feature",
        ),
    ]
