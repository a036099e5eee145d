"""Positions: the same answers as the binary's, and what cannot be answered."""

import importlib.metadata
import json
import pickle
import re
import subprocess

import chess
import chess.engine
import chess.variant
import pytest

import halfpoint

FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "6k1/5p2/4p1p1/1b5p/3B1P1P/4P1P1/1P3K2/8 w - - 0 1",
]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def answers(binary, requests):
    """What the command line answers."""
    command = [binary, "analyse", "--json-lines", "--threads", "1"]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    lines = subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout.splitlines()
    return [json.loads(line) for line in lines]


def test_positions_are_those_of_the_command_line(engine, binary):
    players = {"white_elo": 1500, "black_elo": 1800, "time_control": "blitz"}
    asked = {"nodes": 3000, "multipv": 3, "whiteElo": 1500, "blackElo": 1800, "timeControl": "blitz"}
    expected = answers(binary, [{"fen": fen} | asked for fen in FENS])
    for fen, of in zip(FENS, expected, strict=True):
        assert engine.position(fen, 3000, multipv=3, **players) | {"id": None} == of
        assert list(engine.wdl(chess.Board(fen), 1500, 1800, "blitz", nodes=3000)) == answers(
            binary, [{"fen": fen} | asked | {"multipv": 1}]
        )[0]["wdl"]


def test_boards_bring_their_moves(engine, binary):
    start = "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1"
    board = chess.Board(start)
    for move in "e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1".split():
        board.push_uci(move)
    moves = [move.uci() for move in board.move_stack]
    (expected,) = answers(binary, [{"fen": start, "moves": moves, "nodes": 2000}])
    assert engine.position(board, nodes=2000) | {"id": None} == expected
    # Without them nothing is known of the repetition.
    drawn = [next(move["wdl"][1] for move in engine.moves(of, 2000) if move["uci"] == "d8e8") for of in (board, board.fen())]
    assert drawn[0] == 1000 and drawn[1] < 500
    board.push(chess.Move.null())
    assert engine.position(board, nodes=100)["fen"] == board.fen()


@pytest.mark.parametrize(
    "edit",
    [
        lambda board: setattr(board, "turn", chess.WHITE),
        lambda board: board.remove_piece_at(chess.D1),
        # Here the moves cannot be repeated.
        lambda board: (board.set_piece_at(chess.E5, board.remove_piece_at(chess.E7)), board.push_uci("e5e4")),
        lambda board: board.push(chess.Move.null()),
    ],
)
def test_an_edited_board_is_the_position_that_it_shows(engine, edit):
    board = chess.Board()
    board.push_san("Nf3")
    edit(board)
    assert engine.position(board, nodes=100)["fen"] == board.fen() == halfpoint.evaluate(board)["fen"]


@pytest.mark.parametrize("variant", [variant for variant in chess.variant.VARIANTS if variant is not chess.Board])
def test_boards_of_other_variants_are_refused(engine, variant):
    works = [engine.position, engine.wdl, engine.moves, halfpoint.evaluate, lambda board: halfpoint.static_wdl([board])]
    for work in works:
        with pytest.raises(ValueError, match=f"the variant '{re.escape(variant.aliases[0])}' is not known"):
            work(variant())


@pytest.mark.parametrize(("between", "end"), [(" ", "\n"), (" ", " \r\n"), ("\t", ""), ("  ", " ")])
def test_white_space_around_and_in_fens_does_not_matter(engine, between, end):
    fens = [fen.replace(" ", between) + end for fen in FENS]
    assert halfpoint.static_wdl(fens).tolist() == halfpoint.static_wdl(FENS).tolist()
    for fen, changed in zip(FENS, fens):
        assert engine.position(changed, 100) == engine.position(fen, 100)
        assert halfpoint.evaluate(changed) == halfpoint.evaluate(fen)


@pytest.mark.parametrize("fen", ["x\0", "\ud800", f"{FENS[0]}\x1b[2J"])
def test_messages_are_of_one_line(engine, fen):
    text = re.escape(f"malformed FEN {fen!r}: characters that cannot be printed")
    for work in (engine.position, halfpoint.evaluate, lambda fen: halfpoint.static_wdl([fen])):
        with pytest.raises(ValueError, match=text):
            work(fen)
    with pytest.raises(ValueError, match="malformed FEN") as told:
        engine.wdl("\0" * 300_000)
    assert len(str(told.value)) < 200


