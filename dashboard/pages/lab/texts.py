"""Texts of the Lab: its question, scenes, formulas and limits."""

QUESTION = "Which whole do the parts agree on, and how does each routing find out?"
HOUSE, CLOUDS, TEXT = SCENES = ("House or boat", "Clouds", "This text")
VOTES = r"""\text{votes}\quad & u_{ij} = V_{ij} = P_i \, M_{ij}^{-1} \quad
  \text{pose of part } i \text{, and its fixed place in whole } j"""
NUMBERS_OF_VOTES = {
    HOUSE: "A vote has four numbers: its place x and y, and s cos α and s sin α for its size s and angle α. Places are "
    "measured from the middle of all votes, and the four numbers are divided by their length.",
    CLOUDS: "A vote is a place: x and y.",
    TEXT: "A vote has too many numbers to write them out.",
}
SOURCE = "Gong et al. 2018, eq. 13-18; Ren and Lu 2022, eq. 8-15; Heinsen 2019, eq. 2-8."
NOT_SHOWN = """There is no network here, and nothing is learned: we chose the place of each part in each whole. Votes
for wholes are measured from the middle of all votes and have length 1, so that a dot product is largest where two votes
are equal. The wholes of a routing stand apart here, as opaque as they are active. Point at the routing to see them at
the mean of their votes, weighted by their shares. EM has activations, and the other
routings have lengths: compare which whole wins, not these numbers. In reversed routing, the shares of each whole sum to
1, so a length is at most 0.50 for votes of length 1. The bars of reversed routing are scaled to this largest length."""
BEGIN = """Drag a part. Its votes are the two outlines in colour: where it expects the house, and the boat. Choose a
routing to see it alone; point at its lines to see where it puts both wholes."""
HELP = {
    "noise": "Standard deviation of the error that is added to every number of every vote. The draw never changes.",
    "sharpness": "K in k-means routing's softmax (eq. 10). 1 is the paper's algorithm. Large values decide harder.",
    "use": "The benefit of the inputs that a capsule uses, in EM routing: that of an equal share of all inputs.",
    "ignore": "The cost of the inputs that a capsule ignores, in EM routing, on the same scale.",
    "draw": "Each number draws other random votes. Look at several draws before you believe a difference.",
    "spread": "How far votes scatter around the centre of their cloud. This centre is at distance 1 from the middle.",
    "outliers": "Share of the inputs whose votes all fall at random places.",
    "spare": "Capsules without a cloud. The routing decides whether they take the outliers; for EM, the β’s do, too.",
    "imbalance": "With 0, all clouds are equally large. Otherwise, each next cloud is smaller by this share.",
    "scale": "All votes are multiplied by this number. This changes dot products, but not cosines.",
    "inputs": "How many inputs vote.",
}
