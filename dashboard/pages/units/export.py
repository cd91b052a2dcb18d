"""The export menu: the open unit, all units, or what the open tab draws, and the numbers of all units."""

from itertools import chain

from dashboard.pages.units.texts import MEASURED, NOT_CITED, OPEN_TAB
from dashboard.runs import checkpoints
from dashboard.runs.units import Units
from dashboard.screen.export import draw_menu
from dashboard.screen.export_files import no_files
from dashboard.screen.shown import Picture, Shown


def draw_export(shown: Shown, units: Units) -> None:
    """Draw the export menu, after everything else is drawn."""
    of_units = set(chain(*(picture.titles for picture in shown.pictures.values())))
    if of_tab := [title for title in shown.figures if title not in of_units]:
        shown.pictures[OPEN_TAB] = Picture(of_tab, MEASURED.format(data=units.data))
    shown.add_table("units", units.table)
    shown.add_table("effects", units.effects)
    title, numbers = f"Units of {checkpoints.title(units.name)}", [("units", shown.tables, no_files)]
    draw_menu(shown, title, numbers, not_shown=NOT_CITED, network=units.name)
