"""Drives the engine through python-chess, as a graphical client would.

The binaries are those of HALFPOINT_BIN and HALFPOINT_LAB_BIN, or target/release/halfpoint and halfpoint-lab (under
CARGO_TARGET_DIR, if set). The agreement of
centipawns and W/D/L is checked on HALFPOINT_CLIENT_POSITIONS positions (60 if unset) searched to depth
HALFPOINT_CLIENT_DEPTH (6 if unset), and whether D is that of the printed line on as many of HALFPOINT_CLIENT_GAMES (a PGN
file; some of tests/data if unset):

    HALFPOINT_CLIENT_POSITIONS=1000 HALFPOINT_CLIENT_DEPTH=8 pytest tests/client
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
# Seconds within which an answer comes that should come at once.
AT_ONCE = 3.0

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


def random_board(rng, plies, chess960=False):
    """A board some random moves into a game that is not over."""
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
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


def test_identity_and_options(engine):
    assert engine.id["name"].startswith("Halfpoint")
    assert set(engine.options) == {
        "Hash",
        "Clear Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "UCI_ShowWDL",
        "UCI_Chess960",
        "EvalParams",
        "SearchParams",
        "WDL_Profile",
        "WDL_ProfileFile",
        "WDL_Elo",
        "WDL_TimeControl",
        "Contempt",
        "AutoContempt",
        "UCI_RatingAdv",
        "UCI_Opponent",
        "OwnElo",
        "ContemptSide",
        "ShowContempt",
        "UCI_AnalyseMode",
    }


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


def test_several_lines(engine):
    board = chess.Board(KIWIPETE)
    infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=5)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4, 5]
    assert len({info["pv"][0] for info in infos}) == 5
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)
    assert all(is_legal_line(board, info["pv"]) for info in infos)


def test_root_moves(engine):
    board = chess.Board()
    allowed = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.play(board, chess.engine.Limit(depth=4), root_moves=allowed)
    assert result.move in allowed


def test_wdl_is_printed_on_demand(engine):
    board = chess.Board()
    limit = chess.engine.Limit(depth=3)
    engine.configure({"UCI_ShowWDL": False})
    assert "wdl" not in engine.analyse(board, limit)
    engine.configure({"UCI_ShowWDL": True})
    wdl = engine.analyse(board, limit)["wdl"].relative
    assert wdl.total() == 1000 and wdl.draws > 0


def test_certain_results(engine):
    engine.configure({"UCI_ShowWDL": True})
    drawn = engine.analyse(chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1"), chess.engine.Limit(depth=3))
    assert drawn["score"].relative == chess.engine.Cp(0)
    assert tuple(drawn["wdl"].relative) == (0, 1000, 0)
    won = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), chess.engine.Limit(depth=3))
    assert won["score"].relative == chess.engine.Mate(1)
    assert tuple(won["wdl"].relative) == (1000, 0, 0)


def test_repetition_is_a_draw(engine):
    engine.configure({"UCI_ShowWDL": True})
    # Black is far ahead, but the only move to be searched repeats the position for the third time.
    board = chess.Board("k7/8/8/8/8/1r6/r7/7K w - - 0 1")
    for move in ("h1g1", "a8b8", "g1h1", "b8a8", "h1g1", "a8b8", "g1h1"):
        board.push_uci(move)
    info = engine.analyse(board, chess.engine.Limit(depth=4), root_moves=[chess.Move.from_uci("b8a8")])
    assert info["score"].relative == chess.engine.Cp(0)
    assert tuple(info["wdl"].relative) == (0, 1000, 0)


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
    """D of the search is that of the position where its line ends, without a profile between. It may differ where
    quiescence goes on beyond the line (captures are left), and by the correction of evaluations and lines that the
    transposition table cut. Prints how many of the lines of each kind are equal (pytest -s)."""
    with GAMES.open() as pgn:
        games = iter(lambda: chess.pgn.read_game(pgn), None)
        boards = [node.board() for game in games for node in game.mainline() if node.ply() > 12 and node.variations]
    boards = [board.copy(stack=False) for board in random.Random(11).sample(boards, min(POSITIONS, len(boards)))]
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
    """The client tells of the opponent, and that it analyses."""
    engine.configure({"AutoContempt": True, "OwnElo": 2900, "UCI_ShowWDL": True})
    board = chess.Board(KIWIPETE)
    limit = chess.engine.Limit(depth=6)
    opponent = chess.engine.Opponent(name="Some One", title="GM", rating=2600, is_engine=False)
    told = "contempt 300 Elo for White, by OwnElo 2900 against GM Some One (human) 2600"
    played = engine.play(board, limit, game="first", info=chess.engine.INFO_ALL, opponent=opponent)
    assert played.info["string"].startswith(told)
    cp, wdl = played.info["score"].relative.score(), played.info["wdl"].relative
    assert agree(cp, wdl)
    analysed = engine.analyse(board, limit, game="second")
    assert analysed["string"].startswith("contempt 0: this is analysis")
    engine.configure({"AutoContempt": False})
    plain = engine.analyse(board, limit, game="third")
    assert (plain["nodes"], plain["score"], plain["wdl"]) == (analysed["nodes"], analysed["score"], analysed["wdl"])


def test_contempt_seeks_and_avoids_a_draw(engine):
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        board.push_uci(move)
    repetition = chess.Move.from_uci("f6g8")
    for contempt, repeats in ((-400, True), (400, False)):
        engine.configure({"Contempt": contempt})
        result = engine.play(board, chess.engine.Limit(depth=8), game=contempt, info=chess.engine.INFO_ALL)
        assert (result.move == repetition) == repeats, contempt


def test_stop_ends_an_endless_analysis(engine):
    with engine.analysis(chess.Board(KIWIPETE)) as analysis:
        analysis.next()
        engine.ping()
        start = time.monotonic()
        analysis.stop()
        assert analysis.wait().move in chess.Board(KIWIPETE).legal_moves
        assert time.monotonic() - start < AT_ONCE


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


def test_new_game_forgets(engine):
    board = chess.Board(KIWIPETE)
    limit = chess.engine.Limit(depth=6)
    first = engine.analyse(board, limit, game="first")
    second = engine.analyse(board, limit, game="second")
    assert (first["nodes"], first["score"]) == (second["nodes"], second["score"])


def test_a_whole_game(engine):
    board = chess.Board()
    clocks = {chess.WHITE: 2.0, chess.BLACK: 2.0}
    increment = 0.02
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=60) as opponent:
        players = {chess.WHITE: engine, chess.BLACK: opponent}
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
