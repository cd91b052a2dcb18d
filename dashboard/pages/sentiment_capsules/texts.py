"""Texts of the page EM routing: its question, formula and limits."""

QUESTION = "Which words make up each class's score?"
FORMULA = r"""\begin{gathered}
V_{ij} = \mu_i W_{(i)j} + B_{(i)j}, \qquad R_{ij} = \tfrac{1}{n_{out}}, \qquad \text{then, each iteration:} \\
R_{ij} = \frac{f(a_j)\,P_{ij}}{\sum_k f(a_k)\,P_{ik}}, \qquad
P_{ij} = \mathcal{N}(V_{ij};\,\mu_j, \sigma^2_j)\ \text{(E-step, from the second iteration on)} \\
D^{use}_{ij} = f(a_i)\,R_{ij}, \qquad D^{ign}_{ij} = f(a_i) - D^{use}_{ij}\ \text{(D-step)} \\
a_j = \sum_i \beta^{use}_{(i)j} D^{use}_{ij} - \sum_i \beta^{ign}_{(i)j} D^{ign}_{ij}, \qquad
\mu_j = \frac{\sum_i D^{use}_{ij} V_{ij}}{\sum_i D^{use}_{ij}}, \qquad
\sigma^2_j = \frac{\sum_i D^{use}_{ij} (V_{ij} - \mu_j)^2}{\sum_i D^{use}_{ij}}\ \text{(M-step)} \\
\text{credit of } i \text{ for class } k = \sum_j \frac{D^{use}_{ij}}{\sum_{i'} D^{use}_{i'j}}
\left( \beta^{use}_{jk} D^{use}_{jk} - \beta^{ign}_{jk} D^{ign}_{jk} \right)
\end{gathered}"""
SOURCE = """Heinsen 2019, eq. 1-8; credit: core/analysis/credit.py. As in the author's program, we add 0.00001 to
each variance, and to each sum of D_use by which we divide. So a capsule that gets nothing has the pose 0."""
NOT_SHOWN = """Credit says which words fed the parts that make up a score. It does not say how the score would change if
a word were left out, because every share depends on every word. A hidden state above the embeddings has also read other
words, so a word's credit is not due to this word alone. The picture does not show the transformer's own attention. The
parts have no names, because training made them. The model was trained to give the right class after {trained}
iterations, not after any other number."""
