"""A measured figure with its goal, and the table that they make."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Parameters
    ----------
    what : str
        What was measured.
    figures : str
        The absolute figures, which belong to this machine.
    value : float
        What is compared with the goal: a ratio wherever there is something to compare with.
    goal : float
    unit : str
        "x" for a ratio, else the unit of `value` and `goal`.
    at_most : bool
        The goal is an upper limit.
    """

    what: str
    figures: str
    value: float
    goal: float
    unit: str = "x"
    at_most: bool = False

    @property
    def holds(self) -> bool:
        """Whether the goal is reached."""
        return self.value <= self.goal if self.at_most else self.value >= self.goal


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | figures | measured | goal | |", "|---|---|---|---|---|"]
    for row in rows:
        sign = "\N{LESS-THAN OR EQUAL TO}" if row.at_most else "\N{GREATER-THAN OR EQUAL TO}"
        verdict = "holds" if row.holds else "missed"
        measured, goal = (f"{number:.3g} {row.unit}" for number in (row.value, row.goal))
        lines.append(f"| {row.what} | {row.figures} | {measured} | {sign} {goal} | {verdict} |")
    return "\n".join(lines)


def in_turn(work: Mapping[Key, Callable[[], float]], rounds: int, warmup: int = 1) -> dict[Key, list[float]]:
    """Do every piece of work once a round, in turn, and return what each returned, by round.

    Whatever else the machine is doing then hits all of them alike. Every second round goes the other way round: the
    one that runs first may find a cooler processor, the last one a warmer cache.
    """
    found: dict[Key, list[float]] = {key: [] for key in work}
    for number in range(warmup + rounds):
        order = list(work.items())
        for key, piece in order if number % 2 else order[::-1]:
            value = piece()
            if number >= warmup:
                found[key].append(value)
    return found


def median_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> float:
    """Return the median of the ratios of the rounds."""
    return statistics.median(a / b for a, b in zip(numerators, denominators, strict=True))