@pytest.mark.parametrize("board", [None, 5, b"x"])
def test_boards_of_a_wrong_type_are_told(engine, board):
    text = f"board is {type(board).__name__}, not a FEN or a chess.Board"
    for work in (engine.position, engine.wdl, engine.moves, halfpoint.evaluate):
        with pytest.raises(TypeError, match=f"^{text}$"):
            work(board)
    with pytest.raises(TypeError, match=f"^position 1: {text}$"):
        halfpoint.static_wdl([chess.STARTING_FEN, board])


@pytest.mark.parametrize("boards", [None, chess.STARTING_FEN, chess.Board()])
def test_many_positions_are_a_list(boards):
    with pytest.raises(TypeError, match=f"boards is {type(boards).__name__}, not a list of boards"):
        halfpoint.static_wdl(boards)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"nodes": "1"}, "nodes is str, not a whole number"),
        ({"white_elo": 1500.5}, "white_elo is float, not a whole number"),
        ({"time": "1"}, "time is str, not a number of seconds"),
        ({"profile": 1}, "profile is int, not text"),
        ({"chess960": "no"}, "chess960 is str, not True or False"),
        ({"chess960": None}, "chess960 is NoneType, not True or False"),
    ],
)
def test_arguments_of_a_wrong_type_are_told(engine, arguments, text):
    for work in (engine.position, engine.report):
        with pytest.raises(TypeError, match=f"^{text}$"):
            work(chess.STARTING_FEN, **arguments)


def test_chess960(engine):
    board = chess.Board.from_chess960_pos(0)
    assert engine.position(board, nodes=500)["fen"].split()[0] == board.board_fen()
    castling = chess.Board("1k6/8/8/8/8/8/8/RK5R w KQ - 0 1", chess960=True)
    found = {move["uci"] for move in engine.moves(castling, nodes=5000)}
    assert found == {move.uci() for move in castling.legal_moves} and "b1h1" in found
    with pytest.raises(ValueError, match="castling"):
        engine.wdl(castling.fen())
    assert engine.moves(castling.fen(), nodes=5000, chess960=True)[0]["uci"] in found


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("nodes", [1, 20_000])
def test_moves_are_all_legal_ones_and_lose_more_and_more(engine, fen, nodes):
    board, moves = chess.Board(fen), engine.moves(fen, nodes=nodes)
    assert sorted(move["uci"] for move in moves) == sorted(move.uci() for move in board.legal_moves)
    assert all(board.parse_san(move["san"]).uci() == move["uci"] for move in moves)
    assert moves[0]["lost"]["total"] == 0 and moves[0]["line"].startswith(moves[0]["uci"])
    lost = [move["lost"]["total"] for move in moves]
    # Lines are in the order of the engine's own games, losses between equals at the rating.
    assert max(lost) > 0 and all(0 <= of <= 1 for of in lost) and lost.index(max(lost)) >= len(lost) // 2
    table = halfpoint.rows(moves)
    assert {"uci", "eval", "wdl.win", "lost.total"} <= set(table[0]) and len({tuple(row) for row in table}) == 1


def test_games_that_are_over(engine):
    assert engine.moves(MATED) == [] == engine.moves(STALEMATE)
    assert engine.moves("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90") == []
    assert engine.wdl(MATED) == (1000, 0, 0) and engine.wdl(STALEMATE).expected == 0.5
    assert "best" not in engine.position(STALEMATE)


def test_evaluations_are_those_of_the_command_line(binary):
    for fen in [*FENS, MATED]:
        command = [binary, "eval", fen, "--json"]
        printed = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        assert halfpoint.evaluate(fen) == printed == halfpoint.evaluate(chess.Board(fen))
        wdl = printed["printed"]["wdl"]
        (found,) = halfpoint.static_wdl([fen]).tolist()
        assert found == (wdl if printed["turn"] == "white" else wdl[::-1])


def test_many_positions_at_once(engine):
    fens = FENS * 20_000
    of_four = halfpoint.static_wdl([chess.Board(fen) for fen in FENS]).tolist()
    for threads in (1, 2):
        found = halfpoint.static_wdl(fens, threads=threads)
        assert (found.shape, found.format) == ((len(fens), 3), "H") and found.tolist() == of_four * 20_000
    assert of_four != halfpoint.static_wdl(FENS, 1200, 1200, "rapid").tolist()
    assert halfpoint.static_wdl(FENS, profile="club-rapid").tolist() != of_four
    with pytest.raises(ValueError, match="'exhibition' is not a time control"):
        halfpoint.static_wdl(FENS, 1200, 1200, "exhibition")
    assert all(sum(shares) == 1000 for shares in of_four) and len(halfpoint.static_wdl([])) == 0
    with pytest.raises(ValueError, match="position 70001: malformed FEN 'x'"):
        halfpoint.static_wdl([*fens[:70_001], "x", "y"], threads=2)


