"""DBpedia (Zhang, Zhao, LeCun 2015): abstracts of encyclopedia articles, labelled by the kind of subject."""

from core.datasets import labelled_csv
from core.datasets.corpus import Corpus, File

CLASSES = (
    "Company", "EducationalInstitution", "Artist", "Athlete", "OfficeHolder", "MeanOfTransportation", "Building",
    "NaturalPlace", "Village", "Animal", "Plant", "Album", "Film", "WrittenWork",
)  # fmt: skip
FILES = {  # a sample of the training split, because the release is a single large archive
    "train.sample.csv.gz": File(1_612_708, "d12060012a7ff0e6ff580786d4ecc15a15fa5eb9b8b509d63a807ef641c123e0"),
}
texts = labelled_csv.reader(CLASSES)

CORPUS = Corpus(
    name="dbpedia",
    title="DBpedia",
    subject="topic",
    classes=(CLASSES,),
    read=texts,
    files=FILES,
    has_test=False,
    samples="encyclopedia articles",
    called="topics",
    hub="fancyzhx/dbpedia_14",
    terms="is under CC BY-SA 3.0",
)
