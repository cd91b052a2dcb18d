"""Texts of the DRNN page: its question, formula and limits."""

QUESTION = "How many words in a row does a decision take?"
PAPER_EXAMPLES = {  # examples from the paper's tables 1 and 6, by kind of text
    "example": {
        "Table 1, phrase early": "One of the seven great unsolved mysteries of mathematics may have been cracked by a "
        "reclusive Russian.",
        "Table 1, phrase late": "A reclusive Russian may have cracked one of the seven great unsolved mysteries of "
        "mathematics.",
    },
    "review": {
        "Table 6, negative": "I love Hampton Inn but this location is in serious need of remodeling and some deep "
        "cleaning. Musty smell everywhere.",
        "Table 6, positive": "Pretty good service, but really busy and noisy!! It gets a little overwhelming because "
        "the sales people are very knowledgeable and bombard you with useless techy information to I guess impress "
        "you?? Anyways I bought the Ipad 3 and it is freaking awesome and makes up for the store. I would give the "
        "Ipad 3 a gazillion stars if I could. I left it at home today and got really sad when I was driving away. "
        "Boo Hoo!!",
    },
}
FORMULA = r"""\begin{gathered}
h_t = \mathrm{RNN}(x_{t-k+1}, \ldots, x_t), \qquad x_s = 0 \text{ left of the text}, \qquad
H_s[t] = \mathrm{unit}(x_t, H_{s-1}[t-1]), \quad H_0 = 0 \\
f_t = \mathrm{MLP}(\mathrm{norm}(h_t)), \qquad v = \max_t f_t, \qquad
p = \mathrm{softmax}(\mathrm{MLP}(v))
\end{gathered}"""
SOURCE = "Wang 2018, eq. 1-10. H_s[t] is the state of window s at word t. One run gives the states of all windows."
NOT_SHOWN = """The network was trained with one window, named above. With another window, it may answer differently from
a network that was trained with that window. For the tab “Measured”, we trained a network with each window. Evidence is
exact only for this text: another text activates other hidden units in the last layers. A word may win many components
that matter little. The deciding passage is the window that adds more than any other to the score of the most probable
class. The softmax turns scores into probabilities."""
