#!/usr/bin/env python3
"""How true the marks of `halfpoint analyse` are: its ? and ?? against the losses that Stockfish finds.

    scripts/marks.py choose FOLDER --seed 1 --out games.pgn     # 10 games of each of three levels, from *.pgn.zst
    scripts/marks.py judge games.pgn --cache judged.json --report before.json --report after.json
    scripts/marks.py measure games.pgn --cache judged.json --report after.json

`judge` searches every position with few nodes, those around moves that are marked in a report or lose half the threshold of a
mistake with more, and those around moves whose loss is near a limit with 2 million. Losses are in Win%: by lichess' formula, or
with `--own-scale` by a logistic curve of Stockfish's centipawns for each level, fitted to the W/D/L of equals in the report. Of the
moves marked ? or ??, the share that loses less than half of its threshold should be small; so should the share without such
a mark among the moves that lose twice the threshold of a mistake. The cache keeps all scores, so that work goes on.

Needs python-chess, zstd and Stockfish."""

import json
import math
import pathlib
import random
import re
import subprocess

from arguments import Parser, accepted, command_words, die, directory, package, readable_file, run, whole_number

chess = package("chess", "engine", "pgn")

# Mean ratings of the levels.
LEVELS = {"800-1299": (800, 1300), "1500-1799": (1500, 1800), "2100-2599": (2100, 2600)}
# Moves of a game, so that it is neither a miniature nor a shuffle.
MOVES = (20, 60)
# Win% from which on a move is a mistake, a blunder.
THRESHOLDS = {"Mistake": 10.0, "Blunder": 20.0}
# A loss is near a limit from the limit divided by this to the limit times this.
NEAR = 1.6


def texts(folder):
    """The games of a folder of *.pgn.zst, each as text."""
    for path in sorted(pathlib.Path(folder).glob("*.pgn.zst")):
        unpacked = subprocess.run(["zstd", "-dc", path], capture_output=True, check=True, text=True, errors="replace")
        yield from re.split(r"\n(?=\[Event )", unpacked.stdout)


def choose(arguments):
    found = {level: [] for level in LEVELS}
    for text in texts(arguments.folder):
        ratings = [int(elo) for elo in re.findall(r'^\[(?:White|Black)Elo "(\d+)"\]', text, re.MULTILINE)]
        numbers = [int(number) for number in re.findall(r"(?:^|\s)(\d+)\.", text)]
        if len(ratings) != 2 or "[FEN " in text or not numbers or not MOVES[0] <= max(numbers) <= MOVES[1]:
            continue
        for level, (low, high) in LEVELS.items():
            if low <= sum(ratings) / 2 < high:
                found[level].append(text.strip())
    if few := [level for level in LEVELS if len(found[level]) < arguments.games]:
        die(f"{arguments.folder}: fewer than {arguments.games} games of {', '.join(few)} in *.pgn.zst")
    chooser = random.Random(arguments.seed)
    games = [text for level in LEVELS for text in chooser.sample(found[level], arguments.games)]
    pathlib.Path(arguments.out).write_text("\n\n".join(games) + "\n")
    print({level: len(games) for level, games in found.items()}, f"seed {arguments.seed}")


def games(path):
    """The positions of each game of a file."""
    found = []
    with open(path, errors="replace") as file:
        try:
            while game := chess.pgn.read_game(file):
                found.append(positions(game))
        except (IndexError, ValueError) as error:
            die(f"{path} is no PGN: {error}")
    if not any(len(fens) > 1 for fens in found):
        die(f"{path} has no moves")
    return found


def positions(game):
    board = game.board()
    fens = [board.fen()]
    for move in game.mainline_moves():
        board.push(move)
        fens.append(board.fen())
    return fens


# Win% at so many centipawns are 100 / (1 + exp(-STEEPNESS·cp)): lichess' curve.
STEEPNESS = 0.00368208


