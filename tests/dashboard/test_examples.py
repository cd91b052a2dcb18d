"""The example that each page opens on: its network is right about it, and its picture finds the words that matter."""

import numpy as np
import pytest

from core import explain, zoo
from core.analysis.faithfulness import area
from core.datasets import CORPORA, ag_news, imdb, sst
from core.measured.evidence.curves import Amount, curves_of
from core.measured.evidence.probes import probe
from core.measured.evidence.record import opened_on

FIRST = {  # first network of each page, with its examples
    "dragg-reversed-sst5": sst.EXAMPLES,
    "cccaps-ag": ag_news.EXAMPLES,
    "em-sst5": sst.OF_EM,
    "agt-sst5": sst.OF_AGT,
    "drnn-ag": ag_news.EXAMPLES,
}
OTHERS = {"drnn-imdb": imdb.EXAMPLES, "cccaps-imdb": imdb.EXAMPLES, "dragg-sst2": sst.EXAMPLES}


@pytest.mark.parametrize("name", [*FIRST, *OTHERS])
def test_a_page_opens_on_an_example_that_its_network_gets_right(name):
    examples, checkpoint = (FIRST | OTHERS)[name], zoo.load(name, "cpu")
    opening = next(iter(examples))
    readings = {key: reading for corpus in CORPORA.values() for key, reading in corpus.readings.items()}
    trace = explain(checkpoint, examples[opening])
    assert trace.answer == (readings[opening] if len(trace.classes) > 2 else readings[opening].removeprefix("very "))
    if name in FIRST:
        read = probe(checkpoint, examples[opening])
        n = len(read.parts)
        found = curves_of(read, "masked", "word", Amount(5, 2, 6) if "em-" in name else Amount(n, 2, 10))
        own = area(found.curves[opened_on(read.rankings)].deletion)
        assert own < np.mean([area(at_random) for at_random in found.deletion])


def test_readings_are_classes_of_their_corpus():
    for corpus in CORPORA.values():
        assert corpus.readings.keys() <= corpus.examples.keys()
        assert set(corpus.readings.values()) <= set(corpus.classes[0])
