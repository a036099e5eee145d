#!/usr/bin/env python3
"""Tunes the constants of the search by simultaneous perturbation (SPSA): short matches of the engine against itself, all
constants a step to one side against all a step to the other, each side drawn at random; the constants then move towards
the side that won. Needs fastchess on PATH.

    cargo build --profile dist --features spsa
    scripts/spsa.py --engine target/dist/halfpoint --book book.epd --state run.json --games 6000

Constants, ranges and steps are those that the engine prints with `params --spsa`; a step of 0 leaves a constant alone.
Goes on with the state file if there is one, with its constants. The constants so far stand beside it, with .toml for
.json, for the UCI option SearchParams and, if a match confirms them, for the table in src/search/params.rs.
"""

import csv
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
import tomllib

from arguments import Engine, Parser, book, die, even_number, program, readable_file, run, time_control, whole_number

# Steps that a constant moves for each game won above the other side, at first.
GAIN = 0.018
# Games that both sides call drawn or decided end there; the rest would cost time and say little.
ADJUDICATION = ["-draw", "movenumber=40", "movecount=8", "score=8"]
ADJUDICATION += ["-resign", "movecount=4", "score=700", "twosided=true"]
# How the gain falls: after one match more than these it is down to two to the power of less the decay.
SETTLING, DECAY = 200, 0.602


