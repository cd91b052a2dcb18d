"""Texts of the AGT page: its question, formula and limits."""

QUESTION = "Which words does each layer look at, and what do its gates let through?"
FORMULA = r"""\begin{gathered}
B_n = \tanh(W x_n + b), \qquad m_{l,n} = w_l \cdot \tanh(W_l B_n), \qquad
d_{l,n} = \frac{e^{m_{l,n}}}{\sum_{n'} e^{m_{l,n'}}}, \qquad s_l = \sum_n d_{l,n} B_n \\
T_l = \sigma(W^t_l s_l + b^t_l), \qquad y_0 = s_0, \qquad
y_l = \tanh(W^f_l [y_{l-1}; s_l] + b^f_l)\, T_l + y_{l-1} (1 - T_l) \\
\text{scaled attention of word } n = \frac{d_{l,n}}{\max_{n'} d_{l,n'}}
\end{gathered}"""
SOURCE = (
    "Guo 2017, eq. 1-8. Here and in the paper's figures, layers count from 1. In the formulas, they count from l = 0."
)
NOT_SHOWN = """A word's score m depends only on the word and the layer, not on the word's neighbours. In another
sentence, the word has the same score, and only the other words' scores differ. So a phrase here is only a run of
attended words. The network knows no word order, so it did not read these words as a phrase. Attention says what enters
a layer, not what the layer changes. The prediction from each layer comes from the classifier of the last layer, which
was not trained on the features of the other layers."""
