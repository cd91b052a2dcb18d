"""Texts of the smallNORB page."""

TITLE = "smallNORB"
QUESTION = "Does the pose go round as the toy turns, and what in the picture makes it a car?"
TO_RUN = "Iterations to run"
FORMULA = r"""\begin{gathered}
V_{ij} = \mu_i W_{(i)j} + B_{(i)j}, \qquad
R_{ij} = \frac{f(a_j)\,P_{ij}}{\sum_k f(a_k)\,P_{ik}}, \qquad P_{ij} = \mathcal{N}(V_{ij};\,\mu_j, \sigma^2_j) \\
D^{use}_{ij} = f(a_i)\,R_{ij}, \qquad
a_j = \sum_i \beta^{use}_{(i)j} D^{use}_{ij} - \sum_i \beta^{ign}_{(i)j} D^{ign}_{ij}, \qquad
\mu_j = \frac{\sum_i D^{use}_{ij} V_{ij}}{\sum_i D^{use}_{ij}} \\
\text{pose vectors: the rows } v \text{ of a class's } 4 \times 4\ \mu_k; \qquad
\frac{|v - v_0|}{|v_0|}, \quad \frac{|v|}{|v_0|}, \quad \cos(v, v_0)\ \text{against the first view's } v_0
\end{gathered}"""
SOURCE = "Heinsen 2019, eq. 1-8, section 4.3"
NOT_SHOWN = """Each detected part is computed from {field} by {field} pixels. A square over the picture marks only their
middle. D_use and credit say which places fed a capsule, not what would change without these places. A class can gain by
ignoring a part as well as by using it, because both β are trained and may be negative. The plane keeps the distances
between pose vectors as well as a plane can (see its stress). The directions in the plane mean nothing. A pose may hold
the view's direction in a form that a linear readout misses. The model was trained to give the right class after
{trained} iterations, not after any other number. The poses of all views are those after {trained} iterations. “Unusual”
compares an upload's features with those of training pairs. It does not say whether the class is right. The exported
JSON has sums by place. `python -m core explain NAME --image LEFT RIGHT --out FILE` writes all coefficients."""
MEASURED_AT = {"azimuth": 0, "elevation": 50}  # degrees at which the other direction of the test toys stays
REPEATED = "The curves repeat figures 6 and 7 of Heinsen 2019 with our network."
TEST_TOYS = f"""The thin lines are the 25 test toys in light 1, seen at elevation {MEASURED_AT["elevation"]}° while the
azimuth changes, or at azimuth {MEASURED_AT["azimuth"]}° while the elevation changes. Each line follows the capsule of
the toy's true class."""
UNMEASURED = """For the rig's own views, the lines of the test toys appear once they have been measured:
`python -m core.measured poses NAME --data DIR`."""
