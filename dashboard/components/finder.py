"""The answer to which unit takes a word most, which the browser gives while the user types."""

from dashboard.components.component import Component

_finder = Component("finder")


def finder(key: str, box: str, says: str, table: str, unit: str, input: str, least: int) -> None:
    """Draw the sentence that answers what was asked, until the user types into the box.

    Args:
        key: key of the component.
        box: key of the text box.
        says: sentence on what was asked; "" if nothing was.
        table: table of ``core.sentences.unit_finder.as_lines``.
        unit: unit in the singular, such as "capsule".
        input: an input of the network in the singular, such as "word".
        least: number of occurrences from which a word is in the table.
    """
    _finder(key=key, data={"box": box, "says": says, "table": table, "unit": unit, "input": input, "least": least})