def win_percent(cp, steepness=STEEPNESS):
    return 100 / (1 + math.exp(-steepness * max(-1000, min(1000, cp))))


class Judge:
    """Stockfish's scores with a cache: FEN to nodes and White's centipawns."""

    def __init__(self, cache, engine=None):
        self.path = pathlib.Path(cache)
        try:
            self.known = {fen: (nodes, cp) for fen, (nodes, cp) in json.loads(self.path.read_text()).items()}
        except FileNotFoundError:
            # Whoever has an engine makes the cache.
            self.known = {} if engine else die(f"no cache '{cache}': `judge` makes it")
        except (AttributeError, TypeError, ValueError):
            die(f"{cache} is no cache of `judge`")
        self.engine = engine

    def save(self):
        self.path.write_text(json.dumps(self.known))

    def look(self, fen, nodes):
        if self.known.get(fen, [0])[0] >= nodes:
            return
        board = chess.Board(fen)
        if board.is_game_over():
            cp = 0 if not board.is_checkmate() else 1000 if board.turn == chess.BLACK else -1000
            self.known[fen] = [1 << 40, cp]
            return
        info = self.engine.analyse(board, chess.engine.Limit(nodes=nodes))
        self.known[fen] = [nodes, info["score"].white().score(mate_score=1000)]

    def loss(self, before, after, steepness=STEEPNESS):
        """Win% that a move lost for who made it."""
        sign = 1 if " w " in before else -1
        return sign * (win_percent(self.known[before][1], steepness) - win_percent(self.known[after][1], steepness))


def marks(report):
    return [move.get("judgment", {}).get("name") for move in report["analysis"]]


def reports(path, played):
    """The reports of a file by the number of their game, of games that were played."""
    try:
        found = [json.loads(line) for line in path.read_text().splitlines()]
        numbers = {report["number"]: report for report in found}
        fitting = [len(report["analysis"]) < len(played[number - 1]) for number, report in numbers.items()]
    except IndexError:
        fitting = [False]
    except (KeyError, TypeError, ValueError):
        die(f"{path} is not what `halfpoint analyse --json` writes")
    if not fitting or not all(fitting):
        die(f"{path} is not of these games")
    return numbers


def is_near(name, loss):
    """Whether a move's loss is near a limit that counts for its mark."""
    limits = [2 * THRESHOLDS["Mistake"], THRESHOLDS[name] / 2] if name in THRESHOLDS else [2 * THRESHOLDS["Mistake"]]
    return any(limit / NEAR <= loss <= limit * NEAR for limit in limits)


def judge(arguments):
    played = games(arguments.games)
    told = [reports(path, played) for path in arguments.report]
    settings = accepted(arguments.judge, ["Threads=1", "Hash=128"])
    with chess.engine.SimpleEngine.popen_uci(command_words(arguments.judge)) as engine:
        engine.configure(dict(setting.split("=") for setting in settings))
        judge = Judge(arguments.cache, engine)
        # Each look goes through all games, so that a run that is broken off has seen all of them.
        for look, nodes in enumerate(arguments.nodes):
            for number, fens in enumerate(played, 1):
                marked = [marks(report[number]) for report in told if number in report]
                for ply in reversed(range(len(fens) - 1)):
                    pair = fens[ply + 1], fens[ply]
                    if look > 0:
                        names = [names[ply] for names in marked if ply < len(names)]
                        loss = judge.loss(fens[ply], fens[ply + 1])
                        is_bad = loss >= THRESHOLDS["Mistake"] / 2 or any(name in THRESHOLDS for name in names)
                        if not is_bad or look > 1 and not any(is_near(name, loss) for name in [None, *names]):
                            continue
                    for fen in pair:
                        judge.look(fen, nodes)
                judge.save()
                print(f"{nodes} nodes: game {number}", flush=True)


