"""The choice of networks: ours, trained on rendered toys, or the author's, trained on photographs."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.traces.em import EMPictureTrace, EMPlacesTrace
from dashboard.figures.vega import STATED
from dashboard.jobs import published, saved
from dashboard.pages.smallnorb.texts import NOT_SHOWN
from dashboard.pages.smallnorb.views import is_of_photographs
from dashboard.runs import checkpoints
from dashboard.screen.address import in_address
from dashboard.screen.checkpoint import choose_checkpoint, draw_about
from dashboard.screen.lab_links import draw_limits_and_link
from dashboard.screen.markdown import about_disk, escape, escape_error

KIND, OURS = EMPictureTrace.kind, "em-smallnorb"
TURNING = "em-smallnorb-views"  # ours, too: its poses turn with the toy
UNREACHABLE = "The author's network cannot be fetched from {source}. Is there a connection to the Internet?"
WHY_FETCH = (
    "The networks that we trained read rendered toys. The author of the paper trained the same network on photographs."
)


def choose_network() -> str:
    """Let the user choose a network.

    The first choice for photographs is the author's network, if it is installed; otherwise the one whose poses turn.
    """
    author = published.authors_network()
    return choose_checkpoint(checkpoints.models(KIND), first=author if author and is_of_photographs() else TURNING)


def choose_other_network(name: str) -> list[str]:
    """Let the user add the other network; the list is empty if they do not.

    Args:
        name: name of the chosen network.
    """
    other = (published.authors_network() or TURNING) if name == OURS else OURS
    help = f"Adds the classes and the path of {escape(describe(other))} to those of {escape(describe(name))}."
    is_on = st.toggle("Compare with another network", help=help, width="content", **in_address("beside"))
    return [other] if is_on else []


def draw_card(name: str) -> None:
    """Draw the description of a network, and the button that fetches the author's."""
    draw_about(name)
    offer_authors_network("fetch")


def draw_limits(place: DeltaGenerator, trace: EMPictureTrace, name: str) -> None:
    """Say what the picture does not show, and link to the same routing of two parts."""
    draw_limits_and_link(place, limits_of(trace), name)


def limits_of(trace: EMPictureTrace | EMPlacesTrace) -> str:
    """Sentences on what the picture does not show."""
    return NOT_SHOWN.format(trained=checkpoints.about(trace.model).model["n_iters"], **trace.centres)


def describe(name: str) -> str:
    """A network's name and its training pictures, marked if only an archive states them."""
    training, is_stated = published.trained_on(name), checkpoints.about(name).metrics.stated is not None
    if not training:
        return name
    return f"{name}, trained on {training}" + (f" ({STATED})" if is_stated else "")


@st.fragment
def offer_authors_network(key: str) -> None:
    """Draw a button that downloads the author's network, unless it is installed or the server is public.

    It is a fragment, so that no other user waits.

    Args:
        key: key of the button.
    """
    if published.authors_network() or not saved.may_save():
        return
    st.caption(WHY_FETCH)
    size_and_source = f"{published.MEGABYTES:.1f} MB from {published.REPOSITORY}"
    if not st.button(f"Fetch the author's network ({size_and_source})", key=key, icon=":material/download:"):
        return
    try:
        with st.spinner(f"Fetching {size_and_source} …"):
            published.fetch_authors_network()
    except OSError as error:
        sentence = about_disk(error) or escape(UNREACHABLE.format(source=published.REPOSITORY))
        st.error(sentence, icon=":material/error:")
    except ValueError as error:
        st.error(escape_error(error), icon=":material/error:")
    else:
        st.rerun()
