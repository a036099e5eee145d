"""The engine driven by python-chess: an outside oracle for what the Rust tests check by the engine's own rules, and a
client that speaks UCI in its own way.

- Oracle: printed lines are legal, also in Chess960; centipawns and W/D/L follow from each other by a formula written
  anew; D is that of the position at the end of the line.
- Client: whole games on a clock, pondering, and the opponent that it names for contempt.

The binaries are those of HALFPOINT_BIN and HALFPOINT_LAB_BIN, or target/release/halfpoint and halfpoint-lab (under
CARGO_TARGET_DIR, if set). More positions, a greater depth and other games than those of tests/data:

    HALFPOINT_CLIENT_POSITIONS=1000 HALFPOINT_CLIENT_DEPTH=8 HALFPOINT_CLIENT_GAMES=games.pgn pytest tests/client
"""

import math
import os
import pathlib
import random
import re
import subprocess
import time

import chess
import chess.engine
import chess.pgn
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint"))
LAB = os.environ.get("HALFPOINT_LAB_BIN", str(TARGET / "release" / "halfpoint-lab"))
POSITIONS = int(os.environ.get("HALFPOINT_CLIENT_POSITIONS", "60"))
DEPTH = int(os.environ.get("HALFPOINT_CLIENT_DEPTH", "6"))
GAMES = pathlib.Path(os.environ.get("HALFPOINT_CLIENT_GAMES", ROOT / "tests" / "data" / "engine-games.pgn"))

# Logits per pawn.
C = math.log(10) / 4
# Centipawns beyond which heuristic scores are cut.
MAX_CENTIPAWNS = 15_000

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture
def engine():
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=60) as engine:
        yield engine


def is_legal_line(board, pv):
    """Whether every move of a line can be played from the board."""
    board = board.copy()
    for move in pv:
        if not board.is_legal(move):
            return False
        board.push(move)
    return True


