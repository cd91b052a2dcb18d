"""The export menu: the open unit, all units, or what the open tab draws, and the numbers of all units."""

from itertools import chain

from dashboard.pages.units.texts import CITED, NOT_CITED, OPEN_TAB
from dashboard.runs import checkpoints
from dashboard.runs.units import Units
from dashboard.screen.citation import MeasuredPicture
from dashboard.screen.export import draw_menu
from dashboard.screen.export_files import no_files
from dashboard.screen.shown import Shown


def draw_export(shown: Shown, units: Units) -> None:
    """Draw the export menu, after everything else is drawn."""
    of_units = set(chain(*shown.pictures.values()))
    if of_tab := [title for title in shown.figures if title not in of_units]:
        shown.pictures[OPEN_TAB] = of_tab
    shown.add_table("units", units.table)
    shown.add_table("effects", units.effects)
    says = CITED.format(unit=units.unit, input=units.input, sample=units.sample, data=units.data)
    title, numbers = f"Units of {checkpoints.title(units.name)}", [("units", shown.tables, no_files)]
    draw_menu(shown, title, numbers, not_shown=NOT_CITED, measured=MeasuredPicture(units.name, says))
