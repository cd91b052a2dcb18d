"""Texts of the page My texts: its question, and descriptions of the columns."""

TITLE, QUESTION = "My texts", "Run a model on many texts."
OTHER = "other label"  # row of labels that are not a class of the network
SPLIT, FILE = "Test split", "Your file"
NO_FILE = "Choose a file and press Start. The first results appear at once."
STORED = "This is the stored result for the test split. {start}"
HELD_OUT = "This is the stored result for texts that the network did not learn from."
START = "Start runs its texts and lists them."
KEPT = "The stored result was measured on {data}{by}."
BY = " by `python -m core.measured split {name}{limit}`"
JOINED = """It reads the words as the corpus splits them. A run on this page splits each text into words by
itself, as if you had typed it. So a few answers may differ from the stored ones."""
AS_TYPED = """Each text was split into words as a typed text is. The stored result reads the words as the corpus splits
them. So a few answers may differ from the stored ones."""
LAST = "These are the results of the last run. Start replaces them."
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
