#!/usr/bin/env python3
"""How true the engine's W/D/L are in endings that Syzygy tables know, and how well it plays them without tables.

    scripts/endgames.py --engine target/release/halfpoint --tables FOLDER [--nodes 1 5000] [--positions 500]
    scripts/endgames.py --engine target/release/halfpoint --tables FOLDER --play --nodes 20000 --positions 100

Without --play: for each class of tables the mean log loss of printed W/D/L, in nats, against the result with best play,
and how the loss divides between positions that are won (or lost) and drawn. A certain forecast of what is wrong counts
7.6, as printed per mille have a floor of 0.0005.

With --play: shares of wins won and draws held, against a side that plays by the tables. It holds out longest when it is lost,
and in a draw it sets the most problems: it moves where the fewest answers hold.

Needs the package chess (python-chess).
"""

import collections
import math
import random

from arguments import Parser, accepted, command_words, die, directory, option, package, run, whole_number

chess = package("chess", "engine", "syzygy")

FLOOR = 0.0005


def arguments():
    parser = Parser(__doc__)
    parser.add_argument("--engine", required=True, metavar="CMD")
    parser.add_argument("--tables", required=True, type=directory)
    parser.add_argument("--classes", nargs="*", help="such as KQvKR; all in the folder if missing")
    parser.add_argument("--nodes", nargs="+", type=whole_number, default=[1])
    parser.add_argument("--positions", type=whole_number, default=500, help="of each class")
    parser.add_argument("--clock", action="store_true", help="random halfmove clocks; zero if missing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", action="store_true")
    parser.add_argument("--option", type=option, action="append", default=[], help="NAME=VALUE")
    return parser.parse_args()


def random_board(rng, name, clock):
    """A position of a class that is not over, without check or a piece that is lost at once."""
    white, black = name.split("v")
    while True:
        board = chess.Board.empty()
        first = rng.random() < 0.5
        for index, (symbol, square) in enumerate(zip(white + black, rng.sample(range(64), len(white + black)))):
            kind = chess.Piece.from_symbol(symbol).piece_type
            board.set_piece_at(square, chess.Piece(kind, first == (index < len(white))))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.randrange(100) if clock else 0
        board.fullmove_number = 60
        if board.is_valid() and not board.is_check() and not board.is_game_over() and not can_capture_free(board):
            return board


def can_capture_free(board):
    """Whether a piece is lost at once: such positions do not stand long on any board."""
    return any(board.is_capture(move) and not board.attackers(not board.turn, move.to_square) for move in board.legal_moves)


def value(tables, board):
    """Result for the side to move under the fifty-move rule: 1, 0 or -1, or None where rounding hides it."""
    if board.is_checkmate():
        return -1
    if board.is_game_over() or board.halfmove_clock >= 100:
        return 0
    if board.halfmove_clock == 0:
        wdl = tables.probe_wdl(board)
        return (wdl > 1) - (wdl < -1)
    dtz = tables.probe_dtz(board)
    plies = abs(dtz) + board.halfmove_clock
    if dtz == 0 or plies > 100:
        return 0
    return None if plies == 100 else (dtz > 0) - (dtz < 0)


def loss_of(info, result):
    if "wdl" not in info:
        die("the engine prints no W/D/L")
    wins, draws, losses = info["wdl"].relative
    return -math.log(max((losses, draws, wins)[result + 1] / 1000, FLOOR))


def measure(engine, tables, name, options, nodes):
    rng = random.Random(f"{name} {options.seed}")
    losses = collections.defaultdict(list)
    while sum(map(len, losses.values())) < options.positions:
        board = random_board(rng, name, options.clock)
        result = value(tables, board)
        if result is None:
            continue
        info = engine.analyse(board, chess.engine.Limit(nodes=nodes), game=object())
        losses[abs(result)].append(loss_of(info, result))
    return losses


def mean(values):
    return sum(values) / len(values) if values else math.nan


