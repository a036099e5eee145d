#!/usr/bin/env python3
"""Plays neighbouring levels of UCI_Elo against each other, and prints the Elo that each step is worth with its 95 % interval.
fastchess, which must be on PATH or be named, plays. Openings are the players' own: moves are drawn.

    scripts/ladder.py --engine target/release/halfpoint --games 200
    scripts/ladder.py --engine target/release/halfpoint --levels 1400 1800 --games 60

With --anchor the levels play against another engine with UCI_LimitStrength at the same UCI_Elo instead of each other:

    scripts/ladder.py --engine target/release/halfpoint --anchor stockfish --levels 1400 1800 2200 --tc 60+0.6 --games 40

Games go to the folder --out. What is there already counts, and only the games that are missing are played. Beside each file
stand the settings of its games; with others it is an error.
"""

import math
import pathlib
import re
import subprocess
import tempfile

from arguments import Parser, accepted, die, even_number, option, program, run, time_control, whole_number

LEVELS = range(600, 2601, 200)
# Centipawns at which a game is over if both sides print them three times.
RESIGN_CP = 1000
# What fastchess calls a game's result.
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def arguments():
    parser = Parser(__doc__)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--fastchess", default="fastchess")
    parser.add_argument("--levels", nargs="+", type=whole_number, default=list(LEVELS), metavar="ELO")
    parser.add_argument("--games", type=even_number, default=200, help="for each pair")
    parser.add_argument("--depth", type=whole_number, default=8, help="limit of each move; the opponent looks no deeper than 8")
    parser.add_argument("--tc", type=time_control, help="a clock in place of the depth")
    parser.add_argument("--option", type=option, action="append", default=[], help="NAME=VALUE for all levels")
    parser.add_argument("--class", dest="time_class", default="blitz", help="WDL_TimeControl")
    parser.add_argument("--anchor", metavar="CMD", help="another engine to play against")
    parser.add_argument("--anchor-nodes", type=whole_number, metavar="N", help="its limit of each move, without a clock")
    parser.add_argument("--concurrency", type=whole_number, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("target/ladder"))
    asked = parser.parse_args()
    if len(set(asked.levels)) < len(asked.levels):
        parser.error("--levels: each once")
    if len(asked.levels) < 2 and not asked.anchor:
        parser.error("--levels: at least 2 without --anchor")
    if asked.anchor and not (asked.tc or asked.anchor_nodes):
        parser.error("--anchor needs --tc or --anchor-nodes")
    for name in ("engine", "anchor", "fastchess"):
        if (given := getattr(asked, name)) and not (path := program(given)):
            parser.error(f"--{name}: no program '{given}'")
        elif given:
            setattr(asked, name, path)
    return asked


def settings(asked, elo):
    return ["UCI_LimitStrength=true", f"UCI_Elo={elo}", f"WDL_TimeControl={asked.time_class}", *asked.option]


def player(command, name, settings, limit):
    """What fastchess is told of a player."""
    options = [f"option.{setting}" for setting in accepted(command, settings)]
    return ["-engine", f"cmd={command}", f"name={name}", *options, *limit]


def players(asked):
    """The levels by their rating, and the anchors if they play against another engine."""
    limit = [] if asked.tc else [f"depth={asked.depth}"]
    own = {elo: player(asked.engine, f"halfpoint {elo}", settings(asked, elo), limit) for elo in asked.levels}
    if not asked.anchor:
        return own, own
    limit = [f"nodes={asked.anchor_nodes}"] if asked.anchor_nodes else []
    strength = "UCI_LimitStrength=true"
    return own, {elo: player(asked.anchor, "anchor", [strength, f"UCI_Elo={elo}"], limit) for elo in asked.levels}


def play(asked, games, first, second, path):
    limit = [f"tc={asked.tc}"] if asked.tc else ["tc=inf"]
    command = [asked.fastchess, *first, *second, "-each", *limit, "-rounds", str(games // 2), "-games", "2", "-repeat"]
    command += ["-concurrency", str(asked.concurrency), "-maxmoves", "200", "-pgnout", f"file={path}", "append=true"]
    command += ["-resign", "movecount=3", f"score={RESIGN_CP}", "twosided=true", "-recover", "-autosaveinterval", "0"]
    with tempfile.TemporaryDirectory() as folder:
        # Its state goes there; the engines stay in this folder, in which their files were named.
        command += ["-config", f"outname={folder}/state.json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not path.exists():
        die((done.stdout + done.stderr).strip().rpartition("\n")[2] or "fastchess did not play")


def check(path, settings):
    """Ends if the games that are there were played otherwise, or notes how those to come are."""
    file = path.with_suffix(".settings")
    if not path.exists():
        file.write_text(settings, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != settings:
        die(f"{path} has games of other settings: move it away, or choose another --out")


def score(path, name):
    """Points of a player, game by game."""
    text = path.read_text(encoding="utf-8")
    whites, results = (re.findall(rf'^\[{tag} "(.*)"\]$', text, re.M) for tag in ("White", "Result"))
    return [POINTS[r] if white == name else 1 - POINTS[r] for white, r in zip(whites, results) if r in POINTS]


def elo(share):
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share / (1 - share))


def main():
    asked = arguments()
    own, others = players(asked)
    folder = asked.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [(level, level) for level in asked.levels] if asked.anchor else list(zip(asked.levels[1:], asked.levels))
    print(f"{'pair':<24} {'games':>5} {'score':>6}  Elo")
    for strong, weak in pairs:
        path = folder / (f"anchor-{strong}.pgn" if asked.anchor else f"{strong}-{weak}.pgn")
        check(path, "\n".join([*own[strong], *others[weak], f"tc={asked.tc}"]) + "\n")
        missing = asked.games - (len(score(path, "")) if path.exists() else 0)
        if missing >= 2:
            play(asked, missing, own[strong], others[weak], path)
        points = score(path, f"halfpoint {strong}")
        if not points:
            die(f"{path} has no game with a result")
        mean = sum(points) / len(points)
        error = 1.96 * math.sqrt(sum((p - mean) ** 2 for p in points) / len(points) / len(points))
        name = f"{strong} against {'anchor' if asked.anchor else weak}"
        # Games that all end alike bound the difference from one side alone, and not by their spread.
        interval = f"{elo(mean):+.0f} ({elo(mean - error):+.0f} to {elo(mean + error):+.0f})" if error else "all games ended alike"
        print(f"{name:<24} {len(points):>5} {mean:>6.3f}  {interval}", flush=True)


if __name__ == "__main__":
    run(main)
