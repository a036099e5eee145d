#!/usr/bin/env python3
"""Makes src/analysis/openings.txt from the tables of lichess' chess-openings (CC0). Needs the package `chess`.

    scripts/openings.py FOLDER > src/analysis/openings.txt

FOLDER has the files a.tsv to e.tsv.
"""

import csv
import re

from arguments import Parser, die, directory, package, run

chess = package("chess")

HEAD = """\
# Names of openings, from lichess' chess-openings (CC0 1.0), made by scripts/openings.py. A line of moves from the start
# position each: plies shared with the line above, further moves, ECO, parts of the name shared, further parts.
"""


def read(path):
    """The lines of a table: moves in UCI notation, ECO, parts of the name."""
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            board = chess.Board()
            words = [word for word in row["pgn"].split() if not word[0].isdigit()]
            yield [board.push_san(word).uci() for word in words], row["eco"], re.split(r"(?<=[:,]) ", row["name"])


def shared(first, second):
    """How many of the first items are the same."""
    return next((index for index, (a, b) in enumerate(zip(first, second)) if a != b), min(len(first), len(second)))


def main():
    parser = Parser(__doc__)
    parser.add_argument("folder", metavar="FOLDER", type=directory)
    rows = []
    for path in [parser.parse_args().folder / f"{letter}.tsv" for letter in "abcde"]:
        try:
            rows += read(path)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            die(f"{path} is no table of openings: {error}")
    rows.sort()
    print(HEAD, end="")
    above = ([], "", [])
    for moves, eco, parts in rows:
        plies, known = shared(above[0], moves), shared(above[2], parts)
        print(plies, "".join(moves[plies:]), eco, known, *parts[known:])
        above = (moves, eco, parts)


if __name__ == "__main__":
    run(main)
