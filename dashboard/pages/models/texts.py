"""Texts of the Models page."""

QUESTION = "Which networks are here, how good are they, and how were they made?"
ZIP = """A zip archive of config.json, weights.safetensors and, for a network with a vocabulary, vocab.txt: the folder
that a training writes. Its card, scores and evidence are shown if they are in it. Every tensor is checked. It is used
in this session alone, and deleted with it, unless you save it."""
FOLDER = "Folders of such files in {folder} are listed as well; the variable ROUTESCOPE_MODELS names another place."
HEADS = """Two EM routings are trained over a frozen transformer, in a short form: on the whole sentences of the
Stanford Sentiment Treebank, minutes instead of hours. They show which of its words and layers make up each score."""
TRANSFORMERS = "The folder of a transformer, as save_pretrained writes it, is in this menu once it lies in {folder}."
NO_HISTORY = "The files of this checkpoint keep no history of its training."
NO_EVIDENCE = (
    "Whether its pictures can be believed is not measured yet: python -m core evidence {name} --data DIR measures it."
)
NOT_SAVED = "Save it first, under Add a model: the command does not see what is in this session alone."
MEASURED = """In brackets: the 95% interval over the texts. Within chance: it holds 0. Points are hundredths of the
answer's probability, or of the test texts. Measured by:"""
NO_CARD = "This checkpoint has no card."
