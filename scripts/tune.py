#!/usr/bin/env python3
"""From nothing but the engine to better weights: self-play, tuning, a match. Standard library only.

    scripts/tune.py --book book.epd
    scripts/tune.py --book book.epd --games 60000 --nodes 5000 --hard-nodes 5000 --syzygy TABLES --generations 2
    scripts/tune.py --dir data -- --lambda-wilo 0.45

Plays games of the engine against itself, tunes the weights of the evaluation from them, and plays the new weights
against the old ones. Small by default: minutes, too few games for weights to ship. With more than one generation, each
plays with the weights of the one before. Options after -- go to `halfpoint-lab tune`; without any it has these:

    --lambda-wilo 0.45 --skip-plies 8 --smooth-wilo 15 --smooth-draw 10

In DIR: games-N.vf, eval-N.toml, eval-N.record.md and report-N/index.html of each generation. An interrupted run goes on
where it was with the same command; a generation with a record is not done again. To ship weights, copy eval-N.toml to
engine-params/eval.toml and rebuild.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from arguments import CACHE, ROOT, Parser, book, die, directory, even_number, program, readable_file, run, time_control
from arguments import whole_number

TUNE_OPTIONS = "--lambda-wilo 0.45 --skip-plies 8 --smooth-wilo 15 --smooth-draw 10".split()
EXE = ".exe" if os.name == "nt" else ""


def parse_arguments():
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    parser = Parser(__doc__)
    add = parser.add_argument
    add("--engine", metavar="CMD", help="the engine, with halfpoint-lab beside it; built if missing")
    add("--dir", type=pathlib.Path, default=CACHE / "tuning", help="where all goes (tuning/ in the cache directory)")
    add("--start", metavar="FILE", type=readable_file, help="weights to begin with; those of the engine if missing")
    add("--generations", metavar="N", type=whole_number, default=1, help="how often (1)")
    add("--games", metavar="N", type=whole_number, default=500, help="games of self-play in each generation (500)")
    add("--nodes", metavar="N", type=whole_number, default=2000, help="nodes a move in self-play (2000)")
    add("--hard-nodes", metavar="N", type=whole_number, help="most nodes a move; as `datagen` has it if missing")
    add("--syzygy", metavar="DIR", type=directory, help="tables that end games of self-play")
    add("--openings", metavar="WHAT", default="random:8", help="random:PLIES or a file, for self-play (random:8)")
    add("--seed", metavar="N", type=whole_number, default=1, help="of openings and tuning; one more each generation (1)")
    processors = os.cpu_count() or 1
    add("--threads", metavar="N", type=whole_number, default=processors, help="games at a time (all processors)")
    add("--book", type=book, default=os.environ.get("HALFPOINT_BOOK"), help="openings of the match ($HALFPOINT_BOOK)")
    add("--match-games", metavar="N", type=even_number, default=100, help="games of the match, an even number (100)")
    add("--tc", type=time_control, default="1+0.01", help="time control of the match (1+0.01)")
    arguments = parser.parse_args(words[:end])
    # Asked now, before hours of self-play.
    if arguments.book and not shutil.which("fastchess"):
        parser.error("fastchess is not on PATH for the match; without --book there is none")
    return arguments, words[end + 1 :] or TUNE_OPTIONS


def execute(*command):
    if status := subprocess.run(list(map(str, command)), check=False).returncode:
        sys.exit(status)


def tune(lab, arguments, options, start, generation):
    """Self-play and tuning of one generation. Returns the file with the new weights."""
    data, weights, report = (
        arguments.dir / name.format(generation) for name in ("games-{}.vf", "eval-{}.toml", "report-{}")
    )
    # `tune` writes the record last.
    if weights.with_suffix(".record.md").exists():
        return weights
    seed, threads = str(arguments.seed + generation - 1), str(arguments.threads)
    print(f"generation {generation}: {arguments.games} games at {arguments.nodes} nodes a move", flush=True)
    play = [lab, "datagen", "--games", arguments.games, "--nodes", arguments.nodes, "--openings", arguments.openings]
    play += ["--seed", seed, "--threads", threads, "--out", data]
    for name, value in (("hard-nodes", arguments.hard_nodes), ("syzygy", arguments.syzygy), ("params", start)):
        play += [f"--{name}", value] if value else []
    execute(*play)
    print(f"generation {generation}: tuning", flush=True)
    command = [lab, "tune", data, "--seed", seed, "--threads", threads, "--out", weights, "--report", report]
    command += ["--start", start] if start else []
    execute(*command, *options)
    return weights


def play_match(engine, arguments, start, weights, generation):
    print(f"generation {generation}: the new weights (a) against the old ones (b)", flush=True)
    pgn = arguments.dir / f"match-{generation}.pgn"
    command = [sys.executable, ROOT / "scripts" / "match.py", "--engine-a", engine, "--params-a", weights]
    command += ["--params-b", start] if start else []
    command += ["--name-a", "new", "--name-b", "old", "--book", arguments.book, "--games", arguments.match_games]
    command += ["--tc", arguments.tc, "--concurrency", arguments.threads, "--pgn", pgn]
    execute(*command, *(["--resume"] if pgn.exists() else []))


def main():
    arguments, options = parse_arguments()
    if arguments.engine:
        engine = pathlib.Path(arguments.engine)
    else:
        execute("cargo", "build", "--release", "--quiet", "--locked", "--workspace", "--manifest-path", ROOT / "Cargo.toml")
        engine = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / f"halfpoint{EXE}"
    lab = engine.with_name(f"halfpoint-lab{engine.suffix}")
    for path in (engine, lab):
        if not program(str(path)):
            die(f"no program '{path}'")
    arguments.dir.mkdir(parents=True, exist_ok=True)
    start = arguments.start
    for generation in range(1, arguments.generations + 1):
        weights = tune(lab, arguments, options, start, generation)
        if arguments.book:
            play_match(engine, arguments, start, weights, generation)
        start = weights
    print(f"the new weights are {start}")


if __name__ == "__main__":
    run(main)
