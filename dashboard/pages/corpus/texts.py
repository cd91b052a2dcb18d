"""Texts of the page My texts: its question, and descriptions of the columns."""

TITLE, QUESTION = "My texts", "Run a model on many texts."
OTHER = "other label"  # row of labels that are not a class of the network
SPLIT, FILE = "Test split", "Your file"
EMPTY = "Choose texts and press Start. First results appear at once."
KEPT = """Stored result of the test split; its texts are not part of Routescope. Measured on {data}:
`python -m core.measured split {name}{limit}`."""
NOT_KEPT = "{title} has no stored result of a test split."
PRIVATE = """Your file stays on this machine, in a folder of this session, and is deleted with it. One text per row:
.txt (a text on each line), .csv or .tsv (with a header), .jsonl or .parquet, up to 20 MB."""
HELP = {
    "certainty": "The probability of the predicted class. In k-means routing it is the length of its capsule.",
    "entropy": """How widely each word (or other input) spreads over the capsules, on average, in the last iteration: 0
bits if it goes to one capsule, 1 bit if it is divided equally between two, 2 bits among four.""",
    "settled_at": "The prediction no longer changes from this iteration, layer or window on.",
}
