"""Numbers of users, checked as the command line does."""

from __future__ import annotations

import math
import operator
from typing import Any

from ._engine import DEFAULT_NODES, LEAST_TIME, MAX_DEPTH, MAX_LINES


def whole(name: str, number: int, low: int, high: int) -> int:
    """A whole number in a range."""
    number = operator.index(number)
    if not low <= number <= high:
        raise ValueError(f"{name} {number} is not from {low} to {high}")
    return number


def elo(name: str, number: int | None) -> int | None:
    """A rating."""
    return None if number is None else whole(name, number, 1, 10_000)


def text(name: str, of: str | None) -> str | None:
    """A text, if one is given, without what is no character."""
    if of is not None and not isinstance(of, str):
        raise TypeError(f"{name} is {type(of).__name__}, not text")
    if of is not None:
        of.encode()
    return of


def limits(nodes: int | None, depth: int | None, time: float | None) -> dict[str, Any]:
    """The limits of a search; without any, that of the engine's nodes."""
    if time is not None and not LEAST_TIME <= time < math.inf:
        raise ValueError(f"time {time} is not a number of seconds from {LEAST_TIME}")
    if nodes is None and depth is None and time is None:
        nodes = DEFAULT_NODES
    return {
        "nodes": None if nodes is None else whole("nodes", nodes, 1, (1 << 64) - 1),
        "depth": None if depth is None else whole("depth", depth, 1, MAX_DEPTH),
        "time": None if time is None else float(time),
    }


def lines(number: int) -> dict[str, Any]:
    """The number of best lines."""
    return {"multipv": whole("multipv", number, 1, MAX_LINES)}
