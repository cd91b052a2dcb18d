"""Two EM routings over a pair of pictures: detected parts to part capsules, and those to five kinds of toy."""

import hashlib

import streamlit as st

from core.traces.em import EMPlacesTrace
from dashboard import runs
from dashboard.components import scrubber
from dashboard.pages.smallnorb.readable import draw_readable
from dashboard.pages.smallnorb.routed import draw_routed_view
from dashboard.pages.smallnorb.texts import FORMULA, NOT_SHOWN, SOURCE
from dashboard.pages.smallnorb.toys import choose_views
from dashboard.pages.smallnorb.turning import draw_turning
from dashboard.pages.smallnorb.views import Views, draw_strip, draw_weights
from dashboard.runs import pictures as picture_runs
from dashboard.shared.inputs import (
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    choose_number,
    choose_part,
    count_picks,
)
from dashboard.shared.markdown import escape
from dashboard.shared.outputs import draw_formula, draw_notices, draw_verdict, stop_on_error
from dashboard.shared.shown import Shown


def page() -> None:
    st.title("smallNORB")
    st.markdown(
        "Watch what convolutions detect in a pair of pictures agree on parts of a toy, and the parts on its kind. Then "
        "turn the toy and watch the pose of its capsule turn."
    )
    device = choose_device()
    name = choose_checkpoint("em-smallnorb", first="em-smallnorb")
    trained = runs.about(name).model["n_iters"]
    n_iters = choose_largest_count(trained)
    draw_weights(name)
    views = choose_views()
    controls = st.container(key="controls")  # stays in sight; filled once the part is known
    shown = Shown()
    draw_strip(shown, views)
    with stop_on_error():
        capsules, notices = picture_runs.class_capsules(name, device, views.pictures.images)
    draw_notices(notices)
    st.header("How one view is routed")
    k, full_trace, part = choose_view_and_part(views, name, device, trained)
    with controls:
        scrubber(n_iters, signals={"picked": part, "turn": count_picks(part)})
        if len(views.pictures) > 1:
            scrubber(len(views.pictures), "View", param="view", address="v", start=1, follows="strip")
    trace = full_trace.first(n_iters)
    draw_notices(trace.notices)
    draw_verdict(trace)
    st.caption(escape(f"Routed: {views.pictures.names[k]} ({views.toy})."))
    draw_routed_view(shown, trace, views.pictures.images[k, 0], part)
    draw_turning(shown, name, capsules, views, trace.classes)
    draw_readable(shown, name)
    field = trace.centres["field"]
    draw_formula(FORMULA, SOURCE, NOT_SHOWN.format(trained=trained, field=field))
    shown.draw_downloads([trace])


def choose_view_and_part(views: Views, name: str, device: str, trained: int) -> tuple[int, EMPlacesTrace, int]:
    """The view that is routed, from 0, its trace, and the part that is looked at: the one that decides, at first."""
    left, right, _ = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left:
        k = choose_number(len(views.pictures), "Routed view", "view")
    pair = views.pictures.images[k]
    with stop_on_error():
        trace = picture_runs.run_pair(name, device, pair)
    with right:
        subject = f"{name} {hashlib.sha256(pair.tobytes()).hexdigest()}"
        return k, trace, choose_part(trace.first(trained), subject)


page()
