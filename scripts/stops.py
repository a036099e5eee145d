#!/usr/bin/env python3
"""Measures how long a searching engine takes from `isready` to `readyok` and from `stop` to `bestmove`, in endless
searches of positions of a file. Standard library only.

    scripts/stops.py --engine target/dist/halfpoint --option Threads=2 --stops 500 wac.epd
"""

import argparse
import pathlib
import random
import statistics
import subprocess
import sys
import time

# Seconds that a search runs before it is stopped.
SHORTEST, LONGEST = 0.02, 0.12


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=pathlib.Path, help="EPD, or a FEN in each line")
    parser.add_argument("--engine", required=True, metavar="CMD", help="a UCI engine")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    parser.add_argument("--stops", type=int, default=500, help="500 if missing")
    parser.add_argument("--seed", type=int, default=1, help="chooses positions and times, 1 if missing")
    chosen = parser.parse_args()
    if chosen.stops < 2:
        parser.error("--stops: at least 2")
    return chosen


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            sys.exit(f"stops.py: the engine does not take '{line}': {error.strerror}")

    def read_until(self, word):
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return
        sys.exit(f"stops.py: the engine ended before it said '{word}'")


def main():
    chosen = arguments()
    try:
        lines = chosen.positions.read_text().splitlines()
    except OSError as error:
        sys.exit(f"stops.py: {chosen.positions}: {error.strerror}")
    boards = [" ".join(line.split()[:4]) + " 0 1" for line in lines if len(line.split()) >= 4 and line[0] != "#"]
    if not boards:
        sys.exit(f"stops.py: {chosen.positions} has no positions")
    try:
        engine = Engine(chosen.engine)
    except OSError as error:
        sys.exit(f"stops.py: {chosen.engine}: {error.strerror}")
    rng = random.Random(chosen.seed)
    engine.say("uci")
    engine.read_until("uciok")
    for option in chosen.option:
        name, _, value = option.partition("=")
        engine.say(f"setoption name {name} value {value}")
    to_ready, to_move = [], []

    def ask(command, answer, milliseconds):
        start = time.perf_counter()
        engine.say(command)
        engine.read_until(answer)
        milliseconds.append(1000 * (time.perf_counter() - start))

    for _ in range(chosen.stops):
        engine.say(f"position fen {rng.choice(boards)}")
        engine.say("isready")
        engine.read_until("readyok")
        engine.say("go infinite")
        time.sleep(rng.uniform(SHORTEST, LONGEST))
        ask("isready", "readyok", to_ready)
        ask("stop", "bestmove", to_move)
    engine.say("quit")
    for name, milliseconds in [("isready", to_ready), ("stop", to_move)]:
        percentile = statistics.quantiles(milliseconds, n=100, method="inclusive")[98]
        print(
            f"{chosen.stops} {name}: median {statistics.median(milliseconds):.2f} ms, "
            f"99th percentile {percentile:.2f} ms, longest {max(milliseconds):.2f} ms"
        )


if __name__ == "__main__":
    main()