def options():
    parser = Parser(__doc__)
    parser.add_argument("--engine", required=True, help="the binary")
    parser.add_argument("--book", required=True, type=book, help="openings, .epd")
    parser.add_argument("--state", required=True, type=pathlib.Path, help="file of the run, .json")
    parser.add_argument("--start", type=readable_file, help="file of constants to begin with (those of the binary)")
    parser.add_argument("--games", type=whole_number, default=6000, help="games in all (6000)")
    parser.add_argument("--match", type=even_number, default=16, help="games of a match, an even number (16)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=whole_number, default=6000, help="nodes a move (6000)")
    limit.add_argument("--tc", type=time_control, help="clock in place of nodes, such as 1+0.01; constants of the time need --only NAME=STEP, too")
    parser.add_argument("--concurrency", type=whole_number, default=os.cpu_count() or 1, help="games at a time (all processors)")
    parser.add_argument("--only", help="names of constants, with commas, each with =STEP if it is to have another step; all that have one if missing")
    arguments = parser.parse_args()
    engine = program(arguments.engine)
    if not engine:
        parser.error(f"no engine {arguments.engine}")
    arguments.engine = engine
    arguments.book = str(arguments.book)
    if arguments.state.suffix != ".json" or not arguments.state.parent.is_dir():
        parser.error("--state is a .json file in a directory that exists")
    if not shutil.which("fastchess"):
        parser.error("fastchess is not on PATH")
    return arguments


def read_table(engine):
    """The numbers that the engine declares for each constant."""
    command = [engine, "params", "--spsa"]
    rows = csv.DictReader(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())
    numbers = ("default", "min", "max", "step")
    try:
        table = {row["name"]: {"whole": row["type"] == "int"} | {name: float(row[name]) for name in numbers} for row in rows}
    except (KeyError, TypeError, ValueError):
        table = {}
    return table or die(f"{' '.join(command)} prints no constants")


def read_start(path):
    try:
        constants = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        die(f"{path}: {error}")
    if not all(isinstance(value, (int, float)) for value in constants.values()):
        die(f"{path}: not all constants are numbers")
    return constants


def read_state(path):
    try:
        state = json.loads(path.read_text())
        return {name: state[name] for name in ("matches", "games", "values", "fixed", "settings")}
    except (OSError, ValueError, TypeError, KeyError) as error:
        die(f"{path} is not the state of a run: {error}")


def choose(table, only):
    """The constants that are tuned, with their steps."""
    if not only:
        steps = {name: number["step"] for name, number in table.items() if number["step"] > 0}
        return steps or die("no constant has a step: give --only NAME=STEP")
    steps = {}
    for item in only.split(","):
        name, _, step = item.partition("=")
        if name not in table:
            die(f"unknown constant {name}")
        try:
            steps[name] = float(step) if step else table[name]["step"]
        except ValueError:
            steps[name] = 0
        if not 0 < steps[name] < math.inf:
            die(f"{name} needs a step: {name}=STEP")
    return steps


def write_constants(start, values, path):
    # Beside the file, so that it takes its place in one step.
    new = path.with_suffix(".part")
    new.write_text("".join(f"{name} = {value}\n" for name, value in (start | values).items()))
    os.replace(new, path)


def play(arguments, directory, plus, minus):
    """Wins of the first side less those of the second in one match."""
    command = ["fastchess"]
    for name, path in (("plus", plus), ("minus", minus)):
        command += ["-engine", f"cmd={arguments.engine}", f"name={name}", f"option.SearchParams={path}"]
    limit = [f"tc={arguments.tc}"] if arguments.tc else ["tc=inf", f"nodes={arguments.nodes}"]
    command += ["-each", "proto=uci", *limit, "option.Hash=8"]
    command += ["-openings", f"file={arguments.book}", f"format={pathlib.Path(arguments.book).suffix[1:]}", "order=random"]
    command += ["-srand", str(random.randrange(1 << 30)), "-rounds", str(arguments.match // 2), "-games", "2", "-repeat"]
    command += ADJUDICATION
    command += ["-concurrency", str(arguments.concurrency), "-scoreinterval", "0", "-ratinginterval", "0"]
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = re.findall(r"Wins: (\d+), Losses: (\d+), Draws: (\d+)", done.stdout)
    wins, losses, draws = map(int, found[-1]) if found else (0, 0, 0)
    if done.returncode or wins + losses + draws != arguments.match:
        die(f"fastchess did not play the match:\n{done.stdout[-2000:]}")
    return wins - losses


def check_engine(engine, constants):
    """Ends the run if the engine does not take the constants, as it would play on with its own."""
    trial = Engine(engine)
    if "searchparams" not in trial.options:
        die(f"{engine} has no option SearchParams; build it with --features spsa")
    trial.configure([f"SearchParams={constants}"])
    trial.quit()


def round_at_random(value):
    return math.floor(value) + (random.random() < value % 1)


def main():
    arguments = options()
    try:
        tune(arguments)
    except KeyboardInterrupt:
        sys.exit("\nspsa.py: interrupted; the same command goes on")


def tune(arguments):
    table = read_table(arguments.engine)
    steps = choose(table, arguments.only)
    start = str(arguments.start) if arguments.start else None
    settings = {"start": start, "only": arguments.only, "adjudication": ADJUDICATION}
    settings |= {name: getattr(arguments, name) for name in ("engine", "book", "match", "nodes", "tc")}
    if arguments.state.exists():
        state = read_state(arguments.state)
        fixed, values = state["fixed"], state["values"]
        for name, now in settings.items():
            before = state["settings"].get(name)
            if before != now:
                die(f"{arguments.state} was begun with {name} {before}, not {now}")
        if set(values) != set(steps):
            die(f"{arguments.state} was begun with other constants than {arguments.engine} has")
    else:
        fixed = read_start(arguments.start) if arguments.start else {}
        values = {name: fixed.get(name, table[name]["default"]) for name in steps}
        state = {"matches": 0, "games": 0, "values": values, "fixed": fixed, "settings": settings}

    def clamp(name, value):
        return min(max(value, table[name]["min"]), table[name]["max"])

    def rounded(values, rounding):
        return {name: rounding(value) if table[name]["whole"] else value for name, value in values.items()}

    with tempfile.TemporaryDirectory() as directory:
        plus, minus = (pathlib.Path(directory) / name for name in ("plus.toml", "minus.toml"))
        # Beside the state, so that it takes its place in one step.
        new = arguments.state.with_suffix(".new")
        write_constants(fixed, rounded(values, round), plus)
        check_engine(arguments.engine, plus)
        while state["games"] < arguments.games:
            signs = {name: random.choice((-1, 1)) for name in values}
            for path, side in ((plus, 1), (minus, -1)):
                moved = {name: clamp(name, value + side * signs[name] * steps[name]) for name, value in values.items()}
                write_constants(fixed, rounded(moved, round_at_random), path)
            lead = play(arguments, directory, plus, minus)
            gain = GAIN * (1 + state["matches"] / (1 + SETTLING)) ** -DECAY
            for name, value in values.items():
                values[name] = clamp(name, value + gain * steps[name] * lead * signs[name])
            state["matches"] += 1
            state["games"] += arguments.match
            new.write_text(json.dumps(state))
            os.replace(new, arguments.state)
            write_constants(fixed, rounded(values, round), arguments.state.with_suffix(".toml"))
            print(f"\r{state['games']} of {arguments.games} games", end="", flush=True)
    # Where the run was done before, too.
    print(f"\r{state['games']} of {arguments.games} games")


if __name__ == "__main__":
    run(main)
