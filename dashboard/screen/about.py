"""The window about this program: its papers, how to cite it, its version, and all words that it explains."""

from html import escape

import streamlit as st

from core import __version__
from core.papers import PAPERS
from dashboard.docs.contents import link_of
from dashboard.screen.glossary import GLOSSARY

PURPOSE = """Routescope runs networks that route: they decide, step by step, which words belong to which capsule. It
shows every step and lets you change it. A badge says whether you can believe the picture of a network."""
NETWORKS = {  # networks in plain words, in the order of the menu, by the keys of their papers
    "gong2018": "Dynamic routing",
    "ren2022": "k-means routing",
    "heinsen2019": "EM routing",
    "guo2017": "Attention by layer (AGT)",
    "wang2018": "Windows (DRNN)",
}
CODE = "The code is under the MIT licence. Routescope sends no telemetry and fetches nothing while it runs."
CITE = f"""@software{{routescope, title = {{Routescope}}, author = {{{{The Routescope authors}}}},
  year = {{2026}}, version = {{{__version__}}}}}"""


def papers() -> list[tuple[str, str]]:
    """Each network in plain words, and a link to its paper in Markdown."""
    return [(title, f"[{PAPERS[key].short}]({PAPERS[key].address})") for key, title in NETWORKS.items()]


def draw_about() -> None:
    """Draw the button that opens the page's window about the program."""
    if st.button("About", icon=":material/info:", type="tertiary", key="about"):
        _open()


@st.dialog("Routescope", width="medium")
def _open() -> None:
    about, words = st.tabs(["About", "Words"])
    with about:
        st.markdown(PURPOSE)
        st.markdown("\n".join(f"- {title}: {link}" for title, link in papers()))
        st.markdown(f"Version {__version__}. {CODE} [Documentation]({link_of('start')})")
        st.caption("To cite it:")
        st.code(CITE, language="bibtex", wrap_lines=True)
    words.html(list_of_words())


def list_of_words() -> str:
    """All words of the glossary with their symbols and explanations, as a list in HTML."""
    entries = (
        f"<dt><b>{escape(name)}</b> <i>{escape(term.symbol)}</i></dt><dd>{escape(term.says)}</dd>"
        for name, term in sorted(GLOSSARY.items(), key=lambda entry: entry[0].casefold())
    )
    return f"<dl>{''.join(entries)}</dl>"
