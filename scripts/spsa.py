#!/usr/bin/env python3
"""Tunes the constants of the search by simultaneous perturbation (SPSA): short matches of the engine against itself, all
constants a step to one side against all a step to the other, each side drawn at random; the constants then move towards
the side that won. Needs fastchess on PATH.

    scripts/spsa.py --engine target/release/halfpoint --book book.epd --state run.json --games 6000

Goes on with the state file if there is one, with its constants. The constants so far stand beside it, with .toml for .json, for the UCI
option SearchParams and, if a match confirms them, for engine-params/search.toml.
"""

import argparse
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

# Least and largest value that is tried, and the step to either side: large enough to be felt in a match.
RANGES = {
    "aspiration_centipawns": (8, 60, 4),
    "reverse_futility_wilo": (40, 250, 12),
    "null_move_base": (2048, 7168, 320),
    "null_move_slope": (100, 500, 28),
    "null_move_wilo": (120, 600, 40),
    "futility_base_wilo": (40, 400, 30),
    "futility_slope_wilo": (50, 300, 20),
    "late_move_pruning_base": (3, 24, 2),
    "see_quiet_centipawns": (20, 160, 12),
    "see_noisy_centipawns": (40, 250, 18),
    "late_move_base": (200, 1500, 120),
    "late_move_factor": (250, 800, 35),
    "late_move_history": (4000, 20000, 1300),
    "late_move_cut_node": (0, 2600, 250),
    "late_move_not_improving": (0, 1600, 180),
    "late_move_pv": (200, 2400, 220),
    "late_move_table_capture": (0, 2000, 200),
    "late_move_noisy": (0, 2000, 200),
    "late_move_check": (0, 2000, 200),
    "late_move_deeper_centipawns": (5, 90, 10),
    "delta_wilo": (80, 500, 35),
    "probcut_wilo": (150, 600, 40),
    "singular_double_permille": (10, 80, 7),
    "history_pruning": (1500, 9000, 600),
    "history_bonus_slope": (60, 400, 30),
    "history_bonus_offset": (0, 300, 40),
    "history_bonus_limit": (800, 3600, 250),
    "history_butterfly": (16, 160, 7),
    "history_continuation_1": (16, 160, 7),
    "history_continuation_2": (16, 160, 7),
    "history_continuation_4": (0, 160, 7),
    "history_evaluation": (0, 24, 2),
    "history_evaluation_limit": (300, 3000, 250),
    "history_fail_low": (0, 128, 7),
    "correction_pawns": (0, 200, 8),
    "correction_minors": (0, 200, 8),
    "correction_pieces": (0, 200, 8),
    "correction_rate": (20, 250, 12),
}
# Steps that a constant moves for each game won above the other side, at first.
GAIN = 0.018
# How the gain falls: after one match more than these it is down to two to the power of less the decay.
SETTLING, DECAY = 200, 0.602


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="the binary")
    parser.add_argument("--book", required=True, help="openings, .epd")
    parser.add_argument("--state", required=True, type=pathlib.Path, help="file of the run, .json")
    parser.add_argument("--start", type=pathlib.Path, help="constants to begin with (engine-params/search.toml)")
    parser.add_argument("--games", type=int, default=6000, help="games in all (6000)")
    parser.add_argument("--match", type=int, default=16, help="games of a match, an even number (16)")
    parser.add_argument("--nodes", type=int, default=6000, help="nodes a move (6000)")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count() or 1, help="games at a time (all processors)")
    parser.add_argument("--only", help="names of constants, with commas; all that are known here if missing")
    arguments = parser.parse_args()
    engine = shutil.which(arguments.engine)
    if not engine:
        parser.error(f"no engine {arguments.engine}")
    arguments.engine = str(pathlib.Path(engine).resolve())
    if not pathlib.Path(arguments.book).is_file():
        parser.error(f"no book {arguments.book}")
    arguments.book = str(pathlib.Path(arguments.book).resolve())
    if arguments.match < 2 or arguments.match % 2:
        parser.error("--match is an even number from 2")
    if arguments.state.suffix != ".json" or not arguments.state.parent.is_dir():
        parser.error("--state is a .json file in a directory that exists")
    if not shutil.which("fastchess"):
        parser.error("fastchess is not on PATH")
    return arguments


def read_constant(text, name):
    found = re.search(rf"^{name} = (-?\d+)$", text, re.M)
    if not found:
        sys.exit(f"spsa.py: no whole number {name} in the constants to begin with")
    return int(found[1])


