"""The engine's answers for programs that know python-chess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    import chess.engine


def as_info(position: Mapping[str, Any], line: int = 0) -> chess.engine.InfoDict:
    """A line of a position, from 0 for the best, as python-chess' `SimpleEngine.analyse` returns it: `score` is a
    `PovScore`, `wdl` a `PovWdl`, with `depth`, `nodes`, `multipv` and `pv`. It takes a `Position`, or a move out of
    `Report.games`.

    Raises:
        ImportError: python-chess is not installed.
        IndexError: there is no such line.
    """
    import chess
    import chess.engine

    if line < 0:
        raise IndexError(f"line {line} is below 0")
    info: chess.engine.InfoDict = {"depth": position["depth"], "nodes": position["nodes"], "multipv": line + 1}
    of: Mapping[str, Any] = position
    # A game that is over has no lines.
    if position["lines"] or line:
        of = position["lines"][line]
        info["pv"] = [chess.Move.from_uci(move) for move in of["uci"].split()]
    score: chess.engine.Score
    if "eval" in of:
        score = chess.engine.Cp(of["eval"])
    elif of["mate"] == 0 and of["wdl"][0] > 0:
        score = chess.engine.MateGiven
    else:
        score = chess.engine.Mate(of["mate"])
    info["score"] = chess.engine.PovScore(score, chess.WHITE)
    info["wdl"] = chess.engine.PovWdl(chess.engine.Wdl(*of["wdl"]), chess.WHITE)
    return info
