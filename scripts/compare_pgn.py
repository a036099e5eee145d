#!/usr/bin/env python3
"""Compares what Halfpoint reads of PGN files with what python-chess reads.

    cargo build --release --example read_games
    pip install chess
    scripts/compare_pgn.py FOLDER_OR_FILE... [--reader target/release/examples/read_games]

Games, moves, results and tags are compared. Differences are counted by the kinds that src/games/README.md names; others are printed,
and the exit code is 1.
"""

import collections
import difflib
import io
import json
import logging
import pathlib
import re
import subprocess
import sys

from arguments import ROOT, Parser, die, package, run

chess = package("chess", "pgn")
# Tags that python-chess adds where a game has none.
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
RESULTS = ("1-0", "0-1", "1/2-1/2")
# python-chess writes castling as in Chess960 where a FEN has rights that cannot be.
CASTLING = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}


def files_of(names, kind):
    """Files that are named, and those of a kind in folders that are."""
    paths = map(pathlib.Path, names)
    files = [file for path in paths for file in (sorted(path.rglob(f"*.{kind}")) if path.is_dir() else [path])]
    return files or die(f"no .{kind} files in {', '.join(names)}")


def read_by(reader, path, field):
    """The objects that a reader prints, which have a field unless they say what is broken."""
    output = subprocess.run([reader, path], capture_output=True, check=True, text=True).stdout
    try:
        objects = [json.loads(line) for line in output.splitlines()]
        if all(object.keys() & {field, "broken", "cut"} for object in objects):
            return objects
    except (ValueError, AttributeError):
        pass
    die(f"{reader} does not print what it reads of {path}")


def halfpoint_games(reader, path):
    games = read_by(reader, path, "moves")
    for game in games:
        game["moves"] = castling(game.get("moves", ""))
    return games


def castling(moves):
    return " ".join(CASTLING.get(move, move) for move in moves.split())


def decoded(line):
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def python_games(path):
    # Files that were joined have lines of both encodings.
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    stream = io.StringIO("".join(map(decoded, lines)), newline=None)
    games = []
    while True:
        try:
            game = chess.pgn.read_game(stream)
        except (ValueError, IndexError) as error:
            # Its own exception ends the reading of this game.
            games.append({"moves": "", "result": "*", "tags": {}, "errors": [str(error)]})
            continue
        if game is None:
            return games
        games.append({
            "moves": castling(" ".join(move.uci() for move in game.mainline_moves())),
            "result": game.headers.get("Result", "*"),
            "tags": dict(game.headers),
            "errors": [str(error) for error in game.errors],
        })


def has_tags(game):
    return any(game["tags"].get(name, "?").strip("?.*") for name in (*ROSTER[:-1], "FEN", "Variant"))


def pairs(ours, theirs):
    """Games that belong together; None where one reader has no such game."""
    if len(ours) == len(theirs):
        yield from zip(ours, theirs)
        return
    # python-chess ends a game at an empty line and takes the rest for one without tags.
    parts = [place for place in range(1, len(theirs)) if not has_tags(theirs[place])]
    if len(ours) == len(theirs) - len(parts):
        for place in parts:
            theirs[place - 1]["ends early"] = True
        yield from zip(ours, (game for place, game in enumerate(theirs) if place not in parts))
        return
    # Of a broken game no tags are known.
    keys = [[(game["moves"], "broken" in game or names(game)) for game in games] for games in (ours, theirs)]
    for kind, a, b, c, d in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        block = list(zip(ours[a:b], theirs[c:d]))
        if kind == "equal" or b - a == d - c and all(belong(*pair) for pair in block):
            yield from block
            continue
        rest = theirs[c:d]
        for game in ours[a:b]:
            places = [place for place, other in enumerate(rest) if belong(game, other)]
            same = [place for place in places if "broken" in game or names(rest[place]) == names(game)]
            place = min(same or places, default=None)
            yield game, None if place is None else rest.pop(place)
        # Of a broken game python-chess makes more than one.
        is_rest = any("broken" in game for game in ours[max(a - 1, 0):b + 1])
        yield from ((None, game | {"is rest": is_rest}) for game in rest)


def names(game):
    tags = dict(game["tags"]) if "tags" in game else {}
    return tuple(normal(tags.get(name, "?")) for name in ("Event", "Round", "White", "Black"))


def belong(our, their):
    """Whether two readings may be of one game: a broken one python-chess reads in part."""
    same = our["moves"].startswith(their["moves"]) or their["moves"].startswith(our["moves"]) and our["moves"]
    return "broken" in our or "cut" in our or our["otherVariant"] or same


