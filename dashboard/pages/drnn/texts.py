"""Texts of the DRNN page: its question, formula and limits."""

QUESTION = "How many neighbouring words does a decision need?"
FORMULA = r"""\begin{gathered}
h_t = \mathrm{RNN}(x_{t-k+1}, \ldots, x_t), \qquad x_s = 0 \text{ left of the text}, \qquad
H_s[t] = \mathrm{unit}(x_t, H_{s-1}[t-1]), \quad H_0 = 0 \\
f_t = \mathrm{MLP}(\mathrm{norm}(h_t)), \qquad v = \max_t f_t, \qquad
p = \mathrm{softmax}(\mathrm{MLP}(v))
\end{gathered}"""
SOURCE = "Wang 2018, eq. 1-10. H_s[t] is the state of window s at word t. One run gives the states of all windows."
COMPONENTS = "Its components that move the answer most:"
COMPONENTS_LOAD = "The components are loading …"
COMPONENTS_WITHOUT_EDITS = "Without edits, this also names the components."
NOT_SHOWN = """The network was trained with one window, named above. With another window, it may answer differently from
a network that was trained with that window. For the tab “Measured”, we trained a network with each window. Evidence is
exact only for this text: another text activates other hidden units in the last layers. A word may win many components
that matter little. The deciding passage is the window that adds more than any other to the score of the most probable
class. The softmax turns scores into probabilities."""
