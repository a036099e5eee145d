"""Rows of tables out of the engine's JSON."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

_WDL = ("win", "draw", "loss")
_SIDES = ("white", "black")


def rows(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows for a table of pandas or polars out of moves or positions: what is inside another gets a name with a dot,
    `lost.total`, and win, draw and loss get a column each, `wdl.win`. Lists of lines are left out. All rows have all
    columns, in the same order."""
    flat = [_flat(item) for item in items]
    columns = dict.fromkeys(name for row in flat for name in row)
    return [{name: row.get(name) for name in columns} for row in flat]


def game_rows(game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each position of a game."""
    players = game["players"]
    shared: dict[str, Any] = {"number": game["number"]}
    shared |= {side: players[side]["name"] or None for side in _SIDES}
    shared |= {f"{side}.rating": players[side].get("rating") for side in _SIDES}
    shared |= {"result": game["result"]}
    sans, clocks = game["moves"].split(), game.get("clocks", [])
    black_first = game["initialFen"].split()[1] == "b"
    table = [shared | {"ply": 0, "turn": None, "san": None, "clock": None} | _position(game["start"])]
    for index, move in enumerate(game["analysis"]):
        own = {
            "ply": index + 1,
            "turn": _SIDES[(index + black_first) % 2],
            "san": sans[index],
            "clock": clocks[index] if clocks else None,
        }
        table.append(shared | own | _position(move))
    return table


def _position(position: Mapping[str, Any]) -> dict[str, Any]:
    flat = _flat(position)
    # For equals W/D/L are told where they are others.
    for column, default in zip(_of("equals"), _of("wdl")):
        flat.setdefault(column, flat[default])
    return {name: flat.get(name) for name in _COLUMNS}


def _of(name: str) -> list[str]:
    return [f"{name}.{result}" for result in _WDL]


_COLUMNS = [
    *("uci", "eval", "mate", "depth", "nodes", "looks"),
    *_of("wdl"),
    *_of("equals"),
    *_of("nominal"),
    *("expected", "sharpness", "best", "variation"),
    *(f"judgment.{name}" for name in ("name", "what", "people", "comment")),
    *("lost.total", "lost.winToDraw", "lost.drawToLoss", "lost.winToLoss", "only", "kept", "sacrifice", "accuracy"),
    *(f"people.{name}" for name in ("elo", "mistake", "blunder", "expectedLoss", "played", "best", "withinReach")),
    "people.practical",
]


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in item.items():
        if name in ("wdl", "equals", "nominal"):
            flat.update(zip(_of(name), value))
        elif isinstance(value, Mapping):
            flat.update({f"{name}.{inner}": number for inner, number in _flat(value).items()})
        elif not isinstance(value, list):
            flat[name] = value
    return flat
