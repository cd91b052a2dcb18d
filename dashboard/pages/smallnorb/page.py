"""Two EM routings over a pair of pictures: from detected parts to part capsules, and from these to kinds of toy."""

from pathlib import Path

from dashboard.pages.smallnorb import readable, routed, toys, trainings, turning, what_if
from dashboard.pages.smallnorb.networks import choose_network, choose_other_network, draw_card, draw_limits
from dashboard.pages.smallnorb.ring import describe_turning, draw_names, draw_poses, with_edits
from dashboard.pages.smallnorb.several import draw_toys
from dashboard.pages.smallnorb.surface import draw_surface
from dashboard.pages.smallnorb.texts import FORMULA, QUESTION, SOURCE, TITLE, TO_RUN
from dashboard.pages.smallnorb.uploads import draw_reading
from dashboard.pages.smallnorb.views import draw_scrubbers, draw_strip
from dashboard.runs import checkpoints
from dashboard.screen.inputs import choose_iterations, choose_part
from dashboard.screen.outputs import draw_formula
from dashboard.screen.settings import choose_device
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_frame, draw_open_tab, make_tabs


def page() -> None:
    screen, device = draw_frame(TITLE, QUESTION, Path(__file__).parent, ""), choose_device()
    with screen.network:
        name = choose_network()
    trained = checkpoints.about(name).model["n_iters"]
    with screen.controls:
        n_iters, others = choose_iterations(trained, label=TO_RUN), choose_other_network(name)
        with_trainings = trainings.choose_trainings(name)
    with screen.input:
        views, seen = toys.choose_toy()
        capsules = [turning.run_network(network, device, views.pictures.images) for network in (name, *others)]
        full, *rest = routed.run_networks([name, *others], device, seen.pair)
        draw_reading(views, seen.view, name, device)
    with screen.inspector:
        part = choose_part(full.first(trained), f"{name} {seen.digest}")
    change = what_if.change(screen, name, device, seen, n_iters, full)
    traces, shown = [trace.first(n_iters) for trace in (change.after, *rest)], Shown()
    trace, turns = traces[0], turning.turns_of([name, *others], device, views, seen, full.classes)
    turn, turns_of_others = with_edits(turns[name], change, seen, trained), {other: turns[other] for other in others}
    with screen.scrubber:
        draw_scrubbers(shown, n_iters, views, seen.view, part, trained)
    with screen.verdict:
        routed.draw_classes(shown, traces, trained, change, capsules, views, seen)
    with screen.picture:
        describe_turning(shown, name, turn, turns_of_others)
        more = trainings.describe_trainings(shown, name, device, turn) if with_trainings else []
        routed.draw_finding(shown, trace, change, part)
        poses = draw_poses(shown, name, turn, turns_of_others, more) if turn else None
        with poses or draw_names(views, capsules[0], full.classes):
            overlay = routed.choose_overlay(trace, part, f"{name} {seen.digest}")
            routed.draw_overlay(shown, trace, seen.pair[0], overlay)
    screen.picture.caption(routed.caption(trace, views, seen.name))
    draw_strip(shown, views, screen.tabs)
    routed.add_tables(shown, trace, part)
    turning.add_tables(shown, turn, capsules[0], views, trace.classes)
    readable.add_table(shown, name)
    what_if.inspect(screen, shown, name, device, seen, change, part)
    sections = {  # the first is drawn when the page opens, so it is a light one
        "Iterations": lambda: routed.draw_progress(shown, trace),
        "Turning": lambda: turning.draw_against_first(shown, name, turn, turning.choose_quantity(turn)),
        "All directions": lambda: draw_surface(shown, [name, *others], device, views, seen),
        "In space": lambda: turning.draw_space(shown, turn, readable.describe_poses(name)),
        "Plane": lambda: turning.draw_plane(shown, turn),
        "Toys": lambda: draw_toys(shown, name, device, views),
        "One part": lambda: routed.draw_part(shown, trace),
        "Measured": lambda: readable.draw_measured(shown, name, readable.choose_method(name)),
        "Card": lambda: draw_card(name),
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    draw_limits(screen.limits, trace, name)
    with screen.actions:
        routed.draw_actions(shown, trace, seen, overlay)


page()
