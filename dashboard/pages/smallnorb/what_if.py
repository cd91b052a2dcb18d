"""Offers of edits for two EM routings of a pair of pictures, and a cover for a part of the pictures."""

import re
from collections.abc import Callable

import numpy as np
import streamlit as st

from core.edits import DropCapsule, SetCoupling, ShiftPose
from core.sentences.words import quote
from core.traces.em import EMPlacesTrace
from dashboard.components.pictures import crop
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import PICTURES
from dashboard.figures.pictures import png
from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.routed import Overlay
from dashboard.runs import checkpoints
from dashboard.runs.picture_edits import Box, PictureRun, cover, nearest_built_in_toy
from dashboard.screen.inputs import choose_class, choose_number
from dashboard.whatif.offers import Action, Causes, Dosed, Offer, Subject, dose_of, offer_all, offer_share
from dashboard.whatif.tab import draw_what_if

FIRST_BOX: Box = (40, 60, 40, 60)  # a fifth of each side, in the middle
COVER_KEY = "cover"  # entry of the address with the cover's left, right, upper and lower edge, in percent
FARTHEST = 3.0  # standard deviations by which a pose component can be changed at most


def draw(
    name: str, device: str, routed: RoutedPair, steps: int, full: EMPlacesTrace, part: int, overlay: Overlay
) -> None:
    """Draw the tab What if.

    Args:
        name, device: name and device of the checkpoint.
        routed: pair to route.
        steps: number of iterations to show.
        full: trace with all iterations.
        part: index of the chosen part.
        overlay: values over the pictures.
    """
    box = _choose_cover(routed)
    pair = routed.pair if box is None else cover(routed.pair, box)
    run = PictureRun(name, device, pair, routed.sample if box is None else None, steps)
    trained = checkpoints.about(name).model["n_iters"]

    def offers(now: EMPlacesTrace) -> tuple[Offer, ...]:
        return _offers(full, now, trained, part, steps)

    def pictures(before: EMPlacesTrace, after: EMPlacesTrace) -> tuple[Figure, Figure]:
        draw_picture, quantity = PICTURES[overlay.plot], overlay.quantity
        largest = max(float(np.abs(quantity(trace)).max()) for trace in (before, after))
        return (
            draw_picture(before, picture=routed.pair[0], largest=largest, **overlay.setting),
            draw_picture(after, picture=pair[0], largest=largest, **overlay.setting),
        )

    def causes(trace: EMPlacesTrace) -> Causes:
        second = trace.parts_to_classes
        use = (second.gate[..., None] * second.coupling)[trained - 1]
        return Causes(use, [str(j + 1) for j in range(len(use))], trace.classes, "part", "class", "capsule", "D_use")

    extras = {"causes": causes, "pictures": pictures, "note": _note_on_toys(full)}
    draw_what_if(Subject(overlay.title, run, full, steps, offers, **extras))


def _choose_cover(routed: RoutedPair) -> Box | None:
    """Let the user cover a part of the pictures; None if they do not."""
    toggle, picture = st.columns([1, 2], vertical_alignment="center")
    is_on = toggle.toggle("Cover a square of the pictures", key="covers", value=COVER_KEY in st.query_params)
    if not is_on:
        st.query_params.pop(COVER_KEY, None)
        return None
    match = re.fullmatch(r"(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3})", st.query_params.get(COVER_KEY, ""))
    left, right, top, bottom = (min(100, int(edge)) for edge in match.groups()) if match else FIRST_BOX
    box = (left, right, top, bottom) if left < right and top < bottom else FIRST_BOX

    def take(edges: list[int]) -> None:
        st.query_params[COVER_KEY] = ",".join(map(str, edges))

    if COVER_KEY not in st.query_params:
        take(list(box))
    label = "What is covered, in mean grey, for both eyes. Arrow keys move it, Shift and arrow keys change its size."
    toggle.caption("Drag the square, or one of its corners.")
    with picture:
        crop("cover", png(routed.pair[0]), box[:2], box[2:], take, label, is_cover=True)
    return box


def _offers(full: EMPlacesTrace, now: EMPlacesTrace, trained: int, part: int, steps: int) -> tuple[Offer, ...]:
    """The offers for the chosen part, and for a class and a pose component that the user chooses here."""
    k = choose_class(full.classes, int(full.probabilities[trained - 1].argmax()), full.model)
    row, column = st.columns(2)
    with row:
        r = choose_number(4, "Row of the pose", "pose row")
    with column:
        c = choose_number(4, "Column of the pose", "pose column")
    share, name = float(now.parts_to_classes.coupling[trained - 1, part, k]), f"part {part + 1}"
    pose = ShiftPose(part, r, c, 0)
    poses = full.parts.capsules[trained - 1].reshape(-1, 4, 4)
    farthest = round(FARTHEST * float(poses[:, r, c].std()), 2) or 1.0  # the deviation is 0 if all poses are equal
    shift = Dosed(f"Pose of {name}, row {r + 1}, column {c + 1}", pose, (-farthest, farthest), dose_of(now, pose, 0.0))
    class_name = quote(full.classes[k])
    remove = Action(
        "Remove", DropCapsule(part, routing=0), "Its share of every place is 0; its score without them counts."
    )
    return (
        Offer(name.capitalize(), (remove,), doses=(shift,)),
        offer_share(SetCoupling(part, k, 0, routing=1), class_name, share, f"R_jk of {name} and {class_name}"),
        offer_all(steps, 0, "Pictures to parts"),
        offer_all(steps, 1, "Parts to classes"),
    )


def _note_on_toys(full: EMPlacesTrace) -> Callable[[EMPlacesTrace], str | None]:
    """A function that returns a sentence on the built-in toy with the nearest pose vectors, before and after edits."""

    def note(after: EMPlacesTrace) -> str | None:
        before, now = nearest_built_in_toy(full), nearest_built_in_toy(after)
        if before is None or now is None:
            return None
        return (
            f"Of the fifty built-in toys, {now[0]} has the nearest pose vectors (distance {now[1]:.2f}); "
            f"before, {before[0]} ({before[1]:.2f})."
        )

    return note
