#!/usr/bin/env python3
"""Runs an engine over test positions and counts what it finds: best moves (`bm`, `am`), points (`c0 "f5=10, Bf2=3"`), or
mates (`bm #15`, in moves; `#-15` if the side to move is mated). Needs python-chess (tests/client/requirements.txt).

    scripts/suite.py --engine target/release/halfpoint --movetime 1 wac.epd
    scripts/suite.py --engine target/release/halfpoint --nodes 1000000 mates.epd
    scripts/suite.py --engine target/release/halfpoint --depth 12 positions.fen
"""

import argparse
import pathlib
import re
import statistics
import sys

try:
    import chess
    import chess.engine
except ImportError:
    sys.exit("suite.py: python-chess is not installed: pip install -r tests/client/requirements.txt")

OPERATION = re.compile(r'\s*([A-Za-z]\w*)\s+((?:"[^"]*"|[^;"])*);')
POINTS = re.compile(r"([^\s,=]+(?:=[QRBN][+#]?)?)=(\d+)")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=pathlib.Path, help="EPD, or a FEN in each line")
    parser.add_argument("--engine", required=True, metavar="CMD", help="a UCI engine")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--movetime", type=float, metavar="SECONDS")
    limit.add_argument("--nodes", type=int)
    limit.add_argument("--depth", type=int)
    parser.add_argument("--verbose", action="store_true", help="a line for each position")
    chosen = parser.parse_args()
    for option in chosen.option:
        if "=" not in option:
            parser.error(f"--option: '{option}' is not NAME=VALUE")
    return chosen


class Position:
    """A position and what is to be found: moves with their points, moves to avoid, or a mate. `faults` lists the points of
    illegal moves."""

    def __init__(self, line):
        fields = line.split(maxsplit=4)
        rest = fields[4] if len(fields) > 4 else ""
        if re.match(r"\d+\s+\d+\b", rest):
            rest = ""
            self.board = chess.Board(line)
        else:
            self.board = chess.Board(" ".join(fields[:4]) + " 0 1")
        if not self.board.is_valid():
            raise ValueError("not a position of a game")
        operations = dict(OPERATION.findall(rest))
        best = operations.get("bm", "").split()
        self.name = operations.get("id", line).strip('"')
        self.mate, self.points, self.avoid, self.faults = None, {}, set(), []
        if best and best[0].startswith("#"):
            self.mate = int(best[0][1:])
        elif points := POINTS.findall(operations.get("c0", "").strip('"')):
            for move, number in points:
                try:
                    self.points[self.board.parse_san(move)] = int(number)
                except ValueError as error:
                    self.faults.append(str(error))
        elif best:
            self.points = {self.board.parse_san(move): 1 for move in best}
        else:
            self.avoid = {self.board.parse_san(move) for move in operations.get("am", "").split()}


def read(path):
    positions = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                positions.append(Position(line.strip()))
            except ValueError as error:
                sys.exit(f"suite.py: {path}, line {number}: {error}")
            for fault in positions[-1].faults:
                print(f"suite.py: {path}, line {number}: left out: {fault}", file=sys.stderr)
    if not positions:
        sys.exit(f"suite.py: {path} has no positions")
    return positions


def main():
    chosen = arguments()
    try:
        positions = read(chosen.positions)
    except OSError as error:
        sys.exit(f"suite.py: {chosen.positions}: {error.strerror}")
    limit = chess.engine.Limit(time=chosen.movetime, nodes=chosen.nodes, depth=chosen.depth)
    points, solved, mates, shortest, nodes, times = 0, 0, 0, 0, [], []
    try:
        with chess.engine.SimpleEngine.popen_uci(chosen.engine.split()) as engine:
            engine.configure(dict(option.split("=", 1) for option in chosen.option))
            for index, position in enumerate(positions):
                # A new object each time makes python-chess send `ucinewgame`.
                result = engine.play(position.board, limit, game=object(), info=chess.engine.INFO_ALL)
                nodes.append(result.info.get("nodes", 0))
                times.append(result.info.get("time", 0.0))
                score = result.info.get("score")
                mate = score.relative.mate() if score else None
                gained = position.points.get(result.move, 0)
                points += gained
                if position.mate is not None:
                    found = mate is not None and (mate > 0) == (position.mate > 0)
                    mates += found
                    shortest += found and abs(mate) <= abs(position.mate)
                elif position.avoid:
                    found = result.move not in position.avoid
                else:
                    found = gained > 0 and gained == max(position.points.values())
                solved += found
                if chosen.verbose:
                    shown = f"mate {mate}" if position.mate is not None else position.board.san(result.move)
                    print(f"{index + 1:5}  {'found' if found else '-':5}  {shown:8}  {nodes[-1]:10} nodes  {position.name}")
    except (chess.engine.EngineError, OSError) as error:
        sys.exit(f"suite.py: {chosen.engine}: {error}")
    print(f"{len(positions)} positions, {sum(nodes):,} nodes, median {statistics.median(nodes):,.0f}, {sum(times):.1f} s")
    if of_mates := sum(position.mate is not None for position in positions):
        print(f"mates found: {mates} of {of_mates}, {shortest} of them the shortest")
    if of_moves := sum(bool(position.points or position.avoid) for position in positions):
        print(f"best move: {solved - mates} of {of_moves}")
    if any(max(position.points.values(), default=0) > 1 for position in positions):
        print(f"points: {points} of {sum(max(position.points.values(), default=0) for position in positions)}")


if __name__ == "__main__":
    main()
