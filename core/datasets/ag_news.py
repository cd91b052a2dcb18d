"""AG's News (Zhang, Zhao, LeCun 2015): titles and first lines of news items, labelled by topic."""

from core.datasets import labelled_csv
from core.datasets.corpus import Corpus, File
from core.traces.drnn import DRNNTrace

CLASSES = ("World", "Sports", "Business", "Sci/Tech")
FILES = {
    "train.csv": File(29_470_338, "76a0a2d2f92b286371fe4d4044640910a04a803fdd2538e0f3f29a5c6f6b672e"),
    "test.csv": File(1_857_427, "521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699"),
}
texts = labelled_csv.reader(CLASSES)

EXAMPLES = {
    "Talks": "The president said talks with the rebels would go on after a week of fighting in the north.",
    "Mathematics": "A prize of one million dollars waits for whoever settles one of the unsolved mysteries of "
    "mathematics.",
    "Rover": "A rover the size of a small car landed on Mars and sent home its first pictures of the red plain.",
    "Merger": "Shares in the software maker rose sharply after it agreed to buy a smaller rival for two billion "
    "dollars.",
    "Final": "The captain scored twice in the last ten minutes to put his side into the final of the cup.",
}
OF_DRNN = {  # from the paper's table 1
    "Table 1, phrase early": "One of the seven great unsolved mysteries of mathematics may have been cracked by a "
    "reclusive Russian.",
    "Table 1, phrase late": "A reclusive Russian may have cracked one of the seven great unsolved mysteries of "
    "mathematics.",
}
READINGS = {
    "Talks": "World",
    "Mathematics": "Sci/Tech",
    "Rover": "Sci/Tech",
    "Merger": "Business",
    "Final": "Sports",
}

CORPUS = Corpus(
    name="ag_news",
    title="AG's News",
    subject="topic",
    classes=(CLASSES,),
    read=texts,
    files=FILES,
    url="https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv/",
    examples=EXAMPLES,
    by_kind={DRNNTrace.kind: EXAMPLES | OF_DRNN},
    readings=READINGS,
    samples="news",
    called="topics",
    hub="fancyzhx/ag_news",
    terms="is for research and other non-commercial use",
)
