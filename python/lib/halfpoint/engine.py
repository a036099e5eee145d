"""The engine."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Iterable, Union

from . import _engine
from .analysis import Analysis, Report, source, tell_faults
from .boards import Board, request
from .limits import flag, limits, lines, players, text, whole, wrong_type
from .positions import Move, Position, Wdl

if TYPE_CHECKING:
    import chess.pgn

Games = Union[str, "os.PathLike[str]", "chess.pgn.Game", Iterable["chess.pgn.Game"]]
"""Games: the text of a PGN file (or of a list of FEN or EPD), the path of such a file, also .gz and .zst, or games of
python-chess. A path is a `pathlib.Path`, not a string."""


class Engine:
    """An engine in this process. The interpreter's lock is released while it searches, and Ctrl-C ends a search.

    The same position with the same nodes or depth gives the same answer, whatever was searched before and with any number
    of threads. Several threads of Python may use one engine.

    Args:
        hash: transposition table of each search, MiB. It is cleared before each one, 1024 MiB in some 0.1 seconds.
        threads: how many games of an analysis are searched side by side; 0 for all processors.
        syzygy: folders of Syzygy endgame tables, separated as in PATH.

    Raises:
        MemoryError: there is no memory for the table.
    """

    def __init__(
        self, hash: int = 16, threads: int = 1, syzygy: str | os.PathLike[str] | None = None
    ) -> None:
        whole("hash", hash, 1, 1 << 20)
        whole("threads", threads, 0, 256)
        folders = None if syzygy is None else os.fspath(syzygy)
        self._arguments = (hash, threads, folders)
        self._engine = _engine.Engine(hash, threads or os.cpu_count() or 1, folders)
        tell_faults(self._engine, 2)

    def __reduce__(self) -> tuple[type[Engine], tuple[Any, ...]]:
        return type(self), self._arguments

    def __repr__(self) -> str:
        return "Engine(hash={}, threads={}, syzygy={!r})".format(*self._arguments)

    def position(
        self,
        board: Board,
        nodes: int | None = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        white_elo: int | None = None,
        black_elo: int | None = None,
        time_control: str | None = None,
        profile: str | None = None,
        chess960: bool = False,
    ) -> Position:
        """Searches a position.

        Args:
            board: a FEN, or a board of python-chess with its moves; without them if it was edited after one.
            nodes: most nodes; by default 100,000 if there is no other limit.
            depth: most plies.
            time: most seconds, besides those for clearing the table (see `hash`).
            multipv: number of best lines, up to 256.
            white_elo: rating of White; if one is missing, it is taken to be the other.
            black_elo: rating of Black.
            time_control: of their game: classical, rapid, blitz or bullet.
            profile: a profile by name, in place of ratings.
            chess960: whether a FEN is of Chess960; a board knows.

        Raises:
            ValueError: with what is wrong with the position or an argument, also for a board of another variant.
            TypeError: an argument is of the wrong type.
        """
        return self._answer(
            board,
            chess960,
            limits(nodes, depth, time) | lines(multipv),
            players(white_elo, black_elo, time_control, profile),
        )

    def wdl(
        self,
        board: Board,
        white_elo: int | None = None,
        black_elo: int | None = None,
        time_control: str | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        profile: str | None = None,
        chess960: bool = False,
    ) -> Wdl:
        """White's win, draw and loss for two players, per mille; without ratings, for players of the engine's strength.
        The arguments are those of `position`."""
        whom = players(white_elo, black_elo, time_control, profile)
        return Wdl(*self._answer(board, chess960, limits(nodes, depth, time), whom)["wdl"])

    def moves(
        self,
        board: Board,
        nodes: int | None = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        white_elo: int | None = None,
        black_elo: int | None = None,
        time_control: str | None = None,
        profile: str | None = None,
        chess960: bool = False,
    ) -> list[Move]:
        """All legal moves, best first, with what each loses against the best. The arguments are those of `position`; the
        nodes are those of all moves together, so that a list of 30 moves takes some 30 times as many as the best. There are
        none where the game is over or a draw may be claimed."""
        whom = players(white_elo, black_elo, time_control, profile)
        found = self._answer(board, chess960, limits(nodes, depth, time) | lines(_engine.MAX_LINES), whom)
        moves: list[Move] = []
        for line in found["lines"]:
            move: Move = {
                "uci": line["uci"].split()[0],
                "san": line["san"].split()[0],
                "wdl": line["wdl"],
                "lost": line["lost"],
                "line": line["uci"],
            }
            if "eval" in line:
                move["eval"] = line["eval"]
            else:
                move["mate"] = line["mate"]
            moves.append(move)
        return moves

    def analyse(
        self,
        games: Games,
        nodes: int | None = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        numbers: str | None = None,
        white_elo: int | None = None,
        black_elo: int | None = None,
        time_control: str | None = None,
        profile: str | None = None,
        clocks: bool = False,
        people: bool = False,
        thresholds: tuple[float, float, float] = (0.05, 0.08, 0.16),
        chess960: bool = False,
    ) -> Analysis:
        """Begins to analyse games as `halfpoint analyse` does: iterate over the `Analysis` for its progress, or ask it for
        the `Report`.

        Args:
            games: PGN as text, a path, or games of python-chess.
            nodes: most nodes for each position, as in `position`.
            depth: most plies.
            time: most seconds.
            multipv: number of best lines of each position, up to 256.
            numbers: which games: "1,4-6,10-"; by default all.
            white_elo: rating of White, in place of the game's.
            black_elo: rating of Black, in place of the game's.
            time_control: classical, rapid, blitz or bullet, in place of the game's.
            profile: a profile by name, in place of ratings.
            clocks: whether W/D/L of blitz and bullet games are by the clocks of the game, too.
            people: whether it is told of each position what people of the player's rating do there, and not of those before
                bad moves alone.
            thresholds: expected points from which on a move is an inaccuracy, a mistake, a blunder.
            chess960: accepts any castling rights in games without a tag that says Chess960.

        Raises:
            ValueError: there is nothing to read, or an argument is wrong.
            TypeError: an argument is of the wrong type.
            OSError: the file cannot be read.

        Warns:
            BrokenGameWarning: for each game that cannot be read; the others are analysed.
        """
        if not isinstance(thresholds, Iterable):
            raise wrong_type("thresholds", thresholds, "three numbers")
        pgn, path, title = source(games)
        task = limits(nodes, depth, time) | lines(multipv) | {
            "text": pgn,
            "path": path,
            "numbers": text("numbers", numbers),
            "chess960": flag("chess960", chess960),
            "clocks": flag("clocks", clocks),
            "people": flag("people", people),
            "thresholds": ",".join(map(str, thresholds)),
            "players": players(white_elo, black_elo, time_control, profile),
        }
        analysis = Analysis(self._engine.analyse(task), title)
        tell_faults(self._engine, 2)
        return analysis

    def report(self, games: Games, nodes: int | None = None, **arguments: Any) -> Report:
        """Analyses games to the end. The arguments are those of `analyse`."""
        return self.analyse(games, nodes, **arguments)._report(3)

    def _answer(
        self, board: Board, chess960: bool, search: dict[str, Any], whom: dict[str, Any]
    ) -> Position:
        names = {"white_elo": "whiteElo", "black_elo": "blackElo", "time_control": "timeControl"}
        fields = request(board, chess960) | search | {names.get(name, name): of for name, of in whom.items()}
        known = {name: field for name, field in fields.items() if field is not None}
        answer = json.loads(self._engine.answer(json.dumps(known)))
        tell_faults(self._engine, 3)
        if "error" in answer:
            raise ValueError(answer["error"])
        del answer["id"]
        return answer  # type: ignore[no-any-return]
