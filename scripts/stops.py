#!/usr/bin/env python3
"""Measures how long a searching engine takes from `isready` to `readyok` and from `stop` to `bestmove`, in endless
searches of positions of a file. Standard library only.

    scripts/stops.py --engine target/dist/halfpoint --option Threads=2 --stops 500 wac.epd
"""

import random
import statistics
import time

from arguments import Engine, Parser, die, option, readable_file, run, whole_number

# Seconds that a search runs before it is stopped.
SHORTEST, LONGEST = 0.02, 0.12


def arguments():
    parser = Parser(__doc__)
    parser.add_argument("positions", type=readable_file, help="EPD, or a FEN in each line")
    parser.add_argument("--engine", required=True, metavar="CMD", help="a UCI engine")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    parser.add_argument("--stops", type=whole_number, default=500, help="500 if missing")
    parser.add_argument("--seed", type=int, default=1, help="chooses positions and times, 1 if missing")
    chosen = parser.parse_args()
    if chosen.stops < 2:
        parser.error("--stops: at least 2")
    return chosen


def main():
    chosen = arguments()
    lines = chosen.positions.read_text(errors="replace").splitlines()
    boards = [" ".join(line.split()[:4]) + " 0 1" for line in lines if len(line.split()) >= 4 and line[0] != "#"]
    if not boards:
        die(f"{chosen.positions} has no positions")
    engine = Engine(chosen.engine)
    rng = random.Random(chosen.seed)
    engine.configure(chosen.option)
    to_ready, to_move = [], []

    def ask(command, answer, milliseconds):
        start = time.perf_counter()
        before = engine.ask(command, answer)
        milliseconds.append(1000 * (time.perf_counter() - start))
        if any(line.startswith("bestmove") for line in before):
            die(f"the engine ended its search of '{board}' by itself")

    for _ in range(chosen.stops):
        board = rng.choice(boards)
        engine.say(f"position fen {board}")
        refusal = [line for line in engine.ask("isready", "readyok") if line.startswith("info string position")]
        if refusal:
            die(f"{chosen.positions}: {refusal[0]}")
        engine.say("go infinite")
        time.sleep(rng.uniform(SHORTEST, LONGEST))
        ask("isready", "readyok", to_ready)
        ask("stop", "bestmove", to_move)
    engine.quit()
    for name, milliseconds in [("isready", to_ready), ("stop", to_move)]:
        percentile = statistics.quantiles(milliseconds, n=100, method="inclusive")[98]
        print(
            f"{chosen.stops} {name}: median {statistics.median(milliseconds):.2f} ms, "
            f"99th percentile {percentile:.2f} ms, longest {max(milliseconds):.2f} ms"
        )


if __name__ == "__main__":
    run(main)
