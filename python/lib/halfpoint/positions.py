"""What the engine says of positions: dictionaries with the names of its JSON."""

from __future__ import annotations

from typing import NamedTuple, TypedDict


class Wdl(NamedTuple):
    """Win, draw and loss of White, per mille."""

    win: int
    draw: int
    loss: int

    @property
    def expected(self) -> float:
        """Expected points of White, from 0 to 1."""
        return (self.win + self.draw / 2) / 1000


class Loss(TypedDict):
    """Expected points that a move lost, and between which results they went."""

    total: float
    winToDraw: float
    drawToLoss: float
    winToLoss: float


class _Score(TypedDict, total=False):
    """Either of both."""

    eval: int
    """Centipawns, for White."""
    mate: int
    """Moves to mate, negative if Black mates; 0 on the board."""


class _Views(_Score, total=False):
    equals: list[int]
    """As `wdl`, for equal players at the mean rating; missing where it is the same."""
    nominal: list[int]
    """As `wdl`, in games of the engine's own."""


class Line(_Views):
    """A line of best play."""

    wdl: list[int]
    """White's win, draw and loss for the two players, per mille."""
    lost: Loss
    """What its first move loses, between equals at the rating of the player to move."""
    uci: str
    """The moves, between blanks."""
    san: str
    """The moves, between blanks."""


class Move(_Score):
    """A legal move."""

    uci: str
    san: str
    wdl: list[int]
    """White's win, draw and loss for the two players after it, per mille."""
    lost: Loss
    """What it loses, between equals at the rating of the player to move."""
    line: str
    """The line that it begins, in UCI notation."""


class _Position(_Views):
    fen: str
    wdlFor: str
    """Whom `wdl` is for, in words."""
    depth: int
    """Plies; 0 if the game is over."""
    nodes: int
    wdl: list[int]
    """White's win, draw and loss for the two players, per mille."""
    expected: float
    """Expected points of White for the two players."""
    sharpness: float
    """How sharp it is, from 0 to 10."""
    lines: list[Line]
    """Best first; empty if the game is over."""


class Position(_Position, total=False):
    """A position with what a search says of it."""

    best: str
    """The best move in UCI notation; missing if the game is over."""
