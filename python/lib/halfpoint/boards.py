"""Boards of users for the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import chess

Board = Union[str, "chess.Board"]
"""A position: a FEN, or python-chess' board with the moves that led there."""


def request(board: Board, chess960: bool) -> dict[str, Any]:
    """The fields of a request that say which position is meant. A board knows itself whether it is of Chess960."""
    if isinstance(board, str):
        return {"fen": board, "chess960": chess960}
    moves = board.move_stack
    if all(moves):
        return {"fen": board.root().fen(), "moves": [move.uci() for move in moves], "chess960": board.chess960}
    # A null move is none to the engine; what was before it cannot be repeated.
    return {"fen": board.fen(), "chess960": board.chess960}


def fen(board: Board) -> str:
    """The FEN of a board."""
    return board if isinstance(board, str) else board.fen()


def is_chess960(board: Board, chess960: bool) -> bool:
    """Whether castling is that of Chess960."""
    return chess960 if isinstance(board, str) else board.chess960
