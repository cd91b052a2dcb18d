"""Texts of the k-means page: its question, formula and limits."""

QUESTION = "Which class does each feature capsule go to, and how decisively?"
FORMULA = r"""\begin{gathered}
\hat u_{ij} = W_{ij} u_i, \qquad v_j = \tfrac{1}{J} \sum_i \hat u_{ij}, \qquad \text{then, each iteration:} \\
b_{ij} = \cos(\hat u_{ij}, v_j), \qquad c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{ik}}}, \qquad
v_j = \sum_i c_{ij} \hat u_{ij}; \qquad \text{at the end } \frac{|v_j|}{1 + |v_j|^2} v_j \\
E(w) = \sum_{m=1}^{M} \sum_{k=1}^{K} \mathrm{softmax}(C_w^m)_k\, E_m^k, \qquad K = \lceil |V|^{1/M} \rceil
\end{gathered}"""
SOURCE = "Ren and Lu 2022, eq. 2, 3, 14, 15 and algorithm 1. k-means replaces b, dynamic routing adds v · û to it."
NOT_SHOWN = """A share says where the vote of a feature capsule goes, not how long the vote is. A word's contribution
is what the network read at that word's position. This also reflects the neighbouring words. The comparison with the
other routing shows a second network, which was trained with that routing. On AG's News, the two shipped networks give
the same prediction for nearly every test text, so they cannot show which routing is better. Nor do more iterations of
k-means routing change its answers: a share is a softmax of cosines, so even a perfect match gets at most 71% with 4
classes (88% with 2), and iterations have little to sharpen. Words with similar codes share codewords. Such words
help to tell the classes apart in a similar way. They may have nothing else in common."""
