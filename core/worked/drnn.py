"""A window worked out for one position (Wang 2018): what it reads, what it wins, and what that adds to the answer."""

import numpy as np

from core.traces.drnn import DRNNTrace
from core.worked.step import WorkedStep, total


def work_window(trace: DRNNTrace, position: int, w: int) -> list[WorkedStep]:
    """The steps from the window that ends at a position to its part in the leading class's score.

    Args:
        trace: trace of the run.
        position: index of the word at which the window ends.
        w: number of words in the window, less 1.
    """
    start, k = max(0, position - w), int(trace.probabilities[w].argmax())
    wins, evidence = float(trace.wins[w, position]), trace.evidence[w, :, k].astype(np.float64)
    pooled = {"max": r"\textstyle\sum_m [\,\operatorname{argmax}_{n'} h_{n'm} = n\,]"}
    n_read = position + 1 - start
    return [
        WorkedStep(
            r"\text{words read}",
            r"\min(n, k)",
            rf"\min({position + 1}, {w + 1})",
            float(n_read),
            f"min({position} + 1, {w} + 1)",
            f"The window of k words that ends at word n reads words {start + 1} to {position + 1}.",
            "window",
        ),
        WorkedStep(
            r"\text{won}_n",
            pooled.get(trace.pooling, r"\textstyle\sum_m [\,n \text{ gives most to } m\,]"),
            "",
            wins,
            f"trace.wins[{w}, {position}]",
            f"So many of the {trace.components} features have their largest value at this position.",
            "feature",
            is_share=True,
        ),
        WorkedStep(
            r"e_{n,k}",
            r"\textstyle\sum_m W_{km}\, h_{nm} \text{ of the features won}",
            "",
            float(evidence[position]),
            f"trace.evidence[{w}, {position}, {k}]",
            "What these features add to the score of the leading class.",
            "evidence",
        ),
        WorkedStep(
            r"\textstyle\sum_n e_{n,k}",
            "",
            total(evidence, position),
            float(evidence.sum()),
            f"trace.evidence[{w}, :, {k}].sum()",
            "The sum over all positions. Each class adds a constant, and the softmax turns the scores into the answer.",
            "evidence",
        ),
        WorkedStep(
            "p_k",
            r"\operatorname{softmax}_k(\text{scores of all classes})",
            "",
            float(trace.probabilities[w, k]),
            f"trace.probabilities[{w}, {k}]",
            "The probability of the leading class.",
            "window",
        ),
    ]