def own_steepness(judge, pairs):
    """The steepness with which Stockfish's centipawns tell the chances of equals in reports best, by least squares."""
    points = []
    for fens, report in pairs:
        for fen, position in zip(fens, [report["start"], *report["analysis"]]):
            win, draw, _ = position.get("equals", position["wdl"])
            points.append((judge.known[fen][1], (win + draw / 2) / 10))
    error = lambda steepness: sum((win_percent(cp, steepness) - chance) ** 2 for cp, chance in points)
    return min((step / 10_000 for step in range(10, 120)), key=error)


def measure(arguments):
    judge, played = Judge(arguments.cache), games(arguments.games)
    if len(played) > len(LEVELS) * arguments.count:
        die(f"{arguments.games} has more than {arguments.count} games of each level: give --count")
    for path in arguments.report:
        told, levels = reports(path, played), {level: [] for level in LEVELS}
        for number, fens in enumerate(played, 1):
            if number in told and all(fen in judge.known for fen in fens):
                levels[list(LEVELS)[(number - 1) // arguments.count]].append((fens, told[number]))
        if not any(levels.values()):
            die(f"{arguments.cache} has no whole game of {path}")
        total = [0, 0, 0, 0]
        for level, pairs in levels.items():
            steepness = own_steepness(judge, pairs) if arguments.own_scale and pairs else STEEPNESS
            sums = [0, 0, 0, 0]
            for fens, report in pairs:
                for ply, name in enumerate(marks(report)):
                    loss = judge.loss(fens[ply], fens[ply + 1], steepness)
                    is_marked, is_bad = name in THRESHOLDS, loss >= 2 * THRESHOLDS["Mistake"]
                    is_false = is_marked and loss < THRESHOLDS[name] / 2
                    sums = [a + b for a, b in zip(sums, [is_marked, is_false, is_bad, is_bad and not is_marked])]
                    if arguments.verbose and (is_false or is_bad and not is_marked):
                        lost = 100 * report["analysis"][ply]["lost"]["total"]
                        print(f"game {report['number']} ply {ply + 1} {report['moves'].split()[ply]} {name}:"
                              f" lost {loss:.1f}, by the report {lost:.1f}; {fens[ply]}")
            print(f"{path} {level}: {describe(sums)}")
            total = [a + b for a, b in zip(total, sums)]
        print(f"{path}: {describe(total)}")


def describe(sums):
    marked, false, bad, missed = sums
    return (f"{marked} marked ? or ??, {false} of them ({100 * false / max(1, marked):.0f} %) lose less than half of their threshold;"
            f" {bad} moves lose twice the threshold of a mistake, {missed} of them ({100 * missed / max(1, bad):.0f} %) are not marked")


def main():
    parser = Parser(__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("choose")
    command.add_argument("folder", type=directory)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--out", default="games.pgn")
    command.set_defaults(run=choose)
    for name, work in (("judge", judge), ("measure", measure)):
        command = commands.add_parser(name)
        command.add_argument("games", type=readable_file)
        command.add_argument("--cache", required=True)
        # Positions are judged without a report, too.
        command.add_argument("--report", type=readable_file, action="append", default=[], required=name == "measure")
        command.set_defaults(run=work)
        if name == "judge":
            command.add_argument("--judge", default="stockfish")
            command.add_argument("--nodes", type=whole_number, nargs=3, default=[60_000, 500_000, 2_000_000],
                                 help="of all positions, of those around bad and marked moves, of those near a limit")
        else:
            command.add_argument("--own-scale", action="store_true", help="Win%% by the report's own W/D/L of equals")
            command.add_argument("--verbose", action="store_true", help="print each false and each missing mark")
    for command in commands.choices.values():
        command.add_argument("--count", dest="games" if command is commands.choices["choose"] else "count", type=whole_number, default=10,
                             help="games of each level")
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except chess.engine.EngineError as error:
        die(error.args[0])


if __name__ == "__main__":
    run(main)
