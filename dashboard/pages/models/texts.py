"""Texts of the Models page."""

QUESTION = "Which networks are here, how good are they, and how were they made?"
ZIP = """A zip archive of config.json, weights.safetensors and, for a network with a vocabulary, vocab.txt: the folder
that `python -m core.training` writes. Every tensor is checked. It is used in this session alone, and deleted with it,
unless you save it."""
FOLDER = "Every folder of such files in `{folder}` is listed as well; the variable ROUTESCOPE_MODELS names another one."
NO_HISTORY = "The files of this checkpoint keep no history of its training."
NO_EVIDENCE = (
    "Nothing was measured yet of how far its pictures can be believed: `python -m core evidence {name} --data DIR`."
)
NO_CARD = "This checkpoint has no card."