def random_board(rng, plies):
    """A board some random moves into a game that is not over."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over(claim_draw=True):
            return board


def centipawns(expected):
    """The printed score of an expected result; infinite where it is certain."""
    if expected <= 0:
        return -math.inf
    if expected >= 1:
        return math.inf
    return 100 * math.log(expected / (1 - expected)) / C


def agree(cp, wdl):
    """Whether a score and rounded per mille can come from one expected result."""
    expected = wdl.wins + wdl.draws / 2
    low = max(centipawns((expected - 0.501) / 1000), -MAX_CENTIPAWNS)
    high = min(centipawns((expected + 0.501) / 1000), MAX_CENTIPAWNS)
    return wdl.total() == 1000 and low - 0.5 <= cp <= high + 0.5


def test_analysis_reports_legal_lines(engine):
    for fen in (chess.STARTING_FEN, KIWIPETE):
        board = chess.Board(fen)
        depths = []
        with engine.analysis(board, chess.engine.Limit(depth=6)) as analysis:
            for info in analysis:
                if "pv" in info:
                    depths.append(info["depth"])
                    assert info["pv"] and is_legal_line(board, info["pv"])
                    assert info["seldepth"] >= 1 and info["nodes"] > 0 and 0 <= info["hashfull"] <= 1000
        assert depths == sorted(depths) and depths[-1] == 6


def test_centipawns_and_wdl_agree(engine):
    engine.configure({"UCI_ShowWDL": True})
    rng = random.Random(7)
    checked = 0
    while checked < POSITIONS:
        board = random_board(rng, rng.randrange(4, 90))
        info = engine.analyse(board, chess.engine.Limit(depth=DEPTH), game=object())
        score, wdl = info["score"].relative, info["wdl"].relative
        if score.is_mate() or abs(score.score()) > MAX_CENTIPAWNS:
            continue
        assert agree(score.score(), wdl), (board.fen(), score, wdl)
        assert is_legal_line(board, info["pv"]), board.fen()
        checked += 1


def test_d_belongs_to_the_line():
    """D of the search is that of the position where its line ends, without a profile. It may differ where captures are
    left, as quiescence goes on beyond the line, by the correction of evaluations, and where the transposition table cut
    the line. `pytest -s` prints how many lines of each kind are equal."""
    with GAMES.open() as pgn:
        games = iter(lambda: chess.pgn.read_game(pgn), None)
        boards = [node.board() for game in games for node in game.mainline() if node.ply() > 12 and node.variations]
    # Few lines are quiet to their end, so that more positions are needed.
    boards = random.Random(11).sample(boards, min(4 * POSITIONS, len(boards)))
    boards = [board.copy(stack=False) for board in boards]
    ended, equal, lines = 0, {"quiet": 0, "captures left": 0}, {"quiet": 0, "captures left": 0}
    process = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(lines, last):
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        said = []
        while not said or not said[-1].startswith(last):
            said.append(process.stdout.readline())
            assert said[-1], "the engine ended"
        return said

    with process:
        ask(["uci", "setoption name UCI_ShowWDL value true", "setoption name WDL_Profile value uncorrected"], "uciok")
        for board in boards:
            report = ask(["ucinewgame", f"position fen {board.fen()}", "go depth 10"], "bestmove")[-2]
            root = re.search(r" wdl \d+ (\d+) \d+ .* pv (.*)", report)
            for move in root[2].split():
                board.push_uci(move)
            # In check there is no evaluation.
            if " mate " in report or board.is_check() or board.is_game_over() or board.is_repetition(2):
                ended += 1
                continue
            leaf = ask([f"position fen {board.fen()}", "eval", "isready"], "readyok")
            d = next(int(line.split("/")[3]) for line in leaf if line.startswith("W/D/L"))
            kind = "captures left" if any(board.generate_legal_captures()) else "quiet"
            lines[kind] += 1
            equal[kind] += abs(int(root[1]) - d) <= 1
        process.stdin.write("quit\n")
        process.stdin.flush()
    print(f"{ended} lines end in check, mate, draw or repetition; of {lines} others equal {equal}")
    assert equal["quiet"] > 0.5 * lines["quiet"] > 0
    assert sum(equal.values()) > 0.5 * sum(lines.values())


def test_contempt_against_an_opponent(engine):
    """The client names the opponent, and says when it analyses."""
    engine.configure({"AutoContempt": True, "OwnElo": 2900, "UCI_ShowWDL": True})
    board = chess.Board(KIWIPETE)
    limit = chess.engine.Limit(depth=6)
    opponent = chess.engine.Opponent(name="Some One", title="GM", rating=2600, is_engine=False)
    reported = "contempt 300 Elo for White, by OwnElo 2900 against GM Some One (human) 2600"
    played = engine.play(board, limit, game="first", info=chess.engine.INFO_ALL, opponent=opponent)
    assert played.info["string"].startswith(reported)
    cp, wdl = played.info["score"].relative.score(), played.info["wdl"].relative
    assert agree(cp, wdl)
    analysed = engine.analyse(board, limit, game="second")
    assert analysed["string"].startswith("contempt 0: this is analysis")
    engine.configure({"AutoContempt": False})
    plain = engine.analyse(board, limit, game="third")
    assert (plain["nodes"], plain["score"], plain["wdl"]) == (analysed["nodes"], analysed["score"], analysed["wdl"])


def test_pondering_through_a_few_moves(engine):
    rng = random.Random(3)
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.05, black_inc=0.05)
    for _ in range(6):
        start = time.monotonic()
        result = engine.play(board, limit, ponder=True)
        assert time.monotonic() - start < 5
        board.push(result.move)
        # Random replies may get mated within a few moves.
        if board.is_game_over():
            break
        # Every other time the expected reply is played, so that the pondering hits.
        replies = list(board.legal_moves)
        reply = result.ponder if result.ponder and rng.random() < 0.5 else rng.choice(replies)
        assert reply in replies
        board.push(reply)
        if board.is_game_over():
            break


def test_chess960_game(engine):
    rng = random.Random(960)
    for _ in range(2):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        game = object()
        for _ in range(40):
            if board.is_game_over(claim_draw=True):
                break
            result = engine.play(board, chess.engine.Limit(nodes=2000), game=game, info=chess.engine.INFO_ALL)
            assert is_legal_line(board, result.info.get("pv", []))
            board.push(result.move)


def test_chess960_castling_is_found_and_printed(engine):
    board = chess.Board("4k3/8/8/8/8/8/8/1RK4R w BH - 0 1", chess960=True)
    castling = [move for move in board.legal_moves if board.is_castling(move)]
    for move in castling:
        assert engine.play(board, chess.engine.Limit(depth=2), root_moves=[move]).move == move
    assert castling


def test_a_whole_game(engine):
    board = chess.Board()
    clocks = {chess.WHITE: 4.0, chess.BLACK: 4.0}
    increment = 0.02
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=60) as opponent:
        players = {chess.WHITE: engine, chess.BLACK: opponent}
        # The clock here counts what this process and a busy machine take, too.
        for player in players.values():
            player.configure({"Move Overhead": 200})
        while not board.is_game_over(claim_draw=True) and board.ply() < 300:
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE],
                black_clock=clocks[chess.BLACK],
                white_inc=increment,
                black_inc=increment,
            )
            start = time.monotonic()
            result = players[board.turn].play(board, limit, info=chess.engine.INFO_ALL)
            clocks[board.turn] += increment - (time.monotonic() - start)
            assert clocks[board.turn] > 0, board.fen()
            assert is_legal_line(board, result.info.get("pv", [])), board.fen()
            board.push(result.move)
    assert board.ply() > 10


def test_opponents_of_a_rating_play_legally_and_repeat_themselves(engine):
    """A game between two levels: moves are legal, and the same seed gives the same game."""
    levels = {chess.WHITE: 1400, chess.BLACK: 1800}

    def play():
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            engine.configure({"UCI_LimitStrength": True, "UCI_Elo": levels[board.turn], "HumanSeed": 7})
            result = engine.play(board, chess.engine.Limit(depth=4))
            assert result.move in board.legal_moves, board.fen()
            board.push(result.move)
        return board.move_stack

    game = play()
    assert len(game) > 10 and play() == game


def test_opponents_of_a_rating_are_drawn_anew_without_a_seed(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500})
    limit = chess.engine.Limit(depth=4)
    assert len({engine.play(chess.Board(), limit, game=object()).move for _ in range(12)}) > 1
    # Analysis is not limited.
    lines = engine.analyse(chess.Board(KIWIPETE), chess.engine.Limit(depth=5), multipv=3)
    assert len(lines) == 3 and all(line["depth"] == 5 for line in lines)


def test_opponents_of_a_rating_keep_their_clock(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500, "HumanSeed": 1})
    board, left = chess.Board(), 3.0
    for _ in range(20):
        start = time.monotonic()
        limit = chess.engine.Limit(white_clock=left, black_clock=left, white_inc=0.1, black_inc=0.1)
        board.push(engine.play(board, limit).move)
        left += 0.1 - (time.monotonic() - start)
        assert left > 0, board.fen()
        if board.is_game_over():
            break
