"""Games in analysis, and their reports."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple

from . import _engine
from .limits import quoted, text, wrong_type
from .tables import game_rows

if TYPE_CHECKING:
    from .engine import Games


class BrokenGameWarning(UserWarning):
    """A game or position that cannot be read, and where."""


def tell_faults(of: _engine.Engine | _engine.Run, level: int) -> None:
    """Warns of what was found wrong with the endgame tables; `level` is 1 for the caller, 2 for its caller."""
    for fault in of.table_faults():
        warnings.warn(fault, RuntimeWarning, stacklevel=level + 1)


class Progress(NamedTuple):
    """How far an analysis is."""

    done: int
    """Positions that were searched."""
    positions: int
    """All positions."""


class Analysis(Iterator[Progress]):
    """Games in analysis. It is an iterator over its progress:

        for progress in engine.analyse(pgn):
            print(progress.done, "of", progress.positions)

    The searches begin with the first step, run on threads of their own, and end with `stop`, Ctrl-C or the last
    reference to the object. Another step goes on with what is left. In a `with` statement it is stopped at the end.
    """

    def __init__(self, run: _engine.Run, title: str) -> None:
        self._run = run
        self._title = title
        self.faults: list[str] = run.faults
        """What could not be read, and where."""
        self.warnings: list[str] = run.warnings
        """What was read though something is wrong with it, and where."""
        for fault in self.faults:
            warnings.warn(fault, BrokenGameWarning, stacklevel=3)

    def __next__(self) -> Progress:
        progress = self._step(3)
        if progress is None:
            raise StopIteration
        return progress

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops the searches, also from a handler of signals or another thread; a step that waits for them ends its
        iteration."""
        self._run.stop()

    def report(self) -> Report:
        """Searches what is left, and reports.

        Raises:
            RuntimeError: the searches were stopped meanwhile.
        """
        return self._report(3)

    def _report(self, level: int) -> Report:
        while self._step(level + 1):
            pass
        return Report(self._run, self._title)

    def _step(self, level: int) -> Progress | None:
        progress = self._run.next()
        tell_faults(self._run, level)
        return None if progress is None else Progress(*progress)


class Report:
    """The report of games. `games` are the objects of `halfpoint analyse --json`; docs/analysis.md lists their fields."""

    def __init__(self, run: _engine.Run, title: str) -> None:
        self._run = run
        self._title = title
        self._lines = run.json()
        self.games: list[dict[str, Any]] = [json.loads(line) for line in self._lines]
        """A dictionary for each game."""
        self.faults: list[str] = run.faults
        """What could not be read, and where."""
        self.warnings: list[str] = run.warnings
        """What was read though something is wrong with it, and where."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each position of each game, for a table of pandas or polars. All rows have all columns.

        Of the game there are `number`, `white`, `black`, `white.rating`, `black.rating` and `result`; of the position `ply`,
        0 before the first move, `turn` and `san` of the move that led there, and `clock`, which it left, in hundredths of a
        second. The others are the fields of positions and moves in the JSON, with a dot for what is inside another, as in
        `judgment.name`, and a column for each of win, draw and loss, as in `wdl.win`. The lists `lines` and
        `judgment.causes` are left out."""
        return [row for game in self.games for row in game_rows(game)]

    def html(self) -> str:
        """The page: one file that needs nothing else."""
        return self._run.html(self._title)

    def pgn(self) -> str:
        """The games, annotated."""
        return self._run.pgn()

    def json(self) -> str:
        """A JSON object for each game, one a line."""
        return "".join(self._lines)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the report as `html`, `pgn` or `json`; without a format, by the ending of the file's name. The file
        appears when it is complete, in place of one that was there, whose permissions it gets. A link stays.

        Raises:
            ValueError: the format is none of these.
            OSError: the file cannot be written.
        """
        path = pathlib.Path(path)
        forms = {"html": self.html, "pgn": self.pgn, "json": self.json}
        format = format or path.suffix[1:].lower()
        if format not in forms:
            raise ValueError(f"{quoted(format)} is none of html, pgn and json")
        text = forms[format]()
        try:
            _write(path, text)
        except OSError as error:
            # It may name a temporary file.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _write(path: pathlib.Path, text: str) -> None:
    if path.exists() and not path.is_file():
        # A pipe or a device.
        path.write_text(text, encoding="utf-8", newline="")
        return
    target = pathlib.Path(os.path.realpath(path))
    # A temporary file would be for its owner alone; one in a temporary folder has the permissions of any new file.
    with tempfile.TemporaryDirectory(prefix=".", dir=target.parent) as folder:
        new = pathlib.Path(folder, "report")
        new.write_text(text, encoding="utf-8", newline="")
        if target.exists():
            shutil.copymode(target, new)
        os.replace(new, target)


def source(games: Games) -> tuple[str | None, str | None, str]:
    """Games as text or as a path, and a title for them."""
    if isinstance(games, str):
        return _not_empty(games), None, "games"
    if isinstance(games, os.PathLike):
        path = pathlib.Path(games)
        name = path.name
        for ending in (".gz", ".zst"):
            name = name.removesuffix(ending)
        return None, os.fspath(path), pathlib.PurePath(name).stem or "games"
    if hasattr(games, "headers"):
        return text("games", str(games)), None, "games"
    if isinstance(games, (bytes, bytearray)) or not isinstance(games, Iterable):
        raise wrong_type("games", games, "text, a path or games of python-chess")
    return _not_empty("\n\n".join(map(_pgn, games))), None, "games"


def _not_empty(games: str) -> str | None:
    if not games:
        raise ValueError("games are empty")
    return text("games", games)


def _pgn(game: Any) -> str:
    if isinstance(game, str) or hasattr(game, "headers"):
        return str(game)
    raise wrong_type("one of the games", game, "text or a game of python-chess")

