"""Two EM routings over a pair of pictures: from detected parts to part capsules, and from these to kinds of toy."""

from pathlib import Path

from dashboard.pages.smallnorb import readable, routed, toys, turning, what_if
from dashboard.pages.smallnorb.direction import draw_toy
from dashboard.pages.smallnorb.networks import choose_networks
from dashboard.pages.smallnorb.picks import pick
from dashboard.pages.smallnorb.several import draw_toys
from dashboard.pages.smallnorb.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE, TITLE
from dashboard.pages.smallnorb.uploads import draw_reading
from dashboard.pages.smallnorb.views import draw_scrubbers, draw_strip
from dashboard.runs import checkpoints
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import choose_iterations
from dashboard.screen.outputs import draw_formula, draw_limits
from dashboard.screen.settings import choose_device
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen(TITLE, QUESTION, Path(__file__).parent)
    device, (name, *others) = choose_device(), choose_networks()
    trained = checkpoints.about(name).model["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained)
    with screen.input:
        views, k = toys.choose_views()
    verdict, toy, strip = screen.verdict.columns([14, 7, 5] if others else [9, 7, 9], gap="medium")
    with toy:
        seen = draw_toy(views, k)
    with screen.input:
        capsules = turning.run_network(name, device, views)
        full_traces = routed.run_networks([name, *others], device, seen.pair)
        draw_reading(views, k, name, device)
    traces, shown = [full.first(n_iters) for full in full_traces], Shown()
    trace, turn = traces[0], turning.make_turn(capsules, views, traces[0].classes)
    subject = f"{name} {seen.digest}"
    sections = {
        "One part": lambda *_: routed.draw_part(shown, trace),
        "Turning": lambda picked, _: turning.draw_against_first(shown, name, turn, picked.quantity),
        "Plane": lambda *_: turning.draw_plane(shown, turn),
        "Toys": lambda *_: draw_toys(shown, name, device, views),
        "Iterations": lambda *_: routed.draw_progress(shown, trace),
        "What if": lambda picked, over: what_if.draw(name, device, seen, n_iters, full_traces[0], picked.part, over),
        "Does it hold?": lambda *_: draw_does_it_hold(shown, name, device, seen.pair),
        "Measured": lambda picked, _: readable.draw_measured(shown, name, picked.method),
        "Formula": lambda *_: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda *_: shown.draw_tables([trace]),
    }
    with screen.tabs:
        tabs = make_tabs(*sections)
        picked = pick(tabs, name, full_traces[0].first(trained), turn, subject)
    with screen.scrubber:
        draw_scrubbers(shown, n_iters, len(views.pictures), picked.part)
    with verdict:
        routed.draw_classes(shown, traces, trained)
    draw_strip(shown, views, strip)
    with screen.picture:
        overlay = routed.draw_finding(shown, trace, picked.part, subject)
    places, space = screen.picture.columns([2, 3], gap="medium")
    with places:
        routed.draw_overlay(shown, trace, seen.pair[0], overlay)
    with space:
        turning.draw_space(shown, turn, readable.describe_poses(name))
    with places if turn else space:  # whichever has room
        routed.draw_caption(trace, views, seen.name)
    routed.add_tables(shown, trace, picked.part)
    turning.add_tables(shown, turn, capsules, views, trace.classes)
    readable.add_table(shown, name)
    draw_open_tab(tabs, sections, picked, overlay)
    draw_limits(screen.limits, NOT_SHOWN.format(trained=trained, **trace.centres))
    with screen.actions:
        routed.draw_pin(name)
        draw_export_menu(shown, TITLE, [trace], seen.sample, n_iters, overlay.code)


page()
