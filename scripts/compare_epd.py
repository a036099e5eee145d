#!/usr/bin/env python3
"""Compares what Halfpoint reads of EPD files with what python-chess reads: position, moves of bm and am, and id.

    cargo build --release --example read_positions
    pip install chess
    scripts/compare_epd.py FOLDER_OR_FILE... [--reader target/release/examples/read_positions]

Differences are counted by kind; those that src/games/README.md does not name are printed, and the exit code is 1.
"""

import collections
import re
import sys

from arguments import ROOT, Parser, die, package, run
from compare_pgn import decoded, files_of, read_by

chess = package("chess")


def python_line(text):
    """Fields as Halfpoint's reader prints them, or the error."""
    # Counters of a FEN, which python-chess does not read before operations.
    text = re.sub(r"^((?:\S+\s+){3}\S+)\s+\d+(?:\s+\d+)?(?=\s|$)", r"\1", text)
    board = chess.Board()
    try:
        operations = board.set_epd(text)
        if board.status() & chess.STATUS_BAD_CASTLING_RIGHTS:
            chess960 = chess.Board(chess960=True)
            found = chess960.set_epd(text)
            if not chess960.status() & chess.STATUS_BAD_CASTLING_RIGHTS:
                board, operations = chess960, found
    except (ValueError, IndexError, AssertionError) as error:
        return {"broken": str(error)}
    # Castling rights and en passant squares that cannot be are mended, and any number of checks is played on.
    faults = board.status() & ~(chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE | chess.STATUS_TOO_MANY_CHECKERS)
    if faults:
        return {"broken": str(faults)}
    found = {"fen": board.fen().split()[:4]}
    for code in ("bm", "am"):
        moves = operations.get(code)
        if isinstance(moves, list):
            found[code] = sorted(board.uci(move) for move in moves)
        elif moves is not None:
            found["broken"] = f"{code} is no list of moves"
    if "id" in operations:
        found["id"] = str(operations["id"])
    return found


def is_position(text):
    """Whether a line is neither blank nor a comment."""
    return "".join(filter(str.isprintable, text)).strip()[:1] not in ("", "#", "%", ";")


def difference(ours, theirs):
    """The kind of a difference and whether the documents name it; None if there is none."""
    if "broken" in ours or "broken" in theirs:
        if "broken" in ours and "broken" in theirs:
            return None
        if "broken" in theirs:
            return "spellings that python-chess does not read", True
        return f"only Halfpoint finds a fault: {ours['broken']}", False
    if ours["fen"].split()[:4] != theirs["fen"]:
        return ("castling rights or en passant that cannot be", True) if ours["mends"] else (f"position {ours['fen']}", False)
    for code in ("bm", "am"):
        if sorted(ours.get(code, [])) != theirs.get(code, []):
            return f"{code}: {ours.get(code)}, {theirs.get(code)}", False
    if ours.get("id") != theirs.get("id"):
        return f"id: {ours.get('id')!r}, {theirs.get('id')!r}", False
    return None


def main():
    parser = Parser(__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--reader", default=ROOT / "target/release/examples/read_positions")
    arguments = parser.parse_args()
    files = files_of(arguments.paths, "epd")
    counts, unnamed, lines = collections.Counter(), [], 0
    for file in files:
        texts = [decoded(line) for line in file.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()]
        read = {ours["line"]: ours for ours in read_by(arguments.reader, file, "fen")}
        for number, text in enumerate(texts, 1):
            if number in read:
                found = difference(read[number], python_line(text.strip()))
            elif is_position(text):
                found = "Halfpoint leaves it out", False
            else:
                continue
            lines += 1
            if found and found[1]:
                counts[found[0]] += 1
            elif found:
                unnamed.append(f"{file}: line {number}: {found[0]}")
    if not lines:
        die(f"no positions in {', '.join(arguments.paths)}")
    print(f"{len(files)} files, {lines} lines, {lines - counts.total() - len(unnamed)} equal")
    for kind, count in counts.most_common():
        print(f"{count:7}  {kind}")
    print(f"{len(unnamed):7}  others")
    for line in unnamed[:50]:
        print(line)
    sys.exit(1 if unnamed else 0)


if __name__ == "__main__":
    run(main)
