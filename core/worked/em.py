"""EM routing worked out for one word and one class (Heinsen 2019, eq. 2-8), through the part that matters most."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from core.traces.em import EMTextTrace
from core.worked.step import WorkedStep, bracketed, number, softmax, total

FIRST, SECOND = "trace.inputs_to_parts", "trace.parts_to_classes"


def work_em(
    trace: EMTextTrace, cell: tuple[int, int], t: int, weights: Mapping[str, ndarray] | None = None
) -> list[WorkedStep]:
    """The steps from a hidden state of a word, through one part, to the word's credit for a class.

    The part is the one through which the word adds most to the class, or takes most away. The hidden state is the one
    of the word from which this part takes most.

    Args:
        trace: trace of the run.
        cell: word and class.
        t: iteration, from 0.
        weights: "votes" [i, j, h] of the first routing, and "beta_use" and "beta_ign" [j, k] of the second.
    """
    weights = weights or {}
    word, k = cell
    first, second = trace.inputs_to_parts, trace.parts_to_classes
    of_word = np.flatnonzero(np.repeat(trace.token_of, trace.n_layers) == word)
    use = first.gate[t, :, None].astype(np.float64) * first.coupling[t]
    used = use.sum(0)
    share = np.divide(use[of_word].sum(0), used, out=np.full(len(used), len(of_word) / len(use)), where=used > 0)
    through = share * second.effect[t, :, k]
    j = int(np.abs(through).argmax())
    i = int(of_word[use[of_word, j].argmax()])
    layer = trace.read_layers[i % trace.n_layers]
    return [
        *_responsibility(trace, i, j, t, weights.get("votes")),
        *_data(first.gate[t, i], first.coupling[t, i, j], i, j, t, layer),
        WorkedStep(
            r"\text{share of the word in part } j",
            r"\frac{\sum_{i \in \text{word}} D^{use}_{ij}}{\sum_i D^{use}_{ij}}",
            rf"\frac{{{number(use[of_word, j].sum())}}}{{{number(used[j])}}}" if used[j] > 0 else "",
            float(share[j]),
            f"({FIRST}.gate[{t}] * {FIRST}.coupling[{t}, :, {j}])[{of_word[0]}:{of_word[-1] + 1}].sum() / "
            f"({FIRST}.gate[{t}] * {FIRST}.coupling[{t}, :, {j}]).sum()",
            f"The share of the data used by part {j + 1} that comes from the word (from all its pieces and layers).",
            "used and ignored",
        ),
        _bang_per_bit(trace, j, k, t, weights),
        WorkedStep(
            r"\text{credit through part } j",
            r"\text{share} \cdot \text{effect}_{jk}",
            rf"{number(share[j])} \cdot {bracketed(second.effect[t, j, k])}",
            float(through[j]),
            "",
            "The word's share of this effect.",
            "credit",
        ),
        WorkedStep(
            r"\text{credit}",
            r"\textstyle\sum_j \text{share} \cdot \text{effect}_{jk}",
            total(through, j),
            float(through.sum()),
            f"trace.credit_of_words[{t}, {word}, {k}]",
            "The sum over all parts: the number in the picture.",
            "credit",
            is_share=True,
        ),
    ]


def _responsibility(trace: EMTextTrace, i: int, j: int, t: int, votes: ndarray | None) -> list[WorkedStep]:
    """R_ij, from the densities and activations of the iteration before; equal shares in the first one."""
    first, path = trace.inputs_to_parts, f"{FIRST}.coupling[{t}, {i}, {j}]"
    stored, n_parts = float(first.coupling[t, i, j]), first.coupling.shape[2]
    says = f"The share of this hidden state that part {j + 1} gets. The shares of all parts sum to 1."
    formula = r"\operatorname{softmax}_j(\ln f(a_j) + \ln P_{ij})"
    if t == 0:
        equal = "Before the first iteration, all parts get equal shares."
        return [
            WorkedStep(
                "R_{ij}",
                r"\frac{1}{n_{out}}",
                rf"\frac{{1}}{{{n_parts}}}",
                1 / n_parts,
                path,
                equal,
                "coupling",
                stored=stored,
            )
        ]
    if votes is None:
        return [WorkedStep("R_{ij}", formula, "", stored, path, says, "coupling")]
    before = f"[{t - 1}, {j}]"
    distance_path = f"((votes[{i}, {j}] - {FIRST}.capsules{before}) ** 2 / {FIRST}.variances{before}).sum()"
    paths = (
        f"-0.5 * {distance_path} - 0.5 * np.log({FIRST}.variances{before}).sum()",
        f"np.log({FIRST}.activation{before})",
        path,
    )
    state = first.capsules[t - 1], first.variances[t - 1], first.scores[t - 1]
    return responsibility(votes[i], *state, j, stored, f"part {j + 1}", "this hidden state", "parts", paths)


def responsibility(
    votes: ndarray,
    means: ndarray,
    variances: ndarray,
    scores: ndarray,
    j: int,
    stored: float,
    output: str,
    input: str,
    outputs: str,
    paths: Sequence[str] = ("", "", ""),
) -> list[WorkedStep]:
    """The steps to R_ij from the state that the iteration before left (eq. 2).

    Args:
        votes: V_ij [j, h], the votes of the input for all outputs.
        means, variances: mu_j and sigma^2_j [j, h].
        scores: a_j [j].
        j: output.
        stored: R_ij as the routing has it.
        output, input, outputs: the output, the input and all outputs, in words.
        paths: lines of Python for the three results.
    """
    distance, density, active = log_terms(votes, means, variances, scores)
    widths = np.log(variances[j].astype(np.float64)).sum()
    numbers, value = softmax(active + density, j)
    return [
        WorkedStep(
            r"\ln P_{ij}",
            r"-\tfrac12 \textstyle\sum_h \frac{(V_{ijh} - \mu_{jh})^2}{\sigma^2_{jh}} "
            r"- \tfrac12 \textstyle\sum_h \ln \sigma^2_{jh}",
            rf"-\tfrac12 \cdot {number(distance[j])} - \tfrac12 \cdot {bracketed(widths)}",
            float(density[j]),
            paths[0],
            f"How well the vote fits the bell curve of {output}, as the iteration before left it.",
            "vote",
        ),
        WorkedStep(
            r"\ln f(a_j)",
            r"-\ln(1 + e^{-a_j})",
            rf"-\ln(1 + e^{{{number(-scores[j])}}})",
            float(active[j]),
            paths[1],
            f"How active {output} was in the iteration before.",
            "part",
        ),
        WorkedStep(
            "R_{ij}",
            r"\operatorname{softmax}_j(\ln f(a_j) + \ln P_{ij})",
            numbers,
            value,
            paths[2],
            f"The share of {input} that {output} gets. The shares of all {outputs} sum to 1.",
            "coupling",
            stored=stored,
        ),
    ]


def log_terms(votes: ndarray, means: ndarray, variances: ndarray, scores: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """The squared distance of each vote in standard deviations, ln P_ij and ln f(a_j), [j]. Arguments as above."""
    mean, variance = means.astype(np.float64), variances.astype(np.float64)
    distance = ((votes.astype(np.float64) - mean) ** 2 / variance).sum(1)
    density = -0.5 * distance - 0.5 * np.log(variance).sum(1)
    return distance, density, -np.logaddexp(0, -scores.astype(np.float64))


def _data(gate: float, coupling: float, i: int, j: int, t: int, layer: int) -> list[WorkedStep]:
    """D_use and D_ign of one hidden state and one part."""
    use = float(gate) * float(coupling)
    gate_path, path = f"{FIRST}.gate[{t}, {i}]", f"{FIRST}.gate[{t}, {i}] * {FIRST}.coupling[{t}, {i}, {j}]"
    return [
        WorkedStep(
            r"D^{use}_{ij}",
            r"f(a_i)\, R_{ij}",
            rf"{number(gate)} \cdot {number(coupling)}",
            use,
            path,
            f"The data that part {j + 1} uses from the word's hidden state in layer {layer} of the transformer.",
            "used and ignored",
        ),
        WorkedStep(
            r"D^{ign}_{ij}",
            r"f(a_i) - D^{use}_{ij}",
            f"{number(gate)} - {number(use)}",
            float(gate) - use,
            f"{gate_path} - {path}",
            "The data of this hidden state that the part ignores.",
            "used and ignored",
        ),
    ]


def _bang_per_bit(trace: EMTextTrace, j: int, k: int, t: int, weights: Mapping[str, ndarray]) -> WorkedStep:
    """The effect of a part on a class's score."""
    second = trace.parts_to_classes
    gate, coupling = float(second.gate[t, j]), float(second.coupling[t, j, k])
    use, effect, numbers = gate * coupling, float(second.effect[t, j, k]), ""
    if "beta_use" in weights:
        beta_use, beta_ign = float(weights["beta_use"][j, k]), float(weights["beta_ign"][j, k])
        numbers = rf"{bracketed(beta_use)} \cdot {number(use)} - {bracketed(beta_ign)} \cdot {number(gate - use)}"
        effect = beta_use * use - beta_ign * (gate - use)
    return WorkedStep(
        r"\text{effect}_{jk}",
        r"\beta^{use}_{jk} D^{use}_{jk} - \beta^{ign}_{jk} D^{ign}_{jk}",
        numbers,
        effect,
        f"{SECOND}.effect[{t}, {j}, {k}]",
        f"What part {j + 1} adds to the score of the class: the benefit of the data that the class uses, minus the "
        "cost of the data that the class ignores.",
        "bang per bit",
        stored=float(second.effect[t, j, k]),
    )
