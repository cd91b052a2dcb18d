"""Offers of edits for two EM routings of a pair of pictures, and a cover for a part of the pictures."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from core.edits import SetCoupling, ShiftPose
from core.sentences.words import capital, quote
from core.traces.em import EMPlacesTrace
from dashboard.components.pictures import crop
from dashboard.figures.pictures import png
from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.parts import draw_parts
from dashboard.pages.smallnorb.routed import draw_cell, switch_off
from dashboard.runs import checkpoints
from dashboard.runs.picture_edits import Box, PictureRun, cover, nearest_built_in_toy
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.inputs import choose_class, choose_number
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import Frame
from dashboard.screen.unit_link import draw_meaning, name_unit
from dashboard.whatif.change import Change, change_run
from dashboard.whatif.change_it import draw_change_it
from dashboard.whatif.chips import draw_chips
from dashboard.whatif.inspector import CHANGE, TEST, THIS, draw_inspector
from dashboard.whatif.offers import Action, Dosed, Offer, Subject, dose_of, offer_all, offer_share

FIRST_BOX: Box = (40, 60, 40, 60)  # a fifth of each side, in the middle
COVERED = "A square of the pictures is covered"  # as a chip, like an edit
COVER_KEY = "cover"  # entry of the address with the cover's left, right, upper and lower edge, in percent
FARTHEST = 3.0  # standard deviations by which a pose component can be changed at most


def change(screen: Frame, name: str, device: str, routed: RoutedPair, steps: int, full: EMPlacesTrace) -> Change:
    """Apply the user's edits and their cover to a run, and draw the edits above the picture.

    Args:
        screen: places of the page.
        name, device: name and device of the checkpoint.
        routed: pair to route.
        steps: number of iterations to show.
        full: trace with all iterations.
    """
    box = _cover_in_address()
    pair = routed.pair if box is None else cover(routed.pair, box)
    run = PictureRun(name, device, pair, routed.sample if box is None else None, steps)
    changed = change_run(run, full, is_same=box is None)
    with screen.chips:
        if box is not None:
            st.button(f"{COVERED} :material/close:", key="uncover", help="Show the whole pictures.", on_click=_uncover)
        draw_chips(changed)
    return changed


def _uncover() -> None:
    """Take the cover away."""
    st.query_params.pop(COVER_KEY, None)
    st.session_state.covers = False


def inspect(
    screen: Frame, shown: Shown, name: str, device: str, routed: RoutedPair, changed: Change, part: int
) -> None:
    """Draw the inspector.

    Args:
        screen: places of the page.
        shown: record of the page.
        name, device: name and device of the checkpoint.
        routed: pair to route.
        changed: run on screen.
        part: index of the chosen part.
    """
    trained, steps = checkpoints.about(name).model["n_iters"], changed.run.n_iters or changed.before.n_steps

    def offers(now: EMPlacesTrace) -> tuple[Offer, ...]:
        return _offers(changed.before, now, trained, part, steps)

    def draw_changes() -> None:
        draw_parts(shown, changed, trained)
        draw_change_it(Subject(steps, offers, note=_note_on_toys(changed.before)), changed)
        _choose_cover(routed)

    sections = {
        THIS: lambda: (draw_meaning(name, part + 1), draw_cell(changed.after.first(steps), part)),
        CHANGE: draw_changes,
        TEST: lambda: draw_does_it_hold(shown, name, device, routed.pair),
    }
    draw_inspector(screen, sections)


def _cover_in_address() -> Box | None:
    """The cover in the address; None if there is none."""
    match = re.fullmatch(r"(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3})", st.query_params.get(COVER_KEY, ""))
    if not match:
        return FIRST_BOX if COVER_KEY in st.query_params else None
    left, right, top, bottom = (min(100, int(edge)) for edge in match.groups())
    return (left, right, top, bottom) if left < right and top < bottom else FIRST_BOX


def _choose_cover(routed: RoutedPair) -> None:
    """Let the user cover a part of the pictures. The address has the cover."""
    box = _cover_in_address()

    def take(edges: Sequence[int]) -> None:
        st.query_params[COVER_KEY] = ",".join(map(str, edges))

    def switch() -> None:
        if st.session_state.covers:
            take(FIRST_BOX)
        else:
            _uncover()

    st.toggle("Cover a square of the pictures", box is not None, key="covers", on_change=switch)
    if box is not None:
        label = "What is covered, in mean grey. Arrow keys move it, Shift and arrow keys change its size."
        crop("cover", png(routed.pair[0]), box[:2], box[2:], take, label, is_cover=True)
        st.caption("Drag the square, or one of its corners.")


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
    off = Action("Switch off", switch_off(part), "No place can send anything to this part.")
    return (
        Offer(capital(name_unit(full.model, part + 1, "part")), (off,), doses=(shift,)),
        offer_share(SetCoupling(part, k, 0, routing=1), f"{name} → {quote(full.classes[k])}", share, trained),
        offer_all(steps, 0, "Shares, pictures to parts: replace by"),
        offer_all(steps, 1, "Shares, parts to classes: replace by"),
    )


def _note_on_toys(full: EMPlacesTrace) -> Callable[[EMPlacesTrace], str | None]:
    """A function that returns a sentence on the built-in toy with the nearest pose vectors, before and after edits."""

    def note(after: EMPlacesTrace) -> str | None:
        before, now = nearest_built_in_toy(full), nearest_built_in_toy(after)
        if before is None or now is None:
            return None
        return (
            f"Of the fifty built-in toys, {now[0]} has the nearest pose vectors (distance {now[1]:.2f}). "
            f"Before the edits, it was {before[0]} (distance {before[1]:.2f})."
        )

    return note
