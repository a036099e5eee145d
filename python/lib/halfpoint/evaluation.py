"""Positions without a search."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, TypedDict

from . import _engine
from .boards import Board, fen, is_chess960
from .limits import flag, players, whole, wrong_type


class Evaluation(TypedDict):
    """The evaluation of a position, as `halfpoint eval --json` prints it. Numbers are from White's point of view."""

    schema: int
    fen: str
    turn: str
    """white or black."""
    phase: int
    """Game phase, 0 with kings and pawns alone."""
    wilo: float
    """Who wins, if somebody wins: pawns."""
    draw: float
    """Whether it is drawn: a logit."""
    wdl: list[int]
    """Win, draw and loss of the draw model, per mille; `printed` has those that are fitted to games."""
    expected: float
    eval: float
    """Centipawns."""
    printed: dict[str, Any]
    """`score` and `wdl` that a search of one node prints, for the side to move."""
    terms: list[dict[str, Any]]
    """Each with its name, what it adds to `wilo` and `draw`, and by how much it `moves` win, draw and loss."""
    pieces: list[dict[str, Any]]
    """What each piece is worth."""
    units: list[dict[str, Any]]
    """Units of a network that matter most, with what each piece adds to them in both views; none without a network."""
    notes: list[str]
    """What a search does with the position in place of its evaluation."""


def evaluate(board: Board, *, chess960: bool = False) -> Evaluation:
    """The evaluation of a position, term by term.

    Raises:
        ValueError: with what is wrong with the position, also for a board of another variant.
        TypeError: the board is neither a FEN nor a `chess.Board`.
    """
    return json.loads(_engine.evaluate(fen(board), is_chess960(board, chess960)))  # type: ignore[no-any-return]


def static_wdl(
    boards: Iterable[Board],
    white_elo: int | None = None,
    black_elo: int | None = None,
    time_control: str | None = None,
    *,
    profile: str | None = None,
    threads: int = 1,
    chess960: bool = False,
) -> memoryview:
    """White's win, draw and loss of many positions by their evaluation alone, per mille. Without a search it does not see
    what the next move takes, so it is for quiet positions.

    Args:
        boards: FENs or boards of python-chess; a list of FENs is fastest.
        white_elo: as in `Engine.position`, for all of them.
        black_elo: likewise.
        time_control: likewise.
        profile: likewise.
        threads: how many of them compute; 0 for all processors.
        chess960: whether the FENs are of Chess960; boards say it themselves.

    Returns:
        An array of three unsigned numbers of 16 bits for each position: `numpy.asarray` takes it without a copy, `tolist`
        makes lists of it.

    Raises:
        ValueError: with the number of a position, from 0, and what is wrong with it, or with an argument.
        TypeError: one of them is of the wrong type.
    """
    if isinstance(boards, str) or not isinstance(boards, Iterable):
        raise wrong_type("boards", boards, "a list of boards")
    boards = list(boards)
    chess960 = flag("chess960", chess960) or any(getattr(board, "chess960", False) for board in boards)
    fens = []
    for number, board in enumerate(boards):
        try:
            fens.append(fen(board))
        except (TypeError, ValueError) as error:
            raise type(error)(f"position {number}: {error}") from None
    whom = players(white_elo, black_elo, time_control, profile)
    threads = whole("threads", threads, 0, 256) or os.cpu_count() or 1
    numbers = _engine.static_wdl(fens, chess960, whom, threads)
    if not fens:
        # A view of several dimensions cannot be empty.
        return memoryview(numbers).cast("H")
    return memoryview(numbers).cast("B").cast("H", shape=[len(fens), 3])
