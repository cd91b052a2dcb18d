"""Texts of the Routing page."""

QUESTION = "Which words does each capsule take, and when do the shares settle?"
FORMULA = r"""\begin{gathered}
u_{ij} = \tanh(W_j h_i + b_j), \qquad b_{ij} = 0, \qquad \text{then, each iteration:} \\
c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{ik}}}\ \text{(standard)} \quad\text{or}\quad
c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{kj}}}\ \text{(reversed)} \\
s_j = \sum_i c_{ij} u_{ij}, \qquad v_j = \frac{|s_j|^2}{1 + |s_j|^2} \frac{s_j}{|s_j|}, \qquad
b_{ij} \leftarrow b_{ij} + v_j \cdot u_{ij}
\end{gathered}"""
SOURCE = "Gong, Qiu, Wang, Huang 2018, eq. 12-18"
NOT_SHOWN = """A share says where a {unit}'s vote goes, not how much the {unit} changes the prediction. The vote also
carries what the BiLSTM read around the {unit}, and the classifier mixes the capsules afterwards. The model was trained
with {trained} iterations; it was not trained to give the right class after any other number."""
NOT_SHOWN_OF_DOCUMENTS = """How much a sentence counts is measured by leaving its vote out. The second BiLSTM has still
read the sentence, so the votes of its neighbours carry some of it. The sentences are routed with the words' capsules
after the model's own number of iterations, whichever iteration is shown."""


def not_shown(unit: str, trained: int) -> str:
    """The limits of the page's picture. unit: unit of the inputs, "word" or "sentence"."""
    limits = NOT_SHOWN.format(trained=trained, unit=unit)
    return f"{limits} {NOT_SHOWN_OF_DOCUMENTS}" if unit == "sentence" else limits
