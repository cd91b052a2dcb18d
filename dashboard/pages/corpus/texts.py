"""Texts of the page My texts: its question, and descriptions of the columns."""

TITLE, QUESTION = "My texts", "Run a model on many texts."
OTHER = "other label"  # row of labels that are not a class of the network
SPLIT, FILE = "Test split", "Your file"
EMPTY = "Choose texts and press Start. The first results appear at once."
KEPT = """This result is stored, because the texts of the test split are not part of Routescope.
It was measured on {data} by `python -m core.measured split {name}{limit}`."""
NOT_KEPT = "{title} has no stored result of a test split."
PRIVATE = """Your file stays on the machine that runs Routescope, and is deleted when your session ends. It has one text
in each row: .txt (a text on each line), .csv or .tsv (with a header), .jsonl or .parquet, up to 20 MB."""
HELP = {
    "certainty": "The probability of the predicted class. For k-means routing, the length of its capsule.",
    "entropy": """How widely each word (or other input) is spread over the capsules in the last iteration, on average.
With 0 bits, it goes to one capsule. With 1 bit, two capsules get equal halves. With 2 bits, four get equal
quarters.""",
    "settled_at": "The prediction stays the same from this iteration, layer or window to the last.",
}
