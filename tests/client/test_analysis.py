"""`halfpoint analyse` and `halfpoint suite` against python-chess: annotated games read back, lichess' accuracy by its formulas
written anew, and suites solved over UCI."""

import json
import math
import os
import pathlib
import re
import statistics
import subprocess

import chess
import chess.engine
import chess.pgn
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint"))
GAMES = pathlib.Path(os.environ.get("HALFPOINT_CLIENT_GAMES", ROOT / "tests" / "data" / "engine-games.pgn"))
SUITES = os.environ.get("HALFPOINT_CLIENT_SUITES", "").split(":")

NOTED = """[Event "Notes"]
[Result "*"]

{Before} 1. e4 $1 { [%clk 0:10:00] best by test } (1. d4 {solid} 1... d5 (1... Nf6)) 1... e5 { [%clk 0:09:59] } { again } 2. Nf3 *
"""
SUITE = """2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id "WAC.002";
1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id "Undermine.001"; c0 "f5=10, Be5+=2, Bf2=3, Bg4=2";
1n5k/3q3p/pp1p2pB/5r2/1PP1Qp2/P6P/6P1/2R3K1 w - - bm c5; id "Undermine.002"; c0 "c5=10, Qd4+=4, b5=4, g4=3";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Kf1; id "avoid.1";
"""


@pytest.fixture(scope="module")
def analysed(tmp_path_factory):
    """The games, as they were, annotated, and as JSON."""
    folder = tmp_path_factory.mktemp("analysis")
    source, annotated, objects = (folder / name for name in ("games.pgn", "annotated.pgn", "games.json"))
    source.write_text(GAMES.read_text() + "\n" + NOTED)
    command = [BINARY, "analyse", source, "--nodes", "500", "--pgn", annotated, "--json", objects]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return source, annotated, [json.loads(line) for line in objects.read_text().splitlines()]


def games(path):
    with path.open() as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors
            yield game


def plain(comment):
    """A comment without what the analysis adds or replaces."""
    return " ".join(re.sub(r"\[%(eval|wdl|look|nag) [^\]]*\]", "", comment).split())


def test_annotated_games_keep_everything(analysed):
    source, annotated, objects = analysed
    pairs = list(zip(games(source), games(annotated), objects, strict=True))
    for before, after, report in pairs:
        assert dict(before.headers).items() <= dict(after.headers).items()
        assert list(before.mainline_moves()) == list(after.mainline_moves())
        assert plain(before.comment) == plain(after.comment)
        for old, new, told in zip(before.mainline(), after.mainline(), report["analysis"], strict=True):
            assert plain(old.comment) == plain(new.comment) and old.clock() == new.clock() and old.nags <= new.nags
            score = new.eval().white()
            assert score.mate() == told.get("mate") if "mate" in told else score.score() == told["eval"]
            assert new.eval_depth() == told["depth"]
            wdl = re.search(r"\[%wdl (\d+),(\d+),(\d+)\]", new.comment)
            assert list(map(int, wdl.groups())) == told["wdl"] and sum(told["wdl"]) == 1000
            lines = [str(line) for line in new.parent.variations[1:]]
            assert all(str(line) in lines for line in old.parent.variations[1:])
    assert len(pairs) > 3


def win_percent(cp):
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, cp)))) - 1)


def move_accuracy(before, after):
    fall = max(0.0, before - after)
    return 100.0 if fall == 0 else min(100.0, max(0.0, 103.1668100711649 * math.exp(-0.04354415386753951 * fall) - 2.166924740191411))


def test_accuracy_is_that_of_lichess(analysed):
    for game in analysed[2]:
        told = [position for position in game["analysis"] if position.get("mate") != 0]
        # lichess' own number for the start position; others were searched.
        first = {"eval": 15} if game["initialFen"] == chess.STARTING_FEN else game["start"]
        cps = [position.get("eval", math.copysign(1000, position.get("mate", 0))) for position in (first, *told)]
        chances = [win_percent(cp) for cp in cps]
        size = max(2, min(8, len(told) // 10))
        windows = [chances[:size]] * (min(size, len(chances)) - 2) + [chances[i : i + size] for i in range(len(chances) - size + 1)]
        weights = [max(0.5, min(12, statistics.pstdev(window))) for window in windows]
        white_first = game["initialFen"].split()[1] == "w"
        for color in ("white", "black"):
            moves = []
            for index, (before, after, weight) in enumerate(zip(chances, chances[1:], weights)):
                if (index % 2 == 0) == (white_first == (color == "white")):
                    both = (before, after) if color == "white" else (100 - before, 100 - after)
                    moves.append((move_accuracy(*both), weight))
            weighted = sum(accuracy * weight for accuracy, weight in moves) / sum(weight for _, weight in moves)
            harmonic = statistics.harmonic_mean([max(1, accuracy) for accuracy, _ in moves])
            assert abs(game["players"][color]["analysis"]["accuracy"] - (weighted + harmonic) / 2) <= 0.1


def test_suites_are_solved_as_over_uci(tmp_path):
    path = tmp_path / "suite.epd"
    path.write_text(SUITE)
    for path in [path] + [pathlib.Path(name) for name in SUITES if name]:
        nodes = "5000"
        command = [BINARY, "suite", path, "--nodes", nodes, "--quiet", "--json", tmp_path / "suite.json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = json.loads((tmp_path / "suite.json").read_text())
        lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
        solved = points = 0
        with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=60) as engine:
            for line, told in zip(lines, found["positions"], strict=True):
                board, operations = chess.Board.from_epd(line)
                move = engine.play(board, chess.engine.Limit(nodes=int(nodes)), game=object()).move
                assert board.san(move) == told["best"], line
                worth = {}
                if "c0" in operations:
                    for san, number in re.findall(r"([^\s,=]+(?:=[QRBN])?[+#]?)=(\d+)", operations["c0"]):
                        try:
                            worth[board.parse_san(san)] = int(number)
                        except ValueError:
                            pass
                if worth:
                    points += worth.get(move, 0)
                    solved += worth.get(move, 0) == max(worth.values())
                elif "bm" in operations:
                    solved += move in operations["bm"]
                else:
                    solved += move not in operations["am"]
        assert (found["total"]["solved"], found["total"]["points"]) == (solved, points)
        print(f"{path.name}: {solved} solved, {points} points, of {len(lines)} positions")


def test_an_unsolved_suite_sets_the_exit_code(tmp_path):
    path = tmp_path / "suite.epd"
    path.write_text(SUITE + "4k3/8/8/8/8/8/8/R3K3 w - - bm Rh8;\n")
    run = lambda least: subprocess.run([BINARY, "suite", path, "--depth", "1", "--expect", least], capture_output=True, text=True)
    broken = run("0")
    assert broken.returncode == 1 and "line 6: 'Rh8' is no legal move" in broken.stderr
    path.write_text(SUITE)
    assert (run("0").returncode, run("6").returncode) == (0, 1)
    assert "Undermine" in run("0").stdout
