"""The tour of a page that shows a routing: six parts of the screen, one sentence each, and a challenge."""

import streamlit as st

from dashboard.components.tour import tour_button

ENTRY = "tour"  # entry of an address that starts the tour
STEPS = (  # key of a part of the screen, and its sentence; {picture} and {challenge} depend on the page
    (
        "input",
        "Type a sentence here, or choose an example, and run it. The rest of the page shows how it is read.",
    ),
    ("picture", "{picture}"),
    ("scrubber", "Drag this, or press Play, to see how the picture comes about, step by step."),
    ("verdict", "This is what the network predicts at the step that you have chosen."),
    ("badge", "This says whether the words that stand out are the words that matter, as measured on many texts."),
    (
        "inspector",
        "Click in the picture, then change and test here what you clicked. Your challenge: find {challenge}.",
    ),
)
SHARE = "a share that is large and does not matter"
PICTURES = {  # sentence about the picture of a page, by the page's folder, and the challenge
    "routing": (
        "A column is a word, and a row is a capsule. The stronger the blue, the larger the share.",
        SHARE,
    ),
    "kmeans": (
        "A column is a feature capsule, and a row is a class. The stronger the blue, the larger the share.",
        SHARE,
    ),
    "sentiment_capsules": (
        "A column is a word, and a row is a class. One colour adds to the score of the class, the other takes from it.",
        "a word with much credit that does not matter",
    ),
    "agt": (
        "A column is a word, and a row is a layer. The stronger the blue, the more the layer looks at the word.",
        "a word that a layer looks at and that does not matter",
    ),
    "drnn": (
        "A column is a word, and a row is a window. The stronger the blue, the more features come from there.",
        "a word that wins many features and does not matter",
    ),
}


def steps_on(page: str) -> list[tuple[str, str]]:
    """The steps of the tour on a page, by its folder."""
    picture, challenge = PICTURES[page]
    return [(key, says.format(picture=picture, challenge=challenge)) for key, says in STEPS]


def draw_tour(page: str) -> None:
    """Draw the button that starts the tour of a page, unless it is a page without one.

    An address with ``ENTRY`` starts the tour, until the user leaves it.

    Args:
        page: folder of the page.
    """
    if page not in PICTURES:
        return
    state = st.session_state

    def leave() -> None:
        state.touring = False

    if st.query_params.pop(ENTRY, None) is not None:
        state.touring = True
    tour_button("tour", steps_on(page), state.get("touring", False), leave)