def write_constants(text, values, path):
    # Beside the file, so that it takes its place in one step.
    new = path.with_suffix(".part")
    for name, value in values.items():
        text = re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.M)
    new.write_text(text)
    os.replace(new, path)


def play(arguments, directory, plus, minus):
    """Wins of the first side less those of the second in one match."""
    command = ["fastchess"]
    for name, path in (("plus", plus), ("minus", minus)):
        command += ["-engine", f"cmd={arguments.engine}", f"name={name}", f"option.SearchParams={path}"]
    command += ["-each", "proto=uci", "tc=inf", f"nodes={arguments.nodes}", "option.Hash=8"]
    command += ["-openings", f"file={arguments.book}", "format=epd", "order=random"]
    command += ["-srand", str(random.randrange(1 << 30)), "-rounds", str(arguments.match // 2), "-games", "2", "-repeat"]
    command += ["-concurrency", str(arguments.concurrency), "-scoreinterval", "0", "-ratinginterval", "0"]
    run = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = re.findall(r"Wins: (\d+), Losses: (\d+), Draws: (\d+)", run.stdout)
    wins, losses, draws = map(int, found[-1]) if found else (0, 0, 0)
    if run.returncode or wins + losses + draws != arguments.match:
        sys.exit(f"spsa.py: fastchess did not play the match:\n{run.stdout[-2000:]}")
    return wins - losses


def check_engine(engine, constants):
    """Ends the run if the engine does not take the constants, as it would play on with its own."""
    commands = f"uci\nsetoption name SearchParams value {constants}\nquit\n"
    answer = subprocess.run([engine], input=commands, capture_output=True, text=True, check=False).stdout
    if "option name SearchParams " not in answer:
        sys.exit(f"spsa.py: {engine} has no option SearchParams")
    refusal = next((line for line in answer.splitlines() if line.startswith("info string")), None)
    if refusal:
        sys.exit(f"spsa.py: {engine}: {refusal}")


def round_at_random(value):
    return math.floor(value) + (random.random() < value % 1)


def main():
    arguments = options()
    start = str(arguments.start.resolve()) if arguments.start else None
    settings = {"start": start, "only": arguments.only}
    settings |= {name: getattr(arguments, name) for name in ("engine", "book", "match", "nodes")}
    if arguments.state.exists():
        state = json.loads(arguments.state.read_text())
        text, values = state["text"], state["values"]
        for name, now in settings.items():
            if state["settings"][name] != now:
                sys.exit(f"spsa.py: {arguments.state} was begun with {name} {state['settings'][name]}, not {now}")
    else:
        shipped = pathlib.Path(__file__).resolve().parent.parent / "engine-params" / "search.toml"
        text = (arguments.start or shipped).read_text()
        names = arguments.only.split(",") if arguments.only else list(RANGES)
        unknown = [name for name in names if name not in RANGES]
        if unknown:
            sys.exit(f"spsa.py: unknown constant {unknown[0]}")
        values = {name: read_constant(text, name) for name in names}
        state = {"matches": 0, "games": 0, "values": values, "text": text, "settings": settings}

    def clamp(name, value):
        least, most, _ = RANGES[name]
        return min(max(value, least), most)

    with tempfile.TemporaryDirectory() as directory:
        plus, minus = (pathlib.Path(directory) / name for name in ("plus.toml", "minus.toml"))
        # Beside the state, so that it takes its place in one step.
        new = arguments.state.with_suffix(".new")
        write_constants(text, {}, plus)
        check_engine(arguments.engine, plus)
        while state["games"] < arguments.games:
            signs = {name: random.choice((-1, 1)) for name in values}
            for path, side in ((plus, 1), (minus, -1)):
                moved = {name: clamp(name, value + side * signs[name] * RANGES[name][2]) for name, value in values.items()}
                write_constants(text, {name: round_at_random(value) for name, value in moved.items()}, path)
            lead = play(arguments, directory, plus, minus)
            gain = GAIN * (1 + state["matches"] / (1 + SETTLING)) ** -DECAY
            for name, value in values.items():
                values[name] = clamp(name, value + gain * RANGES[name][2] * lead * signs[name])
            state["matches"] += 1
            state["games"] += arguments.match
            new.write_text(json.dumps(state))
            os.replace(new, arguments.state)
            write_constants(text, {name: round(value) for name, value in values.items()}, arguments.state.with_suffix(".toml"))
            print(f"\r{state['games']} of {arguments.games} games", end="", flush=True)
    print()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nspsa.py: interrupted; the same command goes on")
