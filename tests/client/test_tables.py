"""The engine with Syzygy tables against an outside oracle: python-chess probes them itself.

The binary is found as in test_client.py. Other tables, and more positions and games of each class:

    HALFPOINT_CLIENT_SYZYGY=folder HALFPOINT_CLIENT_TABLE_POSITIONS=2000 HALFPOINT_CLIENT_TABLE_GAMES=100 \
        pytest tests/client/test_tables.py
"""

import os
import pathlib
import random

import chess
import chess.engine
import chess.syzygy
import pytest
from test_client import BINARY, ROOT

FOLDER = pathlib.Path(os.environ.get("HALFPOINT_CLIENT_SYZYGY", ROOT / "tests" / "data" / "syzygy"))
POSITIONS = int(os.environ.get("HALFPOINT_CLIENT_TABLE_POSITIONS", "20"))
GAMES = int(os.environ.get("HALFPOINT_CLIENT_TABLE_GAMES", "1"))
NODES = int(os.environ.get("HALFPOINT_CLIENT_TABLE_NODES", "200"))
# Without those in which nobody can mate.
CLASSES = sorted({path.stem for path in FOLDER.glob("*.rtbw")} - {"KBvK", "KNvK"})
# A ply more than the distance may pass: some are stored only to within one.
FIFTY_MOVES = 100


@pytest.fixture(scope="module")
def engine():
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=60) as engine:
        engine.configure({"SyzygyPath": str(FOLDER), "UCI_ShowWDL": True})
        yield engine


@pytest.fixture(scope="module")
def tables():
    with chess.syzygy.open_tablebase(str(FOLDER)) as tables:
        yield tables


def random_board(rng, name):
    """A legal position of a class that is not over, in half of them with a halfmove clock."""
    white, black = name.split("v")
    while True:
        board = chess.Board.empty()
        colours = [chess.WHITE, chess.BLACK] if rng.random() < 0.5 else [chess.BLACK, chess.WHITE]
        pieces = [chess.Piece.from_symbol(symbol) for symbol in white + black]
        squares = rng.sample(range(64), len(pieces))
        for index, (piece, square) in enumerate(zip(pieces, squares)):
            board.set_piece_at(square, chess.Piece(piece.piece_type, colours[index >= len(white)]))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.randrange(100) if rng.random() < 0.5 else 0
        board.fullmove_number = 60
        if board.is_valid() and not board.is_game_over():
            return board


def value(tables, board):
    """Result for the side to move under the fifty-move rule: 1, 0 or -1, or None where rounding hides it."""
    outcome = board.outcome(claim_draw=False)
    if board.is_checkmate():
        return -1
    if outcome is not None or board.halfmove_clock >= FIFTY_MOVES:
        return 0
    if board.halfmove_clock == 0:
        wdl = tables.probe_wdl(board)
        return (wdl > 1) - (wdl < -1)
    dtz = tables.probe_dtz(board)
    plies = abs(dtz) + board.halfmove_clock
    if dtz == 0 or plies > FIFTY_MOVES:
        return 0
    return None if plies == FIFTY_MOVES else (dtz > 0) - (dtz < 0)


@pytest.mark.parametrize("name", CLASSES)
def test_the_root_move_keeps_the_value_and_wdl_are_the_tables(engine, tables, name):
    rng = random.Random(name)
    for _ in range(POSITIONS):
        board = random_board(rng, name)
        expected = value(tables, board)
        result = engine.play(board, chess.engine.Limit(nodes=NODES), game=object(), info=chess.engine.INFO_ALL)
        if expected is None:
            continue
        board.push(result.move)
        found = value(tables, board)
        if found is not None:
            assert -found == expected, f"{board.root().fen()} {result.move}"
        wdl = result.info["wdl"].relative
        assert tuple(wdl) == ((1000, 0, 0), (0, 1000, 0), (0, 0, 1000))[1 - expected], f"{board.root().fen()} {wdl}"


@pytest.mark.parametrize("elo", [None, 1000])
@pytest.mark.parametrize("name", CLASSES)
def test_wins_are_played_to_mate(engine, tables, name, elo):
    """At full strength, and by an opponent that plays as people of this rating do elsewhere."""
    engine.configure({"UCI_LimitStrength": elo is not None, "UCI_Elo": elo or 1500})
    limit = chess.engine.Limit(depth=8) if elo else chess.engine.Limit(nodes=NODES)
    rng = random.Random(name)
    played = 0
    for tried in range(50 * GAMES + 200):
        board = random_board(rng, name)
        board.halfmove_clock = 0
        if value(tables, board) != 1:
            if tried >= 200 and played == 0:
                return  # a class without wins
            continue
        played += 1
        start, winner, game = board.fen(), board.turn, object()
        # Drawn as well at the third occurrence, and after fifty moves.
        while not (board.is_game_over() or board.is_repetition() or board.is_fifty_moves()):
            if board.turn == winner:
                board.push(engine.play(board, limit, game=game).move)
            else:
                board.push(best_defence(tables, board))
        assert board.is_checkmate() and board.turn != winner, f"{start} {board.fen()}"
        if played == GAMES:
            return


def best_defence(tables, board):
    """The move that holds out longest by DTZ: no capture or pawn move if another takes as long."""

    def rank(move):
        after = board.copy()
        after.push(move)
        if after.is_checkmate():
            return (-1, 0)
        if after.is_game_over():
            return (1, 0)
        dtz = tables.probe_dtz(after)
        # A draw, or the longest way to the next capture or pawn move.
        return (1, 0) if dtz <= 0 else (0, 0 if after.halfmove_clock == 0 else dtz)

    return max(board.legal_moves, key=rank)
