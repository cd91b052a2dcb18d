"""Texts of the Corpus page: its question, and descriptions of the columns."""

QUESTION = "What does a model make of many texts?"
SPLIT, FILE = "Test split", "Your file"
PRIVATE = """Your file stays on this machine, in a folder of this session, and is deleted with it. One text per row:
.txt (a text on each line), .csv or .tsv (with a header), .jsonl or .parquet, up to 20 MB."""
HELP = {
    "certainty": "The probability of the class given. Capsule lengths, of k-means routing, do not sum to 1.",
    "entropy": "Entropy of the shares that inputs give to capsules, in bits: mean over the inputs, last iteration.",
    "settled_at": "The iteration, layer or window from which on the class stays the same.",
}
