"""A part over views of toys: pictures of each tenth of its score, its directions, and what its pose follows."""

from html import escape as escape_html

import streamlit as st

from core.analysis.unit_views import FACTORS
from core.sentences.unit_views import say_score, varies
from dashboard.figures.pictures import webp
from dashboard.figures.unit_views import curves, followed, score
from dashboard.pages.units.texts import AVERAGE, NO_PICTURES, NOT_SHOWN, POSE, TENTHS, VIEWED
from dashboard.runs.unit_views import ShownView, UnitViews
from dashboard.runs.units import Units
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

VIEWS_TAB = "Views and pose"


def draw_tenths(views: UnitViews) -> None:
    """Draw a picture for each tenth of a part's score, the highest first."""
    st.caption(TENTHS if views.pictures is not None else NO_PICTURES)
    st.html(f'<ol class="rs-pictures">{"".join(map(_item, views.tenths))}</ol>')


def _item(view: ShownView) -> str:
    """A view as an item of a list, with its picture, its class and the score."""
    about = escape_html(view.about)
    picture = "" if view.picture is None else f'<img src="{webp(view.picture)}" alt="{about}" title="{about}">'
    return f"<li>{picture or about}<span>{escape_html(view.toy)} {say_score(view.score)}</span></li>"


def draw_views(shown: Shown, units: Units, u: int, views: UnitViews) -> None:
    """Draw the directions from which a part is active, and what the components of its pose follow."""
    kept, name, (of_activation, of_pose) = views.kept, f"{units.unit} {units.numbers[u]}", views.sentences
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(escape(of_activation))
        title = f"Score of {name} by direction"
        shown.draw_heatmap(title, score(kept["score"][views.u], kept["elevations"], kept["azimuths"]), "seen")
        if views.average is not None:
            st.html(f'<img class="rs-average" src="{webp(views.average)}" alt="{escape_html(AVERAGE)}">')
            st.caption(AVERAGE)
    with right:
        st.markdown(escape(of_pose))
        if varies(kept, views.u):  # else the curves are rounding errors, enlarged
            title = f"What the pose of {name} follows"
            shown.draw_chart(title, followed(views.share, views.follows, FACTORS))
            h = int(kept["strongest"][views.u])
            title = f"Component {h + 1} of the pose of {name} over the azimuth"
            st.caption(escape(POSE.format(component=h + 1)))
            shown.draw_chart(title, curves(kept["curve"][views.u], kept["azimuths"].tolist(), units.classes), title)
    st.caption(escape(VIEWED.format(n=int(kept["n"][0]), toys=int(kept["n_toys"][0]), data=kept["data"])))
    st.caption(escape(NOT_SHOWN))
    shown.add_table(f"pose of {name}", views.table)
