"""Halfpoint, a chess engine that thinks in win, draw and loss.

    import halfpoint

    engine = halfpoint.Engine()
    print(engine.wdl("6k1/5p2/4p1p1/1b5p/3B1P1P/4P1P1/1P3K2/8 w - - 0 1", white_elo=1500, black_elo=1800))

A board is a FEN or python-chess' `chess.Board`, with its moves. Numbers are from White's point of view, per mille or
centipawns; names are those of the JSON of `halfpoint analyse`. Bad input is a `ValueError` with the engine's text.
"""

from ._engine import DEFAULT_NODES, VERSION
from .analysis import Analysis, BrokenGameWarning, Progress, Report
from .boards import Board
from .engine import Engine
from .evaluation import Evaluation, evaluate, static_wdl
from .info import as_info
from .positions import Line, Loss, Move, Position, Wdl
from .tables import rows

__version__ = VERSION

__all__ = [
    "DEFAULT_NODES",
    "Analysis",
    "Board",
    "BrokenGameWarning",
    "Engine",
    "Evaluation",
    "Line",
    "Loss",
    "Move",
    "Position",
    "Progress",
    "Report",
    "Wdl",
    "as_info",
    "evaluate",
    "rows",
    "static_wdl",
]
