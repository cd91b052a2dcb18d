"""Start: the user's own sentence as a story of words and capsules, and whether to believe it."""

import streamlit as st

from dashboard.components.text_box import text_box
from dashboard.pages.start import texts
from dashboard.pages.start.footer import draw_footer
from dashboard.pages.start.picture import draw_story
from dashboard.runs import checkpoints, stories
from dashboard.runs.evidence import evidence_of
from dashboard.screen.address import link_to
from dashboard.screen.inputs import MAX_PASTE
from dashboard.screen.links import page_file
from dashboard.screen.outputs import draw_notices, go_on_after_error
from dashboard.screen.tour import ENTRY


def page() -> None:
    text = typed_text()
    with st.container(key="title", gap=None):
        st.title("Routescope", anchor=False)
        st.markdown(texts.PURPOSE)
    text_box("start", text, bool(st.session_state.get("typed_by_user")), stories.EXAMPLES, remember, MAX_PASTE)
    with st.container(key="start_story"), go_on_after_error():
        told = stories.story_of(text)
        draw_notices(told.run.notices)
        draw_story(text, told)
    draw_words()
    with st.container(key="start_verdict", gap="small"):
        st.markdown(texts.verdict(*map(evidence_of, (stories.NETWORK, stories.STANDARD))))
        with st.container(horizontal=True, gap="medium"):
            st.page_link(page_file("evidence"), label="See the evidence", icon=":material/fact_check:")
            query = link_to({"checkpoint": stories.NETWORK, "inspect": "Test it"})
            st.page_link(
                page_file("routing"), label="Test it on your text", icon=":material/science:", query_params=query
            )
    draw_doors()
    draw_footer()


def typed_text() -> str:
    """The text that the user has typed here or on another page, or the opening text."""
    return st.session_state.typed if st.session_state.get("typed_by_user") else stories.OPENING


def remember(text: str) -> None:
    """Make a text the one that the user has typed, on every page."""
    st.session_state.typed, st.session_state.typed_by_user = text, True


def draw_words() -> None:
    """Say what a capsule is, what coupling is, and why one would doubt the picture."""
    about = checkpoints.about(stories.NETWORK)
    capsule = texts.CAPSULE.format(size=about.model["d_capsule"], n=about.model["n_capsules"])
    words = (capsule, texts.COUPLING, texts.DOUBT)
    with st.container(key="start_words"):
        for column, text in zip(st.columns(len(words), gap="medium"), words, strict=True):
            column.markdown(text)
        accuracy, title = about.metrics.test.accuracy, checkpoints.title(stories.NETWORK)
        st.caption(texts.NETWORK.format(title=title, name=about.name, accuracy=accuracy))


def draw_doors() -> None:
    """Draw the links to where a visitor may go from here; the text goes along."""
    with st.container(key="start_doors"):
        for column, door in zip(st.columns(len(texts.DOORS)), texts.DOORS, strict=True):
            with column.container(border=True, height="stretch"):
                query = link_to({"checkpoint": stories.NETWORK}) if door.shows_network else None
                st.page_link(page_file(door.page), label=f"**{door.name}**", icon=door.icon, query_params=query)
                st.caption(door.says)
                if door.shows_network:
                    query, icon = link_to({"checkpoint": stories.NETWORK, ENTRY: "1"}), ":material/tour:"
                    st.page_link(page_file(door.page), label="Take the tour", icon=icon, query_params=query)
                if door.page == "corpus":
                    query = link_to({"tab": texts.TRAIN})
                    st.page_link(page_file("models"), label=texts.TRAIN, icon=":material/school:", query_params=query)


page()