def broken_kind(fault):
    if fault.startswith("move "):
        return "broken: a move is illegal or ambiguous"
    for words, kind in (("is no move", "a word is no move"), ("null move", "a null move"), ("unterminated", "unterminated"),
                        ("neither tags", "a result alone"), ("more than", "a limit"), ("longer than", "a limit")):
        if words in fault:
            return f"broken: {kind}"
    return "broken: no first position"


def normal(value):
    return " ".join(value.split())


def differences(ours, theirs, last, is_joined):
    """Kinds of differences between the two readings of a game, each with whether the documents name it. `last` is the game of
    Halfpoint before."""
    if theirs is None:
        if "broken" in ours or "cut" in ours:
            yield broken_kind(ours.get("broken", "unterminated")), True
        else:
            yield "a game that only Halfpoint finds: behind a result, or tags again behind an empty line", True
        return
    if ours is None:
        is_empty = not theirs["moves"]
        if not is_empty and ("broken" in last or theirs.get("is rest")):
            yield "what stands behind the fault of a broken game", True
            return
        if not is_empty and not has_tags(theirs) and theirs["moves"] == last["moves"]:
            yield "a tag of several lines, at which python-chess begins a game", True
            return
        yield f"a game {'without' if is_empty else 'with'} moves that only python-chess finds", is_empty
        return
    if "broken" in ours:
        yield broken_kind(ours["broken"]), True
        return
    if "cut" in ours:
        yield "cut", True
        return
    if ours["otherVariant"]:
        yield "another variant: moves are not read", True
        return
    tags = dict(map(tuple, ours["tags"]))
    # Tags behind spaces are another game of python-chess.
    known = [{name for name in ROSTER[:-1] if found.get(name, "?").strip("?.")} for found in (tags, theirs["tags"])]
    has_no_tags = bool(known[0]) and not known[1]
    if not ours["moves"] and not theirs["moves"] and ours["number"] == 1 and theirs["tags"] != tags and is_joined:
        yield "games without moves, which python-chess joins", True
        return
    if ours["moves"] != theirs["moves"]:
        if ours["moves"].startswith(theirs["moves"]) and "ends early" in theirs:
            yield "an empty line in the moves, at which python-chess ends the game", True
            return
        if ours["moves"].startswith(theirs["moves"]):
            yield "spellings of moves that python-chess does not know, or illegal moves in variations", True
        elif theirs["moves"].startswith(ours["moves"]) and ours["result"] != "*":
            yield "a result behind the moves ends the game: python-chess reads on", True
        elif theirs["moves"].removeprefix(ours["moves"]).startswith(" 0000"):
            yield "two dashes, which python-chess reads as a null move", True
        elif has_no_tags and "FEN" in tags:
            yield "tags behind spaces, with the first position", True
        else:
            yield "moves", False
    if ours["result"] != theirs["result"]:
        spelled = theirs["result"] not in RESULTS
        yield ("results that python-chess does not know" if spelled else "results"), spelled
    if has_no_tags:
        yield "tags behind spaces", True
        return
    for name, value in theirs["tags"].items():
        if name in tags and normal(tags[name]) != normal(value) and name != "Result":
            if re.sub(r'[\\"]', "", tags[name]) == re.sub(r'[\\"]', "", value):
                yield "quotes and backslashes in tags", True
            elif re.search(r'"\] *\[', value):
                yield "tags within lines", True
            else:
                yield f"tag {name}: {tags[name]!r}, {value!r}", False
        elif name not in tags and not (name in ROSTER or name.upper() in ("FEN", "SETUP")):
            yield f"tag {name} missing", False
    for name in tags:
        if name not in theirs["tags"]:
            yield "tags that python-chess does not find", True
            break


def main():
    parser = Parser(__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--reader", default=ROOT / "target/release/examples/read_games")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    files = files_of(arguments.paths, "pgn")
    counts, unnamed = collections.Counter(), []
    games, equal = 0, 0
    for file in files:
        ours, theirs = halfpoint_games(arguments.reader, file), python_games(file)
        last = {"moves": ""}
        # Of games without moves, one behind the other, python-chess makes one with the last tags.
        is_joined = len(theirs) == 1 < len(ours)
        for our, their in pairs(ours, theirs):
            games += 1
            found = list(differences(our, their, last, is_joined))
            last = our or last
            equal += not found
            counts.update(kind for kind, is_named in found if is_named)
            number = (our or {}).get("number", "-")
            unnamed += [f"{file}: game {number}: {kind}" for kind, is_named in found if not is_named]
    if not games:
        die(f"no games in {', '.join(arguments.paths)}")
    print(f"{len(files)} files, {games} games, {equal} equal")
    for kind, count in counts.most_common():
        print(f"{count:7}  {kind}")
    print(f"{len(unnamed):7}  others")
    for line in unnamed[:50]:
        print(line)
    sys.exit(1 if unnamed else 0)


if __name__ == "__main__":
    run(main)
