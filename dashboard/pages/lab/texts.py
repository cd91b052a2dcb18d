"""Texts of the Lab: its question, scenes, formulas and limits."""

QUESTION = "Which whole do the parts agree on, and how does each routing find out?"
HOUSE, CLOUDS, TEXT = SCENES = ("House or boat", "Clouds", "This text")
VOTES = r"""\text{votes}\quad & u_{ij} = P_i \, M_{ij}^{-1} \quad
  \text{pose of part } i \text{, and its fixed place in whole } j"""
SOURCE = "Gong et al. 2018, eq. 13-18; Ren and Lu 2022, eq. 8-15; Heinsen 2019, eq. 2-8."
NOT_SHOWN = """There is no network here and nothing is learned: we chose the place of each part in each whole. Votes
for wholes are measured from the middle of all votes and have length 1, so that a dot product is largest where two votes
are equal. A whole is drawn at the mean of its votes, weighted by their shares. An activation of EM is
computed differently from a length: compare who wins, not the numbers. In reversed routing, a length stays below 1 (0.50
for votes of length 1), because the shares of each whole sum to 1; its bars are scaled to that."""
BEGIN = "Drag a part. Each thin outline is the whole that one part votes for; where votes agree, outlines coincide."
HELP = {
    "noise": "Standard deviation of an error on every number of every vote; always the same draw.",
    "sharpness": "K in k-means routing's softmax (eq. 10). 1 is the paper's algorithm; large values decide harder.",
    "use": "EM's benefit for all that a capsule uses. Scaled so that an equal share of the inputs counts this much.",
    "ignore": "EM's cost for all that a capsule ignores, scaled likewise.",
    "draw": "Other votes of the same clouds. Look at several before you believe a difference.",
    "spread": "How far votes scatter around their centre, which is 1 from the middle.",
    "outliers": "Share of the inputs whose votes fall anywhere.",
    "spare": "Capsules without a cloud. Whether outliers go there differs by routing, and for EM by its β’s.",
    "imbalance": "0: all clouds are equally large. Otherwise each is this much smaller than the one before.",
    "scale": "All votes are multiplied by it. It changes dot products but not cosines.",
    "inputs": "How many inputs vote.",
}
