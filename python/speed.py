"""How fast the installed package is: positions a second of `static_wdl`, and searches a second of 1,000 nodes.

    python python/speed.py tests/data/engine-games.pgn
"""

import itertools
import os
import sys
import time

import chess.pgn

import halfpoint

POSITIONS, SEARCHES = 1_000_000, 1000


def positions(path):
    """The FENs of all positions of a file's games."""
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            yield from (node.board().fen() for node in game.mainline())


def rate(count, work):
    start = time.perf_counter()
    work()
    return f"{count / (time.perf_counter() - start):,.0f} a second"


def main():
    fens = list(positions(sys.argv[1]))
    many = list(itertools.islice(itertools.cycle(fens), POSITIONS))
    for threads in sorted({1, os.cpu_count()}):
        for whom, players in (("the engine's games", {}), ("players", {"white_elo": 1500, "time_control": "blitz"})):
            speed = rate(POSITIONS, lambda: halfpoint.static_wdl(many, threads=threads, **players))
            print(f"static_wdl for {whom}, {threads} threads: {speed}")
    engine = halfpoint.Engine()
    print("searches:", rate(SEARCHES, lambda: [engine.wdl(fen, nodes=1000) for fen in many[:SEARCHES]]))


if __name__ == "__main__":
    main()
