"""Self-play games against an outside oracle: a reader written after the format's specification reads them, python-chess
replays them by its own rules and probes the tables itself.

The binary is found as in test_client.py.
"""

import pathlib
import struct
import subprocess

import chess
import chess.syzygy
import pytest
from test_client import LAB

# Bytes of a game's start position, and of a move with its score.
HEADER, PLY = 32, 4
# Values of the byte that tells how a game ended.
RULES, RESIGNED, PLAYED_ON_RIGHT, PLAYED_ON_WRONG, TABLES = 1, 2, 3, 4, 5
RESULTS = {0: "0-1", 1: "1/2-1/2", 2: "1-0"}
PROMOTIONS = [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]


def lab(*arguments):
    """Standard output of a command that must succeed."""
    return subprocess.run([LAB, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def datagen(out, games, *options):
    return lab("datagen", "--games", games, "--nodes", 150, "--out", out, *options)


def start_board(header):
    """The start position of a game, by the format's specification."""
    board = chess.Board.empty(chess960=True)
    occupied = int.from_bytes(header[:8], "little")
    rooks = 0
    for index, square in enumerate(chess.scan_forward(occupied)):
        code = header[8 + index // 2] >> 4 * (index % 2) & 15
        kind = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING, chess.ROOK][code & 7]
        if code & 7 == 6:
            rooks |= chess.BB_SQUARES[square]
        board.set_piece_at(square, chess.Piece(kind, code < 8))
    board.castling_rights = rooks
    board.turn = header[24] < 128
    en_passant = header[24] & 127
    board.ep_square = None if en_passant == 64 else en_passant
    board.halfmove_clock = header[25]
    board.fullmove_number = int.from_bytes(header[26:28], "little")
    assert board.is_valid()
    return board


def games(path):
    """The games of a file: start position, moves with scores, result, and how it ended."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        header = data[at : at + HEADER]
        at += HEADER
        plies = []
        while data[at : at + PLY] != bytes(PLY):
            move, score = struct.unpack_from("<Hh", data, at)
            promotion = PROMOTIONS[move >> 12 & 3] if move >> 14 == 3 else None
            plies.append((chess.Move(move & 63, move >> 6 & 63, promotion), score))
            at += PLY
        at += PLY
        yield start_board(header), plies, RESULTS[header[30]], header[31]


def outcome(board):
    """The result by the rules, with draws that a player would have to claim; None while the game goes on."""
    if board.is_checkmate():
        return "0-1" if board.turn else "1-0"
    drawn = board.is_stalemate() or board.is_insufficient_material()
    if drawn or board.halfmove_clock >= 100 or board.is_repetition(3):
        return "1/2-1/2"
    return None


@pytest.mark.parametrize("options", [[], ["--chess960", "--seed", 2]])
def test_games_are_legal_and_their_results_right(tmp_path, options):
    datagen(tmp_path / "games", 24, *options)
    lab("data", "check", tmp_path / "games")
    lab("data", "export", tmp_path / "games", "--out", tmp_path / "fens")
    lab("data", "export", tmp_path / "games", "--format", "epd", "--out", tmp_path / "epds")
    fens = iter((tmp_path / "fens").read_text().splitlines())
    epds = iter((tmp_path / "epds").read_text().splitlines())
    points = {"1-0": "1.0", "1/2-1/2": "0.5", "0-1": "0.0"}
    by_rule = 0
    for board, plies, result, ending in games(tmp_path / "games"):
        for move, score in plies:
            assert outcome(board) is None
            fen, exported = next(fens).split(";")
            line = chess.Board.empty(chess960=True)
            line.set_fen(fen)
            assert line == board and exported == points[result]
            operations = line.set_epd(next(epds))
            assert line == board and operations["c9"] == result
            assert board.is_legal(move), f"{move} in {board.fen()}"
            # A mate in one is scored as one, and only a mate as a mate.
            board.push(move)
            if board.is_checkmate():
                assert score == (-31999 if board.turn else 31999)
        if ending == RESIGNED:
            assert result != "1/2-1/2" and outcome(board) is None
        else:
            assert ending in (RULES, PLAYED_ON_RIGHT, PLAYED_ON_WRONG)
            assert outcome(board) == result
            by_rule += 1
    assert next(fens, None) is None and next(epds, None) is None
    assert by_rule > 0


def test_tables_give_the_result(tmp_path):
    tables = pathlib.Path(__file__).parents[1] / "data" / "syzygy"
    book = tmp_path / "book.epd"
    book.write_text(
        "8/5k2/8/4p3/4P3/8/5K2/8 w - - 0 1\n8/8/4k3/8/2r5/8/3QK3/8 w - - 0 1\n8/2p5/3k4/8/8/3K4/8/6R1 b - - 0 1\n"
    )
    datagen(tmp_path / "games", 60, "--openings", book, "--syzygy", tables)
    by_tables = 0
    with chess.syzygy.open_tablebase(str(tables)) as tablebase:
        for board, plies, result, ending in games(tmp_path / "games"):
            for move, _ in plies:
                assert outcome(board) is None
                board.push(move)
            if ending == TABLES:
                by_tables += 1
                # A few plies after the capture at times: the tables count some distances only to within a ply.
                assert outcome(board) is None and board.halfmove_clock < 20
                side = tablebase.probe_wdl(board) * (1 if board.turn else -1)
                assert result == {2: "1-0", -2: "0-1"}.get(side, "1/2-1/2")
            elif ending == RULES:
                assert outcome(board) == result
    assert by_tables > 10
