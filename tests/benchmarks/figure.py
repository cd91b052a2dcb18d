"""One measured figure and the bar that it is held to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    name: str
    measured: float
    bar: float
    unit: str
    at_least: bool = False  # whether more is better

    @property
    def of_bar(self) -> float:
        """Share of the bar that is used up; above 1 it is broken."""
        if self.at_least:
            return self.bar / self.measured
        return self.measured / self.bar if self.bar else float(self.measured > 0) * 2
