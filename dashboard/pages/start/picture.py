"""The animation of a text's routing, and what it becomes without the word that matters most."""

from urllib.parse import urlencode

import streamlit as st

from core.sentences.words import quote
from core.traces.dragg import DRAggTrace
from dashboard.components.story import CapsuleLink, Cut, Telling, story
from dashboard.pages.start import texts
from dashboard.pages.start.excerpt import excerpt_of
from dashboard.runs.stories import NETWORK, Story
from dashboard.runs.units import meaning_of
from dashboard.screen.links import page_file
from dashboard.screen.unit_link import OPENS, given_names, link_to_unit, name_unit, with_doubt


def draw_story(text: str, told: Story) -> None:
    """Draw the animation of a text. A click on a capsule opens its unit."""
    run, word, cut = told
    largest = run.inputs_to_capsules.coupling.max((0, 2))
    excerpt = excerpt_of(text, run.spans, largest, word)
    name = quote(run.tokens[word])
    left_out = [i for i in range(len(largest)) if i not in set(excerpt.words.tolist())]
    note = ""
    if left_out:
        most = run.inputs_to_capsules.coupling[-1][left_out].max()
        note = texts.LEFT_OUT.format(n=len(excerpt.words), all=len(largest), most=most)
    clicked = story(
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
        [capsule_link(j) for j in range(1, run.inputs_to_capsules.coupling.shape[2] + 1)],
        run.classes,
        note,
    )
    if clicked is not None:
        st.switch_page(page_file("units"), query_params=link_to_unit(NETWORK, clicked + 1))


def capsule_link(number: int) -> CapsuleLink:
    """The words below a capsule, with a link to the page Units if its unit is measured. number: from 1."""
    label, says = name_unit(NETWORK, number, "capsule"), meaning_of(NETWORK, number, given_names(NETWORK))
    if says is None:
        return CapsuleLink(label)
    return CapsuleLink(
        label, f"{with_doubt(says, NETWORK)}. {OPENS}", f"units?{urlencode(link_to_unit(NETWORK, number))}"
    )


def _telling(run: DRAggTrace, words: list[int]) -> Telling:
    """A run as the animation tells it, with these words."""
    shares = run.inputs_to_capsules.coupling
    captions = texts.captions(shares, run.tokens, run.probabilities, run.classes)
    return Telling(shares[:, words], run.probabilities, captions)
