"""AG's News (Zhang, Zhao, LeCun 2015): news items, their title and first lines, by topic."""

from core.datasets import labelled_csv
from core.datasets.corpus import Corpus, File

CLASSES = ("World", "Sports", "Business", "Sci/Tech")
FILES = {
    "train.csv": File(29_470_338, "76a0a2d2f92b286371fe4d4044640910a04a803fdd2538e0f3f29a5c6f6b672e"),
    "test.csv": File(1_857_427, "521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699"),
}
texts = labelled_csv.reader(CLASSES)

CORPUS = Corpus(
    name="ag_news",
    title="AG's News",
    subject="topic",
    classes=(CLASSES,),
    read=texts,
    files=FILES,
    url="https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv/",
)