def after(board, move):
    board = board.copy()
    board.push(move)
    return board


def perfect(rng, tables, board):
    """A move by the tables: the best result, then the most trouble for the other side."""

    def rank(move):
        child = after(board, move)
        result = -(value(tables, child) or 0)
        if child.is_game_over():
            return (result, 0, 0)
        if result == 0:
            answers = list(child.legal_moves)
            holding = sum((value(tables, after(child, answer)) or 0) >= 0 for answer in answers)
            return (result, -holding / len(answers), rng.random())
        dtz = tables.probe_dtz(child)
        plies = 0 if child.halfmove_clock == 0 else abs(dtz)
        return (result, -plies if result > 0 else plies, rng.random())

    return max(board.legal_moves, key=rank)


def is_over(board):
    """By the rules: python-chess also lets a side claim a repetition that it only could bring about."""
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves() or board.occupied == board.kings


def play(engine, tables, name, options, nodes):
    """Shares of wins won and of draws held, with the counts."""
    rng = random.Random(f"{name} {options.seed}")
    points = {1: [], 0: []}
    tries = 0
    while min(map(len, points.values())) < options.positions and tries < 60 * options.positions:
        tries += 1
        board = random_board(rng, name, False)
        result = value(tables, board)
        # Draws without material to lose, or against a bare king, say nothing.
        if result not in points or len(points[result]) >= options.positions:
            continue
        if result == 0 and bin(board.occupied_co[not board.turn]).count("1") == 1:
            continue
        us, game = board.turn, object()
        while not is_over(board):
            if board.turn == us:
                board.push(engine.play(board, chess.engine.Limit(nodes=nodes), game=game).move)
            else:
                board.push(perfect(rng, tables, board))
            if result == 0 and value(tables, board) == (1 if board.turn != us else -1):
                break
            if result == 0 and board.halfmove_clock > 40:
                break
        if result == 1:
            points[1].append(board.is_checkmate() and board.turn != us)
        else:
            lost = (value(tables, board) or 0) * (1 if board.turn == us else -1) < 0
            points[0].append(not lost)
    return points


def main():
    options = arguments()
    try:
        test(options)
    except (chess.engine.EngineError, chess.syzygy.MissingTableError) as error:
        die(error.args[0])


def test(options):
    # Without those in which nobody can mate.
    classes = options.classes or sorted({path.stem for path in options.tables.glob("*.rtbw")} - {"KBvK", "KNvK"})
    missing = [f"{name}.{kind}" for name in classes for kind in ("rtbw", "rtbz") if not (options.tables / f"{name}.{kind}").is_file()]
    if missing or not classes:
        die(f"{options.tables} has no {', '.join(missing) or 'tables'}")
    settings = accepted(options.engine, ["UCI_ShowWDL=true", *options.option])
    with chess.engine.SimpleEngine.popen_uci(command_words(options.engine), timeout=120) as engine:
        engine.configure(dict(setting.split("=", 1) for setting in settings))
        with chess.syzygy.open_tablebase(str(options.tables)) as tables:
            for nodes in options.nodes:
                total = []
                for name in classes:
                    if options.play:
                        points = play(engine, tables, name, options, nodes)
                        shares = [f"{100 * mean(points[kind]):6.1f} % of {len(points[kind])}" for kind in (1, 0)]
                        print(f"{nodes:>7} {name:<8} won {shares[0]}, held {shares[1]}", flush=True)
                        continue
                    losses = measure(engine, tables, name, options, nodes)
                    every = losses[0] + losses[1]
                    total.append(mean(every))
                    print(
                        f"{nodes:>7} {name:<8} {mean(every):6.3f}   decided {mean(losses[1]):6.3f} ({len(losses[1])})"
                        f"   drawn {mean(losses[0]):6.3f} ({len(losses[0])})",
                        flush=True,
                    )
                if total:
                    print(f"{nodes:>7} mean     {mean(total):6.3f}", flush=True)


if __name__ == "__main__":
    run(main)
