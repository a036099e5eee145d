"""Arguments of users, checked as the command line does."""

from __future__ import annotations

import math
import operator
import reprlib
import sys
from typing import Any, SupportsFloat

from ._engine import DEFAULT_NODES, LEAST_TIME, MAX_DEPTH, MAX_LINES

_short = reprlib.Repr()
_short.maxstring = 100


def quoted(of: object) -> str:
    """A value in a message: on one line and cut."""
    return _short.repr(of)


def wrong_type(name: str, of: object, expected: str) -> TypeError:
    """The error that an argument is of another type than expected."""
    return TypeError(f"{name} is {type(of).__name__}, not {expected}")


def whole(name: str, number: int, low: int, high: int) -> int:
    """A whole number in a range."""
    try:
        number = operator.index(number)
    except TypeError:
        raise wrong_type(name, number, "a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name} {quoted(number)} is not from {low} to {high}")
    return number


def flag(name: str, of: bool) -> bool:
    """True or False."""
    if not isinstance(of, bool):
        raise wrong_type(name, of, "True or False")
    return of


def text(name: str, of: str | None) -> str | None:
    """A text, if one is given, without what is no character."""
    if of is not None and not isinstance(of, str):
        raise wrong_type(name, of, "text")
    if of is not None:
        of.encode()
    return of


def players(
    white_elo: int | None, black_elo: int | None, time_control: str | None, profile: str | None
) -> dict[str, Any]:
    """Whom W/D/L are for."""
    ratings = {"white_elo": white_elo, "black_elo": black_elo}
    names = {"time_control": time_control, "profile": profile}
    return {
        **{name: None if elo is None else whole(name, elo, 1, 10_000) for name, elo in ratings.items()},
        **{name: text(name, of) for name, of in names.items()},
    }


def limits(nodes: int | None, depth: int | None, time: float | None) -> dict[str, Any]:
    """The limits of a search; without any, that of the engine's nodes."""
    if time is not None and not isinstance(time, SupportsFloat):
        raise wrong_type("time", time, "a number of seconds")
    seconds = None
    if time is not None:
        # Before it is compared: numpy's numbers of 32 bits do not compare with the largest of 64.
        try:
            seconds = float(time)
        except OverflowError:
            seconds = math.inf
    if seconds is not None and not LEAST_TIME <= seconds <= sys.float_info.max:
        raise ValueError(f"time {quoted(time)} is not a number of seconds from {LEAST_TIME}")
    if nodes is None and depth is None and time is None:
        nodes = DEFAULT_NODES
    return {
        "nodes": None if nodes is None else whole("nodes", nodes, 1, (1 << 64) - 1),
        "depth": None if depth is None else whole("depth", depth, 1, MAX_DEPTH),
        "time": seconds,
    }


def lines(number: int) -> dict[str, Any]:
    """The number of best lines."""
    return {"multipv": whole("multipv", number, 1, MAX_LINES)}
