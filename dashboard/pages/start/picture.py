"""The animation of a text's routing, and what it becomes without the word that matters most."""

from core.sentences.words import quote
from core.traces.dragg import DRAggTrace
from dashboard.components.story import Cut, Telling, story
from dashboard.pages.start import texts
from dashboard.pages.start.excerpt import excerpt_of
from dashboard.runs.stories import Story


def draw_story(text: str, told: Story) -> None:
    """Draw the animation of a text."""
    run, word, cut = told
    largest = run.inputs_to_capsules.coupling.max((0, 2))
    excerpt = excerpt_of(text, run.spans, largest, word)
    name = quote(run.tokens[word])
    left_out = [i for i in range(len(largest)) if i not in set(excerpt.words.tolist())]
    note = ""
    if left_out:
        most = run.inputs_to_capsules.coupling[-1][left_out].max()
        note = texts.LEFT_OUT.format(n=len(excerpt.words), all=len(largest), most=most)
    story(
        "routing_story",
        excerpt.pieces,
        _telling(run, excerpt.words),
        Cut(
            word=excerpt.words.tolist().index(word),
            button=f"Cut {name} and watch",
            back=f"Put {name} back",
            telling=_telling(cut, excerpt.words),
            legend=f"Outlined: with {name}.",
            result=texts.cut_result(run.tokens[word], run.class_probabilities, cut.class_probabilities, run.classes),
        ),
        run.classes,
        note,
    )


def _telling(run: DRAggTrace, words: list[int]) -> Telling:
    """A run as the animation tells it, with these words."""
    shares = run.inputs_to_capsules.coupling
    captions = texts.captions(shares, run.tokens, run.probabilities, run.classes)
    return Telling(shares[:, words], run.probabilities, captions)
