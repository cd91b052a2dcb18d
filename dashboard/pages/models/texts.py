"""Texts of the Models page."""

from dashboard.figures.vega import STATED

TRAIN = "Train on my data"
QUESTION = "Which networks are here, how good are they, and how were they made?"
MARKS = """Test accuracy: ● measured here, with its 95% interval; {stated}◇ in the paper. Each colour is a dataset. On
the right: number of parameters and size of the weights."""
ALSO_STATED = f"○ {STATED}; "
ZIP = """Upload a zipped checkpoint folder: config.json, weights.safetensors and, if the network has one, vocab.txt. If
the folder has a card, scores or evidence, they are shown, too. Every tensor is checked. The network is deleted when
this session ends, unless you save it."""
SAVED = """This server is yours: a model that you save stays in {folder}, and all users of this server see it.
Checkpoints that you put there yourself are listed too."""
PUBLIC = """This server is public: nothing can be saved on it. Whoever runs it adds checkpoints by copying their folders
into the folder that ROUTESCOPE_MODELS names."""
REMOVES = "Deletes {name} and everything else in {folder} for good."
HEADS = """This trains an EM routing head on top of a frozen transformer, using whole sentences only. The training takes
a few minutes. The head shows which words and layers make up each score."""
NO_TEXTS = "The Stanford Sentiment Treebank is not on this server, so nothing can be trained here yet."
TRANSFORMERS = """Whoever runs this server can add a transformer by copying its folder, as save_pretrained writes it,
into the folder that ROUTESCOPE_MODELS names."""
SETTINGS = {  # titles of the entries of a training and of its schedule in metrics.json
    "dev_accuracy": "accuracy on the dev split when the weights were chosen",
    "step": "step whose weights were chosen",
    "steps": "steps in all",
    "minutes": "minutes of training",
    "preparation_minutes": "minutes of preparation",
    "lr": "largest learning rate",
    "warmup": "steps of warm-up",
    "clip": "largest norm of a gradient",
    "perturbation": "distance that word vectors are moved against the network",
    "decay": "decay of the average of weights, for each step",
    "evaluations": "evaluations on the dev split, for each epoch",
    "chosen_after": "epochs whose weights are not chosen",
    "kept": "shares of the training after which weights are kept",
}
NO_HISTORY = "The files of this checkpoint keep no history of its training."
NO_EVIDENCE = "The evidence of this network has not been measured yet. {how}"
AGAINST = """The paper's accuracy is reproduced if it lies in our 95% interval. Under other conditions, such as other
training data, our accuracy says nothing about the paper's claim."""
MEASURED = """In brackets: the 95% interval over the {samples}. “Within chance” means that the interval contains 0. A
point is one hundredth of the answer's probability. A point of accuracy is one percent of the {samples}. {by}:"""
OWN = """Upload texts with labels, such as reviews with their stars, and train a network on them. Four fifths of the
texts train it and choose its weights; the others test it. It stays in this session."""
OWN_FILE = """Your file stays on the machine that runs Routescope, and is deleted when your session ends. It has one
text in each row, and its label in another column: .csv or .tsv (with a header), .jsonl or .parquet, up to 20 MB. Each
label needs at least ten texts."""
OWN_PARTS = """{n:,} texts with {n_labels} labels: {train:,} to train on, {dev:,} to choose the weights, {test:,} to
test."""
IMBALANCE = """Always answering “{label}” would be right for {share:.0%} of these texts. So compare the accuracy with
that, and look at each label under Confusions on the card."""
WHICH = """**Which routing should I take?** Each of these is trained on the same texts and tested on the same others.
This takes as long as training one after the other."""
TAKES = """This takes {duration}, from the file to the tested picture, if this machine stays as busy as it is now."""
NO_RATE = "How long this takes is not known, because this transformer's speed was not measured."
MISSING = "Not trained: {missing}. The comparison stopped early: {why}"
CURVES = {  # titles of the curves
    "train_loss": "Loss on the training texts",
    "dev_accuracy": "Accuracy on the texts that choose the weights",
    "evenness": "How even the shares are (100%: all equal)",
}
NO_SHARES = "This network has no shares: it reads windows of words without routing."
WRONG_ONE = "{text} (labelled {label}, answered {answer})"
RESTS_ON = " · certainty {certainty:.0%}, without {word} {without:.0%}"
MISTAKES = """A word is masked so that nothing takes from it, one word at a time. “Rests on” is the word without which
the certainty falls most. Of {n:,} wrong answers, {n_right:,} would be right with that word masked; those that rest
most on one word come first. Click a row to open it."""
WRONG = "It gets {n_wrong:,} of {n:,} test texts wrong. Look at {them}:"
PAIRED = """In brackets: the 95% interval over the test texts. The difference from the best routing is paired: all rows
answer the same test texts. If its interval contains 0, it may be chance. The advice is judged on the texts that chose
the weights, so that the test texts stay new to the advised routing."""
