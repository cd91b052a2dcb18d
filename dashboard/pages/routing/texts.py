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
carries what the BiLSTM read around the {unit}. After routing, the classifier mixes the capsules. The model was trained
to give the right class after {trained} iterations, not after any other number."""
NOT_SHOWN_OF_DOCUMENTS = """We measure how much a sentence counts by leaving out its vote. The second BiLSTM has still
read the sentence, so its neighbours' votes carry some of it. The slider steps through the routing of the
sentences. The words of each sentence were always routed for {trained} iterations."""


def not_shown(unit: str, trained: int) -> str:
    """The limits of the page's picture. unit: unit of the inputs, "word" or "sentence"."""
    limits = NOT_SHOWN.format(trained=trained, unit=unit)
    return f"{limits} {NOT_SHOWN_OF_DOCUMENTS.format(trained=trained)}" if unit == "sentence" else limits
