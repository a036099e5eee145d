#!/usr/bin/env python3
"""Measures the memory of a UCI engine on Linux: what each size of Hash takes, and whether the resident size stays
level over new games and over an analysis. Standard library only.

    scripts/memory.py --engine target/release/halfpoint --games 1000 --minutes 120
"""

import pathlib
import re
import time

from arguments import Engine, Parser, die, positive_number, run, whole_number

# MiB of Hash whose memory is compared with that of 1 MiB.
SIZES = [16, 64, 256, 1024]
# Seconds between two looks during the analysis.
INTERVAL = 10
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"


def arguments():
    parser = Parser(__doc__)
    parser.add_argument("--engine", required=True, metavar="CMD", help="a UCI engine")
    parser.add_argument("--games", type=whole_number, default=1000, help="new games, 1000 if missing")
    parser.add_argument("--minutes", type=positive_number, default=5, help="of analysis; 5 if missing")
    return parser.parse_args()


def resident(engine):
    """Memory in use, MiB."""
    status = pathlib.Path(f"/proc/{engine.process.pid}/status").read_text()
    size = re.search(r"^VmRSS:\s+(\d+)", status, re.MULTILINE)
    return int(size[1]) / 1024 if size else die("the engine has ended")


def with_hash(command, mib):
    engine = Engine(command)
    engine.configure([f"Hash={mib}"])
    size = resident(engine)
    engine.quit()
    return size


def main():
    chosen = arguments()
    least = with_hash(chosen.engine, 1)
    print(f"Hash 1: {least:.1f} MiB in all")
    for mib in SIZES:
        more, asked = with_hash(chosen.engine, mib) - least, mib - 1
        print(f"Hash {mib}: {more:.1f} MiB more, asked for {asked} more ({100 * more / asked - 100:+.1f} %)")

    engine = Engine(chosen.engine)
    sizes = []
    for _ in range(chosen.games):
        engine.ask("ucinewgame\nposition startpos\ngo nodes 2000", "bestmove")
        sizes.append(resident(engine))
    tenth = max(1, len(sizes) // 10)
    first, early, last = sizes[0], sizes[tenth - 1], sizes[-1]
    print(f"{len(sizes)} new games: {first:.1f} MiB after one, {early:.1f} after {tenth}, {last:.1f} at the end")

    engine.configure(["Hash=16"])
    engine.say(f"position fen {MIDDLEGAME}\ngo infinite")
    sizes = []
    end = time.monotonic() + 60 * chosen.minutes
    while time.monotonic() < end:
        time.sleep(min(INTERVAL, 60 * chosen.minutes))
        sizes.append(resident(engine))
    engine.ask("stop", "bestmove")
    engine.quit()
    first, most, last = sizes[0], max(sizes), sizes[-1]
    print(f"{chosen.minutes:g} minutes of analysis: {first:.1f} MiB at first, {most:.1f} at most, {last:.1f} at the end")


if __name__ == "__main__":
    run(main)