def test_infos_are_those_of_python_chess(binary, engine):
    with chess.engine.SimpleEngine.popen_uci(binary) as uci:
        uci.configure({"UCI_ShowWDL": True})
        for fen in [*FENS, MATE_IN_ONE]:
            board = chess.Board(fen)
            expected = uci.analyse(board, chess.engine.Limit(nodes=2000), game=object(), multipv=2)
            position = engine.position(fen, nodes=2000, multipv=2)
            for line, of in enumerate(expected):
                info = halfpoint.as_info(position, line)
                assert (info["score"], info["wdl"]) == (of["score"], of["wdl"])
                assert info["pv"] == of["pv"][: len(info["pv"])] and info["multipv"] == of["multipv"]
    score = halfpoint.as_info(engine.position(MATED))["score"]
    assert score.black() == chess.engine.Mate(0) and score.white() == chess.engine.MateGiven
    with pytest.raises(IndexError):
        halfpoint.as_info(engine.position(MATED), 1)
    with pytest.raises(IndexError):
        halfpoint.as_info(engine.position(MATE_IN_ONE), -1)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"board": "x"}, "malformed FEN 'x'"),
        ({"board": "8/8/8/8/8/8/8/8 w - - 0 1"}, "FEN '8/8/8/8/8/8/8/8 w - - 0 1'"),
        ({"white_elo": 0}, "white_elo 0 is not from 1 to 10000"),
        ({"time_control": "fast"}, "'fast' is not a time control"),
        ({"profile": "x"}, "there is no profile 'x'; known are nominal"),
        ({"nodes": 0}, "nodes 0 is not from 1"),
        ({"depth": 246}, "depth 246 is not from 1 to 245"),
        ({"time": -1}, "time -1 is not a number of seconds"),
        ({"time": float("inf")}, "time inf is not a number of seconds"),
        ({"time": 10**400}, r"time 10+\.\.\.0+ is not a number of seconds"),
        ({"nodes": 10**400}, r"nodes 10+\.\.\.0+ is not from 1"),
        ({"time_control": "correspondence"}, "'correspondence' is not a time control"),
        ({"multipv": 257}, "multipv 257 is not from 1 to 256"),
    ],
)
def test_errors_are_told_in_the_words_of_the_engine(engine, arguments, text):
    with pytest.raises(ValueError, match=text):
        engine.position(**{"board": chess.STARTING_FEN} | arguments)
    if "multipv" not in arguments:
        assert len(engine.moves(chess.STARTING_FEN, nodes=100)) == 20


def test_engines(engine, binary):
    with pytest.raises(MemoryError, match="MiB"):
        halfpoint.Engine(hash=1 << 20)
    with pytest.raises(ValueError, match="threads -1 is not from 0 to 256"):
        halfpoint.Engine(threads=-1)
    same = pickle.loads(pickle.dumps(engine))
    assert repr(same) == repr(engine) == "Engine(hash=16, threads=2, syzygy=None)"
    version = subprocess.run([binary, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert halfpoint.__version__ == version.split()[1]
    assert importlib.metadata.version("halfpoint") == version.split()[1].split("-")[0]


def test_endgame_tables(games):
    tables = chess.Board("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")
    folder = games.parent / "syzygy"
    assert halfpoint.Engine(syzygy=folder).wdl(tables, nodes=10) == (1000, 0, 0)
    with pytest.warns(RuntimeWarning, match="no such folder|nowhere"):
        halfpoint.Engine(syzygy="/nowhere")


@pytest.mark.parametrize("work", [lambda analysis: analysis.report(), lambda analysis: list(analysis)])
def test_faults_of_endgame_tables_are_told_when_they_are_found(games, tmp_path, work):
    for name in ("KQvK.rtbw", "KQvK.rtbz"):
        (tmp_path / name).write_bytes((games.parent / "syzygy" / name).read_bytes())
    (tmp_path / "KQvK.rtbz").write_bytes((tmp_path / "KQvK.rtbz").read_bytes()[:16])
    analysis = halfpoint.Engine(syzygy=tmp_path).analyse("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 100)
    with pytest.warns(RuntimeWarning, match="KQvK.rtbz: the table, or the .rtbw beside it, is corrupt or cut off") as told:
        work(analysis)
    assert told[0].filename == __file__
