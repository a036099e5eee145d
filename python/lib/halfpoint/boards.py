"""Boards of users for the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from .limits import flag, quoted, wrong_type

if TYPE_CHECKING:
    import chess

Board = Union[str, "chess.Board"]
"""A position: a FEN, or python-chess' board with the moves that led there. White space around and between the fields of a
FEN does not matter. Variants other than Chess960 are a `ValueError`."""


def request(board: Board, chess960: bool) -> dict[str, Any]:
    """The fields of a request that say which position is meant. A board knows itself whether it is of Chess960."""
    fields: dict[str, Any] = {"fen": fen(board), "chess960": is_chess960(board, chess960)}
    if not isinstance(board, str) and _is_reached_by_moves(board):
        fields |= {"fen": board.root().fen(), "moves": [move.uci() for move in board.move_stack]}
    return fields


def fen(board: Board) -> str:
    """The FEN of a board."""
    if isinstance(board, str):
        if not board.isprintable():
            # The engine splits at blanks alone; lines of a file end with a newline, and some have tabs between fields.
            board = " ".join(board.split())
            if not board.isprintable():
                raise ValueError(f"malformed FEN {quoted(board)}: characters that cannot be printed")
        return board
    if not hasattr(board, "move_stack"):
        raise wrong_type("board", board, "a FEN or a chess.Board")
    if board.uci_variant != "chess":
        raise ValueError(f"the variant '{board.aliases[0]}' is not known")
    return board.fen()


def is_chess960(board: Board, chess960: bool) -> bool:
    """Whether castling is that of Chess960."""
    return flag("chess960", chess960) if isinstance(board, str) else board.chess960


def _is_reached_by_moves(board: chess.Board) -> bool:
    """Whether the board's moves lead to it. Null moves are illegal to the engine, and a board may be edited after a move."""
    played = board.root()
    for move in board.move_stack:
        if not played.is_legal(move):
            return False
        played.push(move)
    return played == board
